// windows.hpp: one-sided communication: which memory the members of a window let others access, and who has locked what.
//
// A window has a communicator of its own, by whose context it is named. Each part belongs to the process of its rank, which does all
// accesses to it, and gives its locks. Others ask it, and their PE goes on when it has answered (multi_process_windows.cpp).
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "runtime_host/mpi/comm/communicators.hpp"
#include "runtime_host/mpi/pt2pt/messages.hpp"
#include "runtime_host/mpi/rma/window_access.hpp"
#include "runtime_host/mpi/rma/window_locks.hpp"
#include "runtime_host/mpi/transport/bridge.hpp"

namespace mog::mpi {

class Windows {
public:
    /// `bridge`: to other processes; null: there are none.
    Windows(Communicators &communicators, Delivery &delivery, Bridge *bridge);

    /// A call of one of MOG_MPI_win_...
    void serve(const MpiCall &call);
    /// What another process says: Frame::Access to Frame::Locked.
    void take(Frame kind, FrameReader frame);
    /// Does what PEs access in this round, and what came from elsewhere.
    Result<void> end_round();
    /// A communicator is no more.
    void forget(u32 context);
    bool is_window(u32 context) const { return windows_.contains(context); }
    /// PEs that wait for locks.
    std::vector<Blocked> blocked() const;

    /// Between rounds (support/archive.hpp); of several processes, at a mark: no access is under way then.
    static void carry(auto &self, auto &archive) { archive(self.windows_, self.waiting_); }
    /// After it was read. False: it does not fit together.
    bool restore();

private:
    struct Window {
        std::shared_ptr<WindowParts> parts;
        WindowLocks locks;
        u64 budgeted = 0;  ///< bytes of the host that it takes, with its ranges and locks
        static void carry(auto &self, auto &archive) { archive(self.parts, self.locks, self.budgeted); }
    };
    // What these are.
    static constexpr u64 bytes_of_part = 80, bytes_of_range = 64, bytes_of_lock = 96;
    bool take(Window &window, u64 bytes) {
        if (!communicators_.budget().take(bytes)) return false;
        window.budgeted += bytes;
        return true;
    }
    void give_back(Window &window, u64 bytes) {
        communicators_.budget().give_back(bytes);
        window.budgeted -= bytes;
    }
    static constexpr int later = -1;
    /// An error class, or `later`: there is no answer yet.
    int serve(const MpiCall &call, const Communicator &c);
    int create(const MpiCall &call, const Communicator &c);
    int attach(const MpiCall &call, Window &window);
    int access(const MpiCall &call, const Window &window);
    int lock(const MpiCall &call, const Communicator &c, Window &window);
    /// A lock of parts that are here, or its end.
    int change_locks(const LockRequest &request, const Communicator &c, Window &window);

    // Other processes.
    /// A PE that waits for some of them.
    struct Waiting {
        u32 answers = 0;  ///< that are to come
        int error = 0;    ///< the first one's
        // Of one that wants a lock, or to give it back:
        std::optional<LockRequest> lock = {};
        std::shared_ptr<const Span> span = {};
        std::size_t next = 0;  ///< of its processes, to be asked for a lock of all parts
        static void carry(auto &self, auto &archive) { archive(self.answers, self.error, self.lock, self.next); }
    };
    int lock_elsewhere(u32 pe, const LockRequest &request, const Communicator &c);
    void ask_lock(u32 process, const LockRequest &request);
    void answer_lock(u32 rank, int error);
    /// A PE has an answer that it waited for: here, or from elsewhere.
    void answered(u32 pe, int error);
    void take_access(FrameReader frame);
    void take_accessed(FrameReader frame);
    void take_lock(const LockRequest &request);
    void answer_access(const WindowCall &call);
    Window *find(const GlobalContext &id, u32 &context);
    u32 pe_of(const Communicator &c, u32 rank) const { return communicators_.world().pe_of(communicators_.world_rank_of(c, rank, 0)); }

    Communicators &communicators_;
    Delivery &delivery_;
    Bridge *bridge_;
    WindowAccesses accesses_;
    std::map<u32, Window> windows_;  ///< by context
    std::vector<WindowCall> calls_;  ///< of this round
    std::deque<ForeignAccess> foreign_;
    std::map<u32, Waiting> waiting_;  ///< by PE
};

}  // namespace mog::mpi
