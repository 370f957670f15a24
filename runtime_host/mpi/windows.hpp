// windows.hpp: one-sided communication: which memory the members of a window let others access, and who has locked what.
//
// A window has a communicator of its own, by whose context it is named. All members are in this process.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "runtime_host/mpi/communicators.hpp"
#include "runtime_host/mpi/messages.hpp"
#include "runtime_host/mpi/window_access.hpp"
#include "runtime_host/mpi/window_locks.hpp"

namespace mog::mpi {

class Windows {
public:
    Windows(Communicators &communicators, Delivery &delivery) : communicators_(communicators), delivery_(delivery), accesses_(delivery) {}

    /// A call of one of MOG_MPI_win_...
    void serve(const MpiCall &call);
    /// Does what PEs access in this round.
    Result<void> end_round();
    /// A communicator is no more.
    void forget(u32 context) { windows_.erase(context); }
    bool is_window(u32 context) const { return windows_.contains(context); }
    /// PEs that wait for locks.
    std::vector<Stuck> stuck() const;

private:
    struct Window {
        std::vector<WindowPart> parts;  ///< by rank
        WindowLocks locks;
    };
    /// An error class; negative: 0 is not the answer yet.
    int serve(const MpiCall &call, const Communicator &c);
    int create(const MpiCall &call, const Communicator &c);
    int attach(const MpiCall &call, WindowPart &part);
    int access(const MpiCall &call, const Window &window);
    int lock(const MpiCall &call, Window &window);
    int unlock(const MpiCall &call, const Communicator &c, Window &window);
    u32 pe_of(const Communicator &c, u32 rank) const { return communicators_.world().pe_of(communicators_.world_rank_of(c, rank, 0)); }

    Communicators &communicators_;
    Delivery &delivery_;
    WindowAccesses accesses_;
    std::map<u32, Window> windows_;  ///< by context
    std::vector<WindowCall> calls_;  ///< of this round
};

}  // namespace mog::mpi
