// service_world.cpp: runs that are part of a world of several processes (mpi/bridge.hpp): what comes from the others,
// and waiting for them.
#include <algorithm>
#include <chrono>
#include <thread>

#include "runtime_host/mpi/engine.hpp"
#include "runtime_host/service/service_loop.hpp"

namespace mog {

namespace {

// A process that rests first lets others have the processor, then sleeps, longer and longer. After a while it counts as
// idle.
constexpr std::uint32_t yields = 30, rests_until_idle = yields + 20;
constexpr std::chrono::microseconds first_sleep{20}, longest_sleep{1000};

}  // namespace

/// What has come from other processes. True: one of them has ended the run.
Result<bool> ServiceLoop::meet_others() {
    resumed_.clear();
    const Result<bool> came = mpi_->serve_others(resumed_);
    if (!came) return came.error();
    resume_parked();
    if (*came || !active_.empty() || !woken_.empty()) rests_ = 0;
    mpi::WorldEnding &ending = mpi_->ending();
    if (rests_ == 0) ending.set_idle(false);
    if (ending.ended_with()) {
        end_all_by_others(*ending.ended_with());
        return true;
    }
    if (ending.take_deadlock())
        if (Result<void> ended = end_deadlocked(); !ended) return ended.error();
    return false;
}

/// No PE can run before something comes. Transports have nothing to wait at, so this is a little sleep; PEs that wait
/// for descriptors or the time have their own.
void ServiceLoop::rest_until_others() {
    if (!waiting_.empty() || active_changed_) return;
    rests_++;
    if (rests_ < yields) return std::this_thread::yield();
    if (rests_ >= rests_until_idle && !mpi_->is_busy()) mpi_->ending().set_idle(true);
    std::this_thread::sleep_for(std::min(longest_sleep, first_sleep * (rests_ - yields + 1)));
}

/// All PEs here have ended: others may not, and want answers of this process.
Result<void> ServiceLoop::wait_for_world() {
    faults_.tell_all();
    mpi::WorldEnding &ending = mpi_->ending();
    ending.tell_done();
    // What this process says last has to go, too.
    do {
        const Result<bool> over = meet_others();
        if (!over) return over.error();
        active_.clear();
        active_changed_ = false;
        rest_until_others();
    } while (!ending.may_quit());
    return {};
}

/// MPI_Abort, or --on-fault=abort, in another process, which tells why.
void ServiceLoop::end_all_by_others(int status) {
    for (const std::uint32_t pe : all_running()) end(pe, EndedBy::OthersFault, status);
    waiting_.clear();
    result_.status = status;
}

}  // namespace mog
