// whereabouts.cpp
#include "runtime_host/population/whereabouts.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <climits>
#include <filesystem>
#include <span>
#include <unordered_map>

#include <fmt/format.h>

#include "runtime_host/devices/slots/slotted_device.hpp"
#include "runtime_host/faults/backtrace.hpp"
#include "runtime_host/mpi/engine.hpp"
#include "runtime_host/population/call_tree.hpp"
#include "runtime_host/population/places.hpp"
#include "runtime_host/races/race_checker.hpp"

namespace mog {

namespace {

constexpr std::uint32_t stack_words = 256;  // fetched at once of each; callers further away are looked for one by one
constexpr std::size_t pes_at_once = 4096;   // whose stacks are there at a time

class Look {
public:
    Look(Device &device, const Image &image, Population &population)
        : device_(device), image_(image), population_(population), places_(device, image, population), unwinder_(image) {}

    Result<void> take();
    std::string sentence(double seconds, std::uint32_t not_begun) const;
    std::string tree() const { return tree_.text(); }

private:
    Result<void> take_some(std::span<const std::uint32_t> pes);
    Result<std::optional<CallTree::Wait>> wait_of(std::uint32_t pe);
    std::string wait_in_call(std::uint32_t pe, const Request &call) const;
    static constexpr CallTree::Place none = UINT32_MAX;
    CallTree::Place place(std::uint32_t address);

    Device &device_;
    const Image &image_;
    Population &population_;
    Places places_;
    Unwinder unwinder_;
    CallTree tree_;
    std::unordered_map<std::uint32_t, CallTree::Place> places_by_address_;
    std::unordered_map<std::uint32_t, const Request *> calls_;  ///< that cannot be done yet, by PE
    std::unordered_map<std::uint32_t, mpi::Blocked> in_mpi_;    ///< by process
    std::uint32_t runs_ = 0, waits_ = 0;                        ///< processes
    std::uint64_t threads_ = 0;
};

Result<void> Look::take() {
    const RunConfig &config = population_.config;
    for (const Request &call : population_.waiting) calls_[call[MOG_Q_PE]] = &call;
    if (population_.mpi)
        for (mpi::Blocked &one : population_.mpi->blocked()) in_mpi_.insert_or_assign(one.pe, std::move(one));
    std::vector<std::uint32_t> pes;
    for (const std::uint32_t process : population_.all_running()) {
        if (config.slots && !config.slots->has_slot(process)) continue;
        const std::vector<std::uint32_t> threads = population_.threads_of(process);
        const bool runs = std::ranges::any_of(threads, [this](std::uint32_t pe) { return population_.states[pe] == PeState::Runs; });
        (runs ? runs_ : waits_)++;
        threads_ += threads.size();
        pes.insert(pes.end(), threads.begin(), threads.end());
    }
    for (std::size_t at = 0; at < pes.size(); at += pes_at_once)
        MOG_TRY(take_some(std::span(pes).subspan(at, std::min(pes_at_once, pes.size() - at))));
    return {};
}

Result<void> Look::take_some(std::span<const std::uint32_t> pes) {
    const std::uint32_t data_bytes = population_.config.data_bytes();
    Result<std::vector<StoppedPe::Facts>> facts = places_.where_they_stand(pes);
    if (!facts) return facts.error();
    std::vector<Transfer> transfers;
    std::vector<std::uint32_t> first{0};  // word of each one's stack
    for (const StoppedPe::Facts &f : *facts) {
        std::uint32_t size = 0;
        if ((f.sp & 3) == 0 && f.sp >= MOG_DATA_BASE && f.sp - MOG_DATA_BASE <= data_bytes - 4) {
            size = std::min(stack_words, (MOG_DATA_BASE + data_bytes - f.sp) / 4);
            transfers.push_back({f.pe, f.sp, 4 * size, 4 * first.back(), false});
        }
        first.push_back(first.back() + size);
    }
    std::vector<std::uint32_t> words(first.back());
    std::span<std::uint8_t> bytes(reinterpret_cast<std::uint8_t *>(words.data()), 4 * words.size());
    if (!transfers.empty()) MOG_TRY(device_.gather(transfers, bytes));
    std::vector<CallTree::Place> calls;
    for (std::size_t i = 0; i < facts->size(); i++) {
        const std::uint32_t process = population_.config.process_of(pes[i]);
        StoppedPe pe(device_, image_, data_bytes, (*facts)[i]);
        pe.set_window((*facts)[i].sp, {words.data() + first[i], first[i + 1] - first[i]});
        const Backtrace backtrace = unwinder_.unwind(pe);
        calls.clear();
        for (const std::uint32_t address : backtrace.frames)
            if (const CallTree::Place at = place(address); at != none) calls.push_back(at);
        if (calls.empty()) calls.push_back(tree_.place("", "before main"));
        std::ranges::reverse(calls);
        const Result<std::optional<CallTree::Wait>> wait = wait_of(pes[i]);
        if (!wait) return wait.error();
        tree_.add(population_.config.first_rank + process, calls, *wait ? &**wait : nullptr);
    }
    return {};
}

/// None of what is before main, and of how the library comes to the system: that says nothing.
CallTree::Place Look::place(std::uint32_t address) {
    const auto found = places_by_address_.find(address);
    if (found != places_by_address_.end()) return found->second;
    SourcePlace source = find_source(image_, address);
    // A piece of a function that gcc has cut off it, "nanosleep.part.0".
    if (source.function.find('(') == std::string::npos) source.function.resize(std::min(source.function.find('.'), source.function.size()));
    if (source.function == "_start" || source.function.starts_with("__mog_"))
        return places_by_address_.emplace(address, none).first->second;
    std::string text = source.function;
    if (text.empty()) text = address != 0 ? fmt::format("code at {:#x}", address) : "code that no instruction of the program stands for";
    if (!source.file.empty()) text += fmt::format(" at {}:{}", source.file, source.line);
    const CallTree::Place place = tree_.place(source.function.empty() ? text : source.function, text);
    places_by_address_.emplace(address, place);
    return place;
}

/// "waits in read of descriptor 3 (/tmp/fifo)"
std::string Look::wait_in_call(std::uint32_t pe, const Request &call) const {
    const SyscallRow *const row = find_syscall(call[MOG_Q_NUMBER]);
    if (!row) return "waits in a system call";
    std::string text = fmt::format("waits in {}", row->name);
    const std::uint32_t process = population_.config.process_of(pe), number = call[MOG_Q_ARG];
    if (row->arguments.starts_with('f')) {
        const std::vector<Descriptor> &open = population_.processes[process].descriptors;
        constexpr std::array standard = {"standard input", "standard output", "standard error"};
        text += fmt::format(" of descriptor {}", number);
        std::error_code failed;
        const OpenFile *const file = number < open.size() ? open[number].file.get() : nullptr;
        const std::filesystem::path path = file && file->host_fd() > STDERR_FILENO
                                               ? std::filesystem::read_symlink(fmt::format("/proc/self/fd/{}", file->host_fd()), failed)
                                               : std::filesystem::path();
        if (!path.empty()) text += fmt::format(" ({})", path.string());
        else if (number < standard.size()) text += fmt::format(" ({})", standard[number]);
    }
    const auto &locks = population_.files.locks().waits();
    if (const auto holder = locks.find(process); holder != locks.end())
        text += fmt::format(", for a lock that PE {} has", population_.config.first_rank + holder->second);
    return text;
}

Result<std::optional<CallTree::Wait>> Look::wait_of(std::uint32_t pe) {
    using Found = std::optional<CallTree::Wait>;
    const PeState state = population_.states[pe];
    if (state == PeState::Runs) return Found();
    if (const auto call = calls_.find(pe); call != calls_.end()) return Found({wait_in_call(pe, *call->second), {}});
    if (population_.threads && population_.threads->waits(pe).address != 0) {
        const Result<std::string> lock = places_.lock_of(pe);
        if (!lock) return lock.error();
        const std::string word = name_of_variable(image_, population_.threads->waits(pe).address);
        if (!lock->empty()) return Found({"waits for " + *lock, {}});
        return Found({word.starts_with("address ") ? "waits for another thread" : "waits for another thread, at " + word, {}});
    }
    const auto blocked = in_mpi_.find(population_.config.process_of(pe));
    if (blocked == in_mpi_.end()) return Found({"waits", {}});
    CallTree::Wait wait{blocked->second.text, {}};
    if (blocked->second.peer) wait.peer = static_cast<std::uint32_t>(*blocked->second.peer);
    return Found(std::move(wait));
}

std::string Look::sentence(double seconds, std::uint32_t not_begun) const {
    const RunConfig &config = population_.config;
    const std::string_view what = config.sweep ? "runs" : config.nproc == 1 ? "PE" : "PEs";
    std::string text =
        fmt::format("{} of {} {} {} after {:.1f} s, {} wait{}, {} {} ended", runs_, config.nproc, what, runs_ == 1 ? "computes" : "compute",
                    seconds, waits_, waits_ == 1 ? "s" : "", population_.ended, population_.ended == 1 ? "has" : "have");
    if (not_begun != 0) text += fmt::format(", {} {} not begun", not_begun, not_begun == 1 ? "has" : "have");
    if (threads_ > runs_ + waits_) text += fmt::format("; with all their threads they are {}", threads_);
    if (config.bridge) text += fmt::format("; they are ranks {}-{}", config.first_rank, config.first_rank + config.nproc - 1);
    return text;
}

}  // namespace

Result<std::string> whereabouts(Device &device, const Image &image, Population &population, double seconds, std::uint32_t not_begun) {
    Look look(device, image, population);
    MOG_TRY(look.take());
    return look.sentence(seconds, not_begun) + "\n" + look.tree();
}

}  // namespace mog
