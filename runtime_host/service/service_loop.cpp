// service_loop.cpp: slices, rounds, and the ends of PEs. How a round's calls are served stands in service_batch.cpp.
#include "runtime_host/service/service_loop.hpp"

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "runtime_host/service/code_samples.hpp"
#include "runtime_host/linux/guest_abi.hpp"
#include "runtime_host/linux/guest_names.hpp"
#include "runtime_host/device/host_room.hpp"
#include "runtime_host/mpi/engine.hpp"

namespace mog {

static_assert(sizeof(Process) + sizeof(PeEnd) + 2 * sizeof(std::uint32_t) >= service_bytes_per_pe);

namespace {

constexpr std::uint32_t least_slice = 10'000, most_slice = 1u << 30;
/// The first on a GPU, whose lanes end a slice at different places, and have less in common from then on.
constexpr std::uint32_t first_slice_of_gpu = 1u << 18;
/// Of those whose length does not depend on time, some tens of ms of a CPU.
constexpr std::uint32_t longest_blind_slice = 1u << 22;

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

ServiceLoop::ServiceLoop(Device &device, const Image &image, const RunConfig &config)
    : device_(device),
      image_(image),
      config_(config),
      output_(config_.output, config_.nproc, config_.options.tag_output, config_.first_rank),
      files_(output_, config_.options.stdin_mode, config_.stdin_pe(), config_.paths),
      faults_(image, config_.world(),
              {config_.memory_hint, config_.options.fuel, config_.options.timeout, config_.shows_source(), config_.first_rank,
               config_.keeps_causes}, config_.say),
      services_{output_, files_, 4 * config_.data_words, Clock::now(), config_.natives,
                [this](std::uint32_t pe, std::uint32_t bytes) { faults_.lacks_memory(pe, bytes, 4ull * config_.data_words); }, config_.owns_process},
      processes_(config_.nproc),
      states_(config_.nproc, PeState::Runs),
      ends_(config_.nproc),
      active_(config_.nproc),
      slice_(config_.options.slice ? config_.options.slice : device.info().is_gpu ? first_slice_of_gpu : least_slice) {
    // Whatever the sink is, there is a deadline.
    deadline_ = config_.output.deadline ? config_.output.deadline : std::make_shared<Deadline>();
    deadline_->set_cancel(config_.cancel);
    for (std::uint32_t pe = 0; pe < config_.nproc; pe++) processes_[pe].rank = pe;
    if (config_.options.fuel) fuel_left_.assign(config_.nproc, config_.options.fuel);
    if (config_.gives_input()) files_.give_input([this](std::uint32_t pe) { return config_.input_of(pe); });
    files_.set_most_open(std::max(FileSystem::usual_most_open, std::uint64_t{16} * config_.nproc));
    result_.calls_by_row.resize(syscall_rows().size());
    std::iota(active_.begin(), active_.end(), 0u);
}

ServiceLoop::~ServiceLoop() = default;

double ServiceLoop::seconds_left() const {
    return config_.options.timeout > 0 ? config_.options.timeout - seconds_since(start_) : HUGE_VAL;
}

double ServiceLoop::stretch_left() const {
    return bounded_ ? std::chrono::duration<double>(stretch_end_ - Clock::now()).count() : HUGE_VAL;
}

RunProgress ServiceLoop::progress() const {
    const Clock::time_point now = is_paused_ ? paused_ : Clock::now();
    return {started_ ? std::chrono::duration<double>(now - start_).count() : 0, config_.nproc, ended_, result_.slices, result_.calls};
}

Result<RunResult> ServiceLoop::run() {
    Result<bool> ended = run_for({});
    if (!ended) return ended.error();
    return result_;
}

Result<bool> ServiceLoop::run_for(const Stretch &stretch) {
    const Clock::time_point now = Clock::now();
    if (!started_)
        start_ = services_.start = now;
    else {
        // The program's time stands still in pauses.
        start_ += now - paused_;
        services_.start += now - paused_;
    }
    started_ = true;
    is_paused_ = false;
    constexpr double most_seconds = 1e9;  // more might not fit a time_point
    if (config_.options.timeout > 0 && config_.options.timeout < most_seconds)
        deadline_->set_end(start_ + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(config_.options.timeout)));
    if (config_.bridge && !mpi_)
        if (Result<void> begun = start_mpi(); !begun) return begun.error();
    bounded_ = stretch.seconds < 1e6;  // more is no bound, and might not fit a time_point
    if (bounded_) stretch_end_ = now + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(stretch.seconds));
    ConcurrentLaunches *launches = runs_concurrently() ? device_.concurrent() : nullptr;
    result_.concurrent = launches != nullptr;
    Result<bool> ended = launches ? run_overlapped(*launches, stretch) : run_rounds(stretch);
    output_.flush();
    if (ended && *ended && config_.bridge)
        if (Result<void> done = wait_for_world(); !done) return done.error();
    if (ended && *ended && mpi_)
        if (Result<void> done = mpi_->tell_end(); !done) return done.error();
    if (ended && *ended) finish();
    paused_ = Clock::now();
    is_paused_ = true;
    return ended;
}

/// Native functions get the calls of a round together, and may look at the memory of any PE; messages go to PEs that run on.
bool ServiceLoop::runs_concurrently() const {
    return config_.options.service == Options::Service::Concurrent && !config_.options.fuel && !mpi_ && (!config_.natives || config_.natives->size() == 0);
}

/// True: no PE is left.
Result<bool> ServiceLoop::run_rounds(const Stretch &stretch) {
    const std::uint64_t slices_before = result_.slices;
    for (;;) {
        if (config_.bridge) {
            const Result<bool> over = meet_others();
            if (!over) return over.error();
            if (*over) return true;
        }
        if (Result<void> ended = end_those_without_fuel(); !ended) return ended.error();
        if (active_changed_) update_active();
        if (!config_.bridge && active_.empty() && waiting_.empty() && ended_ < config_.nproc)
            if (Result<void> ended = end_deadlocked(); !ended) return ended.error();
        if (ended_ == config_.nproc) return true;
        if (config_.cancel && config_.cancel->is_asked()) {
            end_all_by_cancel();
            return true;
        }
        if (seconds_left() <= 0) {
            if (Result<void> ended = end_all_by_timeout(); !ended) return ended.error();
            return true;
        }
        if (result_.slices - slices_before >= stretch.slices || stretch_left() <= 0) return false;
        if (config_.bridge && active_.empty()) rest_until_others();
        std::vector<Request> requests;
        if (!active_.empty()) {
            auto launched = Clock::now();
            const std::span<const std::uint32_t> pes = neighbours();
            const std::uint32_t passes = config_.samples ? config_.samples->passes(slice_) : slice_;
            Result<std::vector<Request>> stopped = device_.run(pes, passes, plan_passes());
            if (!stopped) return stopped.error();
            double seconds = seconds_since(launched);
            if (config_.samples) MOG_TRY(config_.samples->ran(device_, pes, *stopped, passes));
            result_.device_seconds += seconds;
            result_.slices++;
            requests = *std::move(stopped);
            use_fuel(requests);
            if (config_.options.deterministic)
                lengthen_slice(!requests.empty());
            else if (requests.size() != pes.size() && passes == slice_)
                adapt_slice(seconds, requests.empty() && waiting_.empty() && !mpi_ ? 0.1 : 0.02);
        }
        if (!waiting_.empty()) {
            // Both are ascending, and a waiting PE does not run.
            std::size_t middle = requests.size();
            requests.insert(requests.end(), waiting_.begin(), waiting_.end());
            std::inplace_merge(requests.begin(), requests.begin() + static_cast<std::ptrdiff_t>(middle), requests.end(),
                               [](const Request &a, const Request &b) { return a[MOG_Q_PE] < b[MOG_Q_PE]; });
        }
        if (Result<void> served = serve(requests); !served) return served.error();
        if (mpi_) {
            const Result<bool> over = end_mpi_round();
            if (!over) return over.error();
            if (*over) return true;
        }
        output_.flush();
        if (config_.progress) config_.progress(progress());
        if (is_over_for_fault()) {
            end_all_for_fault();
            return true;
        }
        faults_.tell_early();
        if (active_.empty() && !active_changed_ && !waiting_.empty()) wait_for_progress();
    }
}

/// Every PE has ended: what comes of it.
void ServiceLoop::finish() {
    faults_.tell_all();
    if (mpi_ && !mpi_->aborted() && !(config_.bridge && mpi_->ending().ended_with()))
        for (const std::string &sentence : mpi_->leftovers()) config_.say(sentence);
    tell_cores();
    if (result_.status == 0)
        for (const PeEnd &end : ends_)
            if (end.status != 0) {
                result_.status = end.status;
                break;
            }
    if (const int broken = result_.status == 0 ? output_.error(STDOUT_FILENO) : 0)
        result_.status = broken == EPIPE ? 128 + static_cast<int>(guest::SIGPIPE_MIPS) : broken == ETIMEDOUT ? limit_status : 1;
    for (std::uint32_t pe = 0; pe < config_.nproc; pe++) result_.ranks_by_status[ends_[pe].status].push_back(pe);
    result_.seconds = seconds_since(start_);
    const auto was_cut_short = [](const PeEnd &end) {
        return end.by == EndedBy::Timeout || end.by == EndedBy::OthersFault || end.by == EndedBy::Cancel;
    };
    if (std::ranges::none_of(ends_, was_cut_short)) device_.all_ended();
}

/// Slices of about 100 ms cost nothing and keep --timeout and sleeping PEs on time; while some PEs wait for the host,
/// shorter ones make them wait less for those that compute. The last one, which did not stop all of its PEs, took `seconds`.
void ServiceLoop::adapt_slice(double seconds, double target) {
    if (config_.options.slice) return;
    const double left = std::min(seconds_left(), stretch_left());
    if (std::isfinite(left)) target = std::min(target, std::max(0.005, left / 4));
    double factor = std::clamp(target / std::max(seconds, 1e-6), 0.25, 4.0);
    slice_ = static_cast<std::uint32_t>(std::clamp<double>(slice_ * factor, least_slice, most_slice));
}

/// --deterministic: the longer nobody asks for something, the longer are slices.
void ServiceLoop::lengthen_slice(bool anyone_stopped) {
    if (config_.options.slice) return;
    const std::uint32_t first = device_.info().is_gpu ? first_slice_of_gpu : least_slice;
    // Of many PEs each gets less: a slice with a limit on time has to end.
    constexpr std::uint64_t most_passes = 1u << 28;  // of all together, some seconds of the slowest engine
    const auto longest = static_cast<std::uint32_t>(std::min<std::uint64_t>(longest_blind_slice, most_passes / config_.nproc));
    slice_ = anyone_stopped ? first : std::min(2 * slice_, std::max(first, longest));
}

void ServiceLoop::Waits::clear() {
    for (const int fd : fds) events[static_cast<std::size_t>(fd)] = 0;
    fds.clear();
    wake = Clock::time_point::max();
}

/// What nobody can wait at, for there is no descriptor of the host behind it, never comes.
void ServiceLoop::Waits::add(const struct pollfd &wait) {
    if (wait.fd < 0) return;
    const auto at = static_cast<std::size_t>(wait.fd);
    if (at >= events.size()) events.resize(at + 1);
    if (events[at] == 0) fds.push_back(wait.fd);
    // POLLHUP and POLLERR come unasked; as a mark that the descriptor is wanted, one of them changes nothing.
    events[at] = static_cast<short>(events[at] | wait.events | POLLERR);
}

/// Nothing runs and every waiting PE waits: so does the host.
void ServiceLoop::wait_for_progress() {
    // From other processes something may come, without a descriptor to wait at.
    double seconds = std::min({seconds_left(), stretch_left(), config_.bridge ? 0.001 : 3600.0});
    if (waits_.wake != Clock::time_point::max())
        seconds = std::min(seconds, std::chrono::duration<double>(waits_.wake - Clock::now()).count());
    std::vector<struct pollfd> fds;
    if (config_.cancel) fds.push_back({config_.cancel->fd(), POLLIN, 0});
    for (const int fd : waits_.fds) fds.push_back({fd, waits_.events[static_cast<std::size_t>(fd)], 0});
    int milliseconds = static_cast<int>(std::ceil(std::max(0.0, seconds) * 1000));
    poll(fds.data(), fds.size(), milliseconds);
}

}  // namespace mog
