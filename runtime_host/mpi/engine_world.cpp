// engine_world.cpp: what comes from other processes, and what comes of it.
#include "runtime_host/mpi/engine.hpp"

namespace mog::mpi {

Result<bool> Engine::serve_others(std::vector<u32> &resumed) {
    const Result<bool> came =
        bridge_->receive([this](u32 process, Frame kind, FrameReader frame) { return take(process, kind, frame); });
    if (!came) return came.error();
    // Bytes of long messages wait for room, not for frames.
    MOG_TRY(advance());
    release_finalized();
    MOG_TRY(flush(resumed));
    return came;
}

Result<void> Engine::take(u32 process, Frame kind, FrameReader frame) {
    if (kind < Frame::Access) return messages_.take(process, kind, frame);
    if (kind < Frame::Pointer)
        windows_.take(kind, frame);
    else if (kind < Frame::Collective)
        files_.take(kind, frame);
    else if (kind == Frame::Collective)
        collectives_.take(process, frame);
    else
        ending_->take(process, kind, frame);
    return {};
}

/// Collectives that are done may have made communicators to which messages have come; all that is to be said goes out.
Result<void> Engine::advance() {
    MOG_TRY(windows_.end_round());
    const Result<bool> ended = collectives_.advance();
    if (!ended) return ended.error();
    MOG_TRY(messages_.advance());
    return bridge_->flush();
}

}  // namespace mog::mpi
