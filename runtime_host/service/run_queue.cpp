// run_queue.cpp
#include "runtime_host/service/run_queue.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <utility>

#include <fmt/format.h>

#include "interp_templates/launch_abi.h"

namespace mog {

RunQueue::RunQueue(const Sweep &sweep, SlottedDevice &device, Population &population, Scheduler &scheduler, const RunClock &clock,
                   Start start)
    : sweep_(sweep),
      device_(device),
      population_(population),
      scheduler_(scheduler),
      clock_(clock),
      start_(std::move(start)),
      records_(sweep.runs()) {}

std::optional<std::uint32_t> RunQueue::take() {
    if (again_.empty()) return next_ < sweep_.runs() ? std::optional(next_++) : std::nullopt;
    const std::uint32_t run = again_.front();
    again_.pop_front();
    return run;
}

Result<bool> RunQueue::restore() {
    const std::uint32_t runs = sweep_.runs();
    const auto is_run = [&](std::uint32_t run) { return run < runs && population_.ends[run].by == EndedBy::Not; };
    if (records_.size() != runs || next_ > runs || !std::ranges::all_of(again_, is_run) || !std::ranges::all_of(unopened_, is_run))
        return false;
    for (std::uint32_t run = 0; run < runs; ++run) {
        const PeState state = population_.states[run];
        const bool has_ended = state == PeState::Ended, waits = state == PeState::Free;
        if (run >= next_ ? !waits : waits && std::ranges::count(again_, run) + std::ranges::count(unopened_, run) != 1) return false;
        if (has_ended || waits) continue;
        if (!device_.has_ready_slot()) return false;
        MOG_TRY(device_.begin(run));
    }
    return true;
}

std::vector<std::uint32_t> RunQueue::waiting() const {
    std::vector<std::uint32_t> runs(again_.begin(), again_.end());
    for (std::uint32_t run = next_; run < sweep_.runs(); ++run) runs.push_back(run);
    return runs;
}

Result<void> RunQueue::begin_runs(const std::function<void(std::uint32_t run)> &fails) {
    MOG_TRY(std::exchange(failure_, {}));
    for (bool is_over = false; !is_over;) {
        MOG_TRY(device_.clear_slots());
        while (!is_over && device_.has_ready_slot()) {
            const Result<bool> begun = begin_next();
            if (!begun) return begun.error();
            is_over = !*begun;
        }
        // Some that end at once make no room that was not there, but may begin anew.
        is_over = unopened_.empty();
        for (const std::uint32_t run : std::exchange(unopened_, {})) fails(run);
    }
    return {};
}

void RunQueue::begin_in_place_of(std::uint32_t ended) {
    if (!failure_ || not_begun() == 0 || !device_.clear_slot_of(ended)) return;
    if (const Result<bool> begun = begin_next(); !begun) failure_ = begun.error();
}

/// In a slot that is ready. False: there is no other run.
Result<bool> RunQueue::begin_next() {
    std::optional<std::uint32_t> run;
    for (;;) {
        run = take();
        if (!run) return false;
        records_[*run].begin = clock_.seconds();
        records_[*run].attempts++;
        Process &process = population_.processes[*run];
        process = {};
        process.rank = *run;
        const std::optional<std::string> problem = open_files(*run);
        records_[*run].has_started = !problem;
        if (!problem) break;
        population_.config.say(fmt::format("run {} cannot start: {}", *run, *problem));
        unopened_.push_back(*run);
    }
    if (population_.config.options.fuel) population_.fuel_left[*run] = population_.config.options.fuel;
    if (population_.threads && records_[*run].attempts > 1) population_.threads->begin_process(*run);
    MOG_TRY(device_.begin(*run));
    MOG_TRY(start_(*run));
    scheduler_.resume(*run);
    return true;
}

/// What is wrong, if something is.
std::optional<std::string> RunQueue::open_files(std::uint32_t run) {
    const SweepOptions &options = sweep_.options();
    Process &process = population_.processes[run];
    const auto problem = [](std::string_view option, const std::string &name, int error) {
        return fmt::format("{} {}: {}", option, name, std::strerror(error));
    };
    const auto make_folder = [](const std::filesystem::path &path) {
        std::error_code failed;
        if (!path.empty()) std::filesystem::create_directories(path, failed);
    };
    const std::string *const names[] = {&options.stdin_file, &options.stdout_file, &options.stderr_file};
    if (std::ranges::any_of(names, [](const std::string *name) { return !name->empty(); })) {
        FileSystem &files = population_.files;
        process.descriptors = {{files.standard_input(run)}, {files.standard_output(1)}, {files.standard_output(2)}};
        process.has_descriptors = true;
        constexpr std::string_view option_names[] = {"--stdin-file", "--stdout", "--stderr"};
        for (std::size_t stream = 0; stream < 3; ++stream) {
            if (names[stream]->empty()) continue;
            const std::string name = Sweep::name_of(*names[stream], run);
            if (stream != STDIN_FILENO) make_folder(std::filesystem::path(name).parent_path());
            // Programs may have put a link where a file is to be.
            const int flags = stream == STDIN_FILENO ? O_RDONLY : O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW;
            if (const int failed = files.open_for_user(name, flags, &process.descriptors[stream].file))
                return problem(option_names[stream], name, failed);
        }
    }
    if (options.folder.empty()) return {};
    const std::string name = Sweep::name_of(options.folder, run);
    make_folder(name);
    if (const int failed = population_.files.open_folder(name, &process.folder, AT_FDCWD)) return problem("--chdir", name, failed);
    return {};
}

bool RunQueue::repeats(std::uint32_t run, int status) {
    if (status == 0 || !records_[run].has_started || records_[run].attempts > sweep_.options().retries) return false;
    again_.push_back(run);
    return true;
}

void RunQueue::ended(std::uint32_t run) {
    RunRecord &record = records_[run];
    record.end = clock_.seconds();
    const RunConfig &config = population_.config;
    if (config.options.fuel) record.instructions = config.options.fuel - population_.fuel_left[run];
    if (config.options.count && device_.has_slot(run)) {
        std::vector<Transfer> transfers;
        std::vector<std::uint32_t> words(std::size_t{2} * config.threads);
        for (std::uint32_t thread = 0; thread < config.threads; ++thread)
            for (const std::uint32_t row : {MOG_S_COUNT_LO, MOG_S_COUNT_HI})
                transfers.push_back({run + thread * config.nproc, row, 4, static_cast<std::uint32_t>(4 * transfers.size()), true});
        if (!device_.gather(transfers, {reinterpret_cast<std::uint8_t *>(words.data()), 4 * words.size()})) return;
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i < words.size(); i += 2) sum += words[i] | std::uint64_t{words[i + 1]} << 32;
        if (sum != 0) record.instructions = sum;
    }
}

}  // namespace mog
