// ending.hpp: how all processes of a world end together, led by process 0: MPI_Finalize, deadlock, and the last PE.
//
// A deadlock is there when nothing can run in any process and no frame is on its way. Processes tell when they are
// idle, with the numbers of frames that they have sent and received. When all are, and as many were received as sent,
// process 0 asks all again: if the answers are the same, nothing has happened between, and nothing ever will (Mattern's
// four counters).
#pragma once

#include <optional>
#include <vector>

#include "runtime_host/mpi/transport/bridge.hpp"

namespace mog::mpi {

class WorldEnding {
public:
    explicit WorldEnding(Bridge &bridge) : bridge_(bridge), states_(bridge.processes()), answers_(bridge.processes()) {}

    void take(u32 process, Frame kind, FrameReader frame);

    /// All PEs here have come to MPI_Finalize, or ended. Told once.
    void tell_finalizing();
    /// So it is everywhere.
    bool may_finalize() const { return may_finalize_; }

    /// Nothing can run here before something comes from elsewhere; or something can.
    void set_idle(bool is_idle);
    /// Nothing can run anywhere. Told to each process once each time.
    bool take_deadlock() { return std::exchange(is_deadlocked_, false); }

    /// Ends the run in all processes, with this status.
    void end_all(std::int32_t status) { bridge_.send_all(Frame::End, head_bytes(status)); }
    /// Another process has done so.
    const std::optional<std::int32_t> &ended_with() const { return ended_with_; }

    /// All PEs here have ended. Told once.
    void tell_done();
    /// So it is everywhere.
    bool may_quit() const { return may_quit_; }

    /// At a mark (marks.hpp). Who is done says so again.
    static void carry(auto &self, auto &archive) {
        archive(self.told_finalizing_, self.may_finalize_, self.was_deadlocked_, self.finalizing_);
    }
    bool is_sound() const { return finalizing_ <= bridge_.processes(); }

private:
    void tell_first(Frame kind, std::span<const u8> head = {});
    Counts counts(u32 wave) const { return {wave, is_idle_, bridge_.sent(), bridge_.received()}; }
    void note_idle(u32 process, const Counts &counts);
    void note_answer(u32 process, const Counts &counts);

    Bridge &bridge_;
    bool is_idle_ = false, told_finalizing_ = false, told_done_ = false;
    bool may_finalize_ = false, is_deadlocked_ = false, was_deadlocked_ = false, may_quit_ = false;
    std::optional<std::int32_t> ended_with_;
    Counts told_{};
    // Of process 0: what each said last, and in the wave in progress.
    std::vector<Counts> states_;
    std::vector<std::optional<Counts>> answers_;
    u32 wave_ = 0, finalizing_ = 0, done_ = 0;
};

}  // namespace mog::mpi
