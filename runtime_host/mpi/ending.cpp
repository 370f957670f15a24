// ending.cpp
#include "runtime_host/mpi/ending.hpp"

#include <algorithm>

namespace mog::mpi {

/// To process 0, which may be this one.
void WorldEnding::tell_first(Frame kind, std::span<const u8> head) {
    if (bridge_.process() == 0) take(0, kind, FrameReader(head));
    else bridge_.send(0, kind, head);
}

void WorldEnding::tell_finalizing() {
    if (!std::exchange(told_finalizing_, true)) tell_first(Frame::Finalizing);
}

void WorldEnding::tell_done() {
    if (!std::exchange(told_done_, true)) tell_first(Frame::Done);
}

void WorldEnding::set_idle(bool is_idle) {
    is_idle_ = is_idle;
    const Counts now = counts(0);
    if (!is_idle) told_ = {};
    if (!is_idle || (told_.is_idle && told_.sent == now.sent && told_.received == now.received)) return;
    told_ = now;
    tell_first(Frame::Idle, head_bytes(now));
}

/// Once all are idle, as far as is known, and nothing was on its way, all are asked. A wave in progress was about older
/// counts.
void WorldEnding::note_idle(u32 process, const Counts &counts) {
    states_[process] = counts;
    wave_++;
    u64 sent = 0, received = 0;
    for (const Counts &state : states_) {
        if (!state.is_idle) return;
        sent += state.sent;
        received += state.received;
    }
    if (sent != received) return;
    std::ranges::fill(answers_, std::nullopt);
    bridge_.send_all(Frame::Ask, head_bytes(wave_));
    note_answer(0, this->counts(wave_));
}

void WorldEnding::note_answer(u32 process, const Counts &counts) {
    if (counts.wave != wave_) return;
    answers_[process] = counts;
    for (std::size_t i = 0; i < answers_.size(); i++) {
        const std::optional<Counts> &answer = answers_[i];
        if (!answer || !answer->is_idle || answer->sent != states_[i].sent || answer->received != states_[i].received) return;
    }
    wave_++;
    std::ranges::fill(states_, Counts{});
    bridge_.send_all(Frame::Deadlock);
    take(0, Frame::Deadlock, FrameReader({}));
}

void WorldEnding::take(u32 process, Frame kind, FrameReader frame) {
    switch (kind) {
        case Frame::Finalizing:
            // PEs that a deadlock has ended no longer keep others in MPI_Finalize; but these are stuck there as well.
            if (was_deadlocked_ || ++finalizing_ < bridge_.processes()) break;
            bridge_.send_all(Frame::Finalized);
            may_finalize_ = true;
            break;
        case Frame::Finalized: may_finalize_ = true; break;
        case Frame::End: ended_with_ = frame.take<std::int32_t>(); break;
        case Frame::Idle: note_idle(process, frame.take<Counts>()); break;
        case Frame::Ask: bridge_.send(process, Frame::Answer, head_bytes(counts(frame.take<u32>()))); break;
        case Frame::Answer: note_answer(process, frame.take<Counts>()); break;
        case Frame::Deadlock:
            is_deadlocked_ = was_deadlocked_ = true;
            told_ = {};
            break;
        case Frame::Done:
            if (++done_ < bridge_.processes()) break;
            bridge_.send_all(Frame::Quit);
            may_quit_ = true;
            break;
        default:  // Quit
            may_quit_ = true;
    }
}

}  // namespace mog::mpi
