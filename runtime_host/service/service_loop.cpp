// service_loop.cpp: slices and rounds.
#include "runtime_host/service/service_loop.hpp"

#include <algorithm>
#include <chrono>

#include "runtime_host/device/host_room.hpp"
#include "runtime_host/gdb/debugger.hpp"
#include "runtime_host/mpi/engine.hpp"
#include "runtime_host/population/whereabouts.hpp"
#include "runtime_host/replay/recorder.hpp"
#include "runtime_host/replay/replayer.hpp"
#include "runtime_host/service/code_samples.hpp"
#include "runtime_host/watch/watch.hpp"

namespace mog {

static_assert(sizeof(Process) + sizeof(PeEnd) + 2 * sizeof(std::uint32_t) >= service_bytes_per_pe);

namespace {

/// Whatever the sink of output is, there is a deadline, which knows who may cancel the run.
std::shared_ptr<Deadline> deadline_of(const RunConfig &config) {
    std::shared_ptr<Deadline> deadline = config.output.deadline ? config.output.deadline : std::make_shared<Deadline>();
    deadline->set_cancel(config.cancel);
    return deadline;
}

}  // namespace

ServiceLoop::ServiceLoop(Device &device, const Image &image, const RunConfig &config)
    : device_(device),
      image_(image),
      config_(config),
      population_(image, config),
      clock_(config.options.timeout, deadline_of(config)),
      scheduler_(device.info(), population_),
      ends_(device, image, population_, scheduler_),
      calls_(device, image, population_, scheduler_, ends_, clock_),
      mpi_(device, image, population_, scheduler_, ends_, clock_) {
    if (config.sweep) {
        queue_.emplace(*config.sweep, *config.slots, population_, scheduler_, clock_, config.start_run);
        population_.queue = &*queue_;
    }
    if (config.replayer) {
        config.replayer->print_by(
            [this](std::uint32_t pe, int stream, std::string_view bytes) { (void)population_.output.write(pe, stream, bytes); });
        config.replayer->tell_of_threads([this](std::uint32_t pe, bool lives) {
            if (lives) scheduler_.resume(pe);
            else scheduler_.stop(pe, PeState::Free);
        });
    }
    if (!config.debugger) return;
    config.debugger->write_cores_by([this](std::uint32_t process) { return ends_.write_core_of(process); });
    config.debugger->follow([this](std::uint32_t pe) {
        using Life = gdb::Debugger::Life;
        const PeState state = population_.states[pe];
        return state == PeState::Free    ? Life::none
               : state == PeState::Ended ? Life::ended
               : state == PeState::Runs  ? Life::runs
                                         : Life::waits;
    });
}

ServiceLoop::~ServiceLoop() { device_.serve_at_once({}); }

RunProgress ServiceLoop::progress() const {
    return {clock_.seconds(),        config_.nproc,  population_.ended,
            result().slices,         result().calls, static_cast<std::uint32_t>(population_.waiting.size()),
            config_.sweep != nullptr};
}

Result<RunResult> ServiceLoop::run() {
    Result<bool> ended = run_for({});
    if (!ended) return ended.error();
    return result();
}

Result<bool> ServiceLoop::run_for(const Stretch &stretch) {
    clock_.go_on(stretch.seconds);
    calls_.go_on();
    if (config_.bridge) MOG_TRY(join_others());
    const std::uint64_t slices_before = result().slices;
    ConcurrentLaunches *launches = runs_concurrently() ? device_.concurrent() : nullptr;
    population_.result.concurrent = launches != nullptr;
    Result<bool> ended = launches ? run_overlapped(*launches, stretch) : run_rounds(stretch);
    population_.output.flush();
    if (ended && *ended && config_.bridge) ended = mpi_.wait_for_world([&] { return pauses(stretch, slices_before); });
    if (!ended) return ended;
    if (ended && *ended && population_.mpi)
        if (Result<void> done = population_.mpi->tell_end(); !done) return done.error();
    if (ended && *ended) ends_.finish(clock_.seconds());
    if (ended && *ended && config_.recorder) MOG_TRY(config_.recorder->finish());
    if (ended && *ended && config_.debugger) config_.debugger->finish(result().status);
    clock_.pause();
    return ended;
}

/// Native functions get the calls of a round together, and may look at the memory of any PE; messages go to PEs that run on.
bool ServiceLoop::runs_concurrently() const {
    return config_.options.service == Options::Service::Concurrent && !config_.options.fuel && !population_.mpi && !population_.threads &&
           (!config_.natives || config_.natives->size() == 0);
}

/// Calls that concern nobody but their PE need not wait for the end of a launch, where the device can ask: a PE that goes on finds what it
/// works on in the caches. Not if a host program's own functions would be called by other threads than it knows of; if it is one
/// PE, which learns of what becomes of its output; or if the first fault is to find the others as early as it can. What is between threads
/// of a PE need not in any case.
void ServiceLoop::serve_within_launches() {
    const Options &options = config_.options;
    const bool any = config_.owns_process && config_.nproc != 1 && !population_.output.is_captured() && !options.deterministic &&
                     !options.abort_on_fault;
    if (population_.threads) {
        device_.serve_at_once([this, any](const Request &call, std::vector<std::uint32_t> &woken) {
            const std::lock_guard lock(serving_);
            return calls_.serve_at_once(call, any, woken);
        });
        return;
    }
    if (!any) return;
    device_.serve_at_once([this](const Request &call, std::vector<std::uint32_t> &woken) {
        // Where many call at a time, a round is as fast.
        constexpr int patience = 20;
        thread_local ShortWaits waits;
        std::unique_lock lock(serving_, std::try_to_lock);
        for (int i = 0; i < patience && !lock && waits.yield(); ++i) (void)lock.try_lock();
        return lock ? calls_.serve_at_once(call, true, woken) : Device::Served::later;
    });
}

/// True: no PE is left.
Result<bool> ServiceLoop::run_rounds(const Stretch &stretch) {
    serve_within_launches();
    const std::uint64_t slices_before = result().slices;
    for (;;) {
        if (config_.bridge) {
            const Result<bool> over = mpi_.meet_others();
            if (!over) return over.error();
            if (*over) return true;
        }
        if (Result<void> ended = ends_.end_those_without_fuel(); !ended) return ended.error();
        if (queue_) MOG_TRY(queue_->begin_runs([this](std::uint32_t run) { ends_.end_by_exit(run, RunQueue::not_started_status); }));
        scheduler_.update();
        MOG_TRY(calls_.expire_waits());
        std::vector<std::uint32_t> told;
        MOG_TRY(calls_.schedule_graphs(told));
        scheduler_.update();
        const bool all_ask = population_.mpi && mpi_.all_ask_on() && population_.waiting.empty() && !calls_.has_waits();
        if (!config_.bridge && (all_ask || nobody_goes_on()) && population_.mpi)
            if (Result<void> ended = mpi_.end_deadlocked(); !ended) return ended.error();
        // What is left may be calls of MPI that the time's end has cut short.
        if (!config_.bridge && nobody_goes_on() && population_.threads && clock_.seconds_left() > 0)
            if (Result<void> ended = ends_.end_deadlocked_threads(); !ended) return ended.error();
        if (population_.all_ended()) return true;
        if (is_watched()) MOG_TRY(tell_whereabouts());
        if (config_.cancel && config_.cancel->is_asked()) {
            MOG_TRY(end_all_by_cancel());
            return true;
        }
        if (config_.debugger && config_.debugger->is_killed()) {
            constexpr int killed_status = 128 + 9;
            ends_.end_all(EndedBy::Cancel, killed_status);
            population_.result.status = killed_status;
            return true;
        }
        if (clock_.seconds_left() <= 0) {
            if (Result<void> ended = ends_.end_all_by_timeout(); !ended) return ended.error();
            return true;
        }
        if (pauses(stretch, slices_before)) return false;
        if (config_.bridge && !scheduler_.has_active()) mpi_.rest_until_others();
        std::vector<Request> requests;
        if (config_.collector) MOG_TRY(config_.collector->look_at_waiting(device_, !scheduler_.has_active()));
        if (scheduler_.has_active())
            if (Result<void> launched = launch(requests); !launched) return launched.error();
        if (!population_.waiting.empty()) {
            // Both are ascending, and a waiting PE does not run.
            const auto middle = static_cast<std::ptrdiff_t>(requests.size());
            requests.insert(requests.end(), population_.waiting.begin(), population_.waiting.end());
            std::inplace_merge(requests.begin(), requests.begin() + middle, requests.end(),
                               [](const Request &a, const Request &b) { return a[MOG_Q_PE] < b[MOG_Q_PE]; });
        }
        if (Result<void> served = serve(requests); !served) return served.error();
        if (population_.mpi) {
            const Result<bool> over = mpi_.end_round();
            if (!over) return over.error();
            if (*over) return true;
        }
        population_.output.end_round();
        if (config_.progress) config_.progress(progress());
        if (ends_.is_over_for_fault()) {
            ends_.end_all_for_fault();
            return true;
        }
        population_.faults.tell_early();
        ends_.tell_races();
        ends_.tell_memory(false);
        if (config_.debugger && scheduler_.is_idle()) config_.debugger->rest();
        if (scheduler_.is_idle() && (!population_.waiting.empty() || calls_.has_waits())) wait_for_progress();
    }
}

/// One launch of active PEs: those that stopped, ascending.
Result<void> ServiceLoop::launch(std::vector<Request> &requests) {
    const std::span<const std::uint32_t> pes = scheduler_.next_launch(device_.enough_pes());
    // Turns that are cut short cost what is in the caches, and are not needed: where many PEs take turns, launches end often enough.
    const bool may_cut = !scheduler_.takes_turns() || pes.size() <= device_.info().units;
    const std::uint32_t slice = scheduler_.slice(), most = config_.samples && may_cut ? config_.samples->passes(slice) : slice;
    const std::span<const std::uint32_t> own_passes = scheduler_.plan_passes();
    double seconds = 0;
    std::uint32_t left = most;
    std::vector<std::uint32_t> rest;
    for (std::span<const std::uint32_t> part = pes;;) {
        const std::uint32_t passes = config_.collector ? config_.collector->passes(left) : left;
        std::vector<Request> stopped;
        MOG_TRY(launch_part(part, passes, own_passes, stopped, seconds));
        left -= passes;
        if (requests.empty() && (left == 0 || stopped.size() == part.size())) {
            requests = std::move(stopped);
            break;
        }
        const auto middle = static_cast<std::ptrdiff_t>(requests.size());
        requests.insert(requests.end(), stopped.begin(), stopped.end());
        const auto by_pe = [](const Request &a, const Request &b) { return a[MOG_Q_PE] < b[MOG_Q_PE]; };
        std::inplace_merge(requests.begin(), requests.begin() + middle, requests.end(), by_pe);
        // Whoever was only looked at goes on in the same launch: PEs that were in step would never be again, and each round would serve
        // fewer. Threads have had their turns, and others were woken in them.
        if (left == 0 || population_.threads) break;
        std::vector<std::uint32_t> going;
        for (auto request = stopped.begin(); const std::uint32_t pe : part) {
            while (request != stopped.end() && (*request)[MOG_Q_PE] < pe) ++request;
            const bool has_stopped = request != stopped.end() && (*request)[MOG_Q_PE] == pe;
            if (!has_stopped && population_.states[pe] == PeState::Runs) going.push_back(pe);
        }
        rest = std::move(going);
        part = rest;
        if (part.empty()) break;
    }
    population_.result.device_seconds += seconds;
    scheduler_.use_fuel(requests);
    const bool somebody_waits = (!requests.empty() && !scheduler_.takes_turns()) || !population_.waiting.empty() || population_.mpi;
    const bool is_whole = most == slice && (left == 0 || !population_.threads);
    if (config_.options.deterministic) scheduler_.lengthen_slice(!requests.empty());
    else if (is_whole)
        scheduler_.adapt_launch(seconds, scheduler_.wanted_seconds(somebody_waits), time_left(), requests.size() == pes.size());
    return {};
}

/// Up to where somebody looks at PEs. `seconds` becomes more.
Result<void> ServiceLoop::launch_part(std::span<const std::uint32_t> pes, std::uint32_t passes, std::span<const std::uint32_t> own_passes,
                                      std::vector<Request> &requests, double &seconds) {
    const Clock::time_point begin = Clock::now();
    population_.output.hold();
    if (population_.threads) device_.threads_sleep(population_.threads->anybody_waits());
    Result<std::vector<Request>> stopped = device_.run(pes, passes, own_passes);
    population_.output.release();
    if (!stopped) return stopped.error();
    const double own_seconds = std::chrono::duration<double>(Clock::now() - begin).count();
    seconds += own_seconds;
    if (config_.samples) {
        // In the midst of a launch runs of a sweep end, and others begin in their places.
        std::vector<std::uint32_t> going;
        if (queue_)
            std::ranges::copy_if(pes, std::back_inserter(going),
                                 [this](std::uint32_t pe) { return config_.slots->has_slot(config_.process_of(pe)); });
        MOG_TRY(config_.samples->ran(device_, queue_ ? std::span<const std::uint32_t>(going) : pes, *stopped, passes, own_seconds));
    }
    if (config_.collector) MOG_TRY(config_.collector->ran(device_, pes, *stopped, passes, own_passes, own_seconds));
    population_.result.slices++;
    requests = *std::move(stopped);
    MOG_TRY(mpi_.launched(requests, pes.size()));
    return {};
}

/// What a round's PEs want.
Result<void> ServiceLoop::serve(std::span<const Request> requests) {
    if (Result<void> served = calls_.serve(requests); !served) return served;
    if (!calls_.mpi_calls().empty())
        if (Result<void> served = mpi_.serve(calls_.mpi_calls()); !served) return served;
    return calls_.serve_natives();
}

/// Somebody else has something to do before PEs run on.
bool ServiceLoop::pauses(const Stretch &stretch, std::uint64_t slices_before) const {
    return result().slices - slices_before >= stretch.slices || clock_.stretch_left() <= 0 ||
           (config_.pause && config_.pause->is_asked()) || (config_.bridge && mpi_.has_marks());
}

Result<bool> ServiceLoop::serve_only_others(const std::function<bool()> &is_enough) {
    clock_.go_on(HUGE_VAL);
    Result<bool> over = mpi_.serve_only_others(is_enough);
    population_.output.flush();
    clock_.pause();
    return over;
}

/// All that are left wait for each other.
bool ServiceLoop::nobody_goes_on() const {
    return !scheduler_.has_active() && population_.waiting.empty() && !calls_.has_waits() && !population_.all_ended();
}

void ServiceLoop::wait_for_progress() {
    // Nobody prints before it has ended, and what was printed may be why it will.
    if (!config_.bridge) population_.output.flush();
    // From other processes something may come, without a descriptor to wait at.
    // Nor do debuggers have one here.
    calls_.wait_for_progress(std::min(time_left(), config_.bridge ? 0.001 : config_.debugger ? 0.02 : config_.progress ? 1.0 : 3600.0));
}

Result<void> ServiceLoop::write_state(std::ostream &out, StateMemory memory) {
    return mog::write_state(out, {device_, image_, population_, scheduler_, clock_, mpi_}, memory);
}

Result<void> ServiceLoop::check_state(std::istream &in, StateMemory memory) {
    return mog::check_state(in, {device_, image_, population_, scheduler_, clock_, mpi_}, memory);
}

Result<void> ServiceLoop::read_state(std::istream &in, StateMemory memory) {
    return mog::read_state(
        in, {device_, image_, population_, scheduler_, clock_, mpi_}, [this] { return mpi_.start(); }, memory);
}

bool ServiceLoop::is_watched() const { return config_.watch && config_.watch->is_asked(); }

/// Between two launches: what PEs do, to those who have asked.
Result<void> ServiceLoop::tell_whereabouts() {
    const unsigned who = config_.watch->take();
    Result<std::string> text = whereabouts(device_, image_, population_, clock_.seconds(), queue_ ? queue_->not_begun() : 0);
    if (!text) return text.error();
    if ((who & ~Watch::by_reader) != 0) {
        population_.output.flush();
        std::string told = *text;
        if ((who & Watch::by_interrupt) != 0) told += "another SIGINT (Ctrl-C) ends the run\n";
        told.pop_back();
        config_.say(told);
    }
    if ((who & Watch::by_reader) != 0) config_.watch->answer(*std::move(text));
    return {};
}

Result<void> ServiceLoop::end_all_by_cancel() {
    is_cancelled_ = true;
    return ends_.end_all_by_cancel();
}

}  // namespace mog
