// engine_world.cpp: what comes from other processes, and what comes of it.
#include "runtime_host/mpi/engine.hpp"

#include <chrono>
#include <thread>

namespace mog::mpi {

Result<bool> Engine::serve_others(std::vector<u32> &resumed) {
    const Result<bool> came = take_others(resumed);
    return !came && delivery_.was_over() ? Result<bool>(false) : came;
}

Result<bool> Engine::take_others(std::vector<u32> &resumed) {
    const Result<bool> came = bridge_->receive([this](u32 process, Frame kind, FrameReader frame) { return take(process, kind, frame); });
    if (!came) return came.error();
    // Bytes of long messages wait for room, not for frames.
    MOG_TRY(advance());
    release_finalized();
    MOG_TRY(flush(resumed));
    return came;
}

Result<void> Engine::take(u32 process, Frame kind, FrameReader frame) {
    if (kind < Frame::Access) return messages_.take(process, kind, frame);
    if (kind < Frame::Pointer) windows_.take(kind, frame);
    else if (kind < Frame::Left) files_.take(kind, frame);
    else if (kind == Frame::Left) take_left(frame.take<GlobalContext>());
    else if (kind == Frame::Collective) collectives_.take(process, frame);
    else if (kind == Frame::Report) take_report(frame);
    else if (kind >= Frame::MarkWanted) marks_->take(process, kind, frame);
    else ending_->take(process, kind, frame);
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

void Engine::take_left(const GlobalContext &id) {
    const u32 context = communicators_.find_global(id);
    if (context == MOG_MPI_NO_CONTEXT) communicators_.left_before(id);
    else process_left(context);
}

Result<void> Engine::tell_end() {
    MOG_TRY(settle());
    const double seconds = host_.seconds();
    for (const auto &observer : observers_) observer->ended(seconds);
    if (communicators_.world().process != 0) {
        send_reports();
        return bridge_->flush();
    }
    if (bridge_) MOG_TRY(collect_reports());
    for (const auto &observer : observers_) observer->completed();
    return {};
}

/// One of each observer, which are the same everywhere, and one of what is left.
void Engine::send_reports() {
    for (u32 i = 0; i < watchers_; i++) bridge_->send(0, Frame::Report, head_bytes(i), observers_[i]->report());
    std::vector<u8> left;
    for (const Leak &one : own_leftovers()) append(left, one);
    bridge_->send(0, Frame::Report, head_bytes(watchers_), left);
}

Result<void> Engine::collect_reports() {
    const u32 wanted = (bridge_->processes() - 1) * (watchers_ + 1);
    while (reports_ < wanted) {
        const Result<bool> came =
            bridge_->receive([this](u32 process, Frame kind, FrameReader frame) { return take(process, kind, frame); });
        if (!came) return came.error();
        if (!*came) std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
    return {};
}

void Engine::take_report(FrameReader frame) {
    const u32 which = frame.take<u32>();
    reports_++;
    if (which < watchers_) return observers_[which]->take_report(frame);
    while (!frame.rest().empty() && frame.is_good()) others_left_.push_back(take_leftover(frame));
}

}  // namespace mog::mpi
