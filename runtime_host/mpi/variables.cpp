// variables.cpp: what MPI_T asks the engine.
#include "abi/mpi_constants.h"
#include "runtime_host/mpi/engine.hpp"

namespace mog::mpi {

/// From now on.
void Engine::count_sent() {
    auto counts = std::make_unique<SendCounts>(nproc_);
    send_counts_ = counts.get();
    observers_.push_back(std::move(counts));
}

void Engine::variable(const MpiCall &call) {
    const u32 which = call.words[3], out = call.words[4];
    const auto fail = [&](int error_class) { delivery_.resume(call.pe, static_cast<u32>(-error_class)); };
    if (out % 4 != 0 || !delivery_.has_room(out, sizeof(u64))) return fail(MPI_ERR_BUFFER);
    const auto sent = [&]() -> const SendCounts::Sent & {
        if (!send_counts_) count_sent();
        return send_counts_->of(call.pe);
    };
    u64 value = 0;
    switch (which) {
        case MOG_MPI_EAGER_BYTES: value = limits_.eager_bytes; break;
        case MOG_MPI_BUFFER_BYTES: value = limits_.buffer_bytes; break;
        case MOG_MPI_UNEXPECTED: value = messages_.unexpected(call.pe); break;
        case MOG_MPI_POSTED: value = messages_.posted(call.pe); break;
        case MOG_MPI_KEPT_BYTES: value = messages_.kept_bytes(); break;
        case MOG_MPI_SENT_MESSAGES: value = sent().messages; break;
        case MOG_MPI_SENT_BYTES: value = sent().bytes; break;
        default: return fail(MPI_ERR_ARG);
    }
    delivery_.put(call.pe, out, {reinterpret_cast<const u8 *>(&value), sizeof value});
    delivery_.resume(call.pe, 0);
}

}  // namespace mog::mpi
