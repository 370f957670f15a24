// kernel_turns.cpp: from one turn of a kernel's to the next.
#include "runtime_host/devices/opencl/kernel_turns.hpp"

#include "interp_templates/launch_abi.h"

namespace mog {

void KernelTurns::next(KernelTurns *self, std::uint64_t item, std::uint64_t *turn) {
    Worker &worker = self->workers_[item];
    if (worker.taker) worker.taker->ran(worker.stopped != 0 ? &worker.record : nullptr);
    else worker.taker.emplace(*self->turns_);
    const std::optional<TurnsOfPes::Step> step = worker.taker->next();
    if (!step) {
        worker.taker.reset();
        turn[MOG_K_ACTIVE] = 0;
        return;
    }
    worker.active = {step->pe, step->passes};
    worker.stopped = 0;
    turn[MOG_K_ACTIVE] = reinterpret_cast<std::uintptr_t>(worker.active.data());
    turn[MOG_K_REQUESTS] = reinterpret_cast<std::uintptr_t>(worker.record.data());
    turn[MOG_K_NREQUESTS] = reinterpret_cast<std::uintptr_t>(&worker.stopped);
    turn[MOG_K_PASSES] = step->passes;
}

std::span<const Request> KernelTurns::end() {
    for (Worker &worker : workers_) worker.taker.reset();  // of a launch that failed
    const std::size_t stopped = turns_->end();
    turns_.reset();
    return std::span(records_).first(stopped);
}

}  // namespace mog
