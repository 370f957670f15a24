// window_locks.hpp: locks of one window's parts. Who waits does so in the order of arrival, so neither readers nor writers wait for ever.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <set>
#include <unordered_set>
#include <vector>

#include "runtime_host/mpi/base/delivery.hpp"

namespace mog::mpi {

class WindowLocks {
public:
    enum class Taken { Yes, Waits, Twice };
    /// Of one part, or of all parts, shared; Twice: the rank has one already. Ranks are of the window; one that waits does nothing else.
    Taken lock(u32 target, u32 origin, bool exclusive);
    Taken lock_all(u32 origin);
    /// False: it had none. Ranks that have what they waited for now are appended to `granted`.
    bool unlock(u32 target, u32 origin, std::vector<u32> &granted);
    bool unlock_all(u32 origin, std::vector<u32> &granted);

    /// Those who wait. `target`: MOG_MPI_ALL_RANKS for all; `holder`: of an exclusive lock in the way, or -1.
    void each_waiting(const std::function<void(u32 origin, u32 target, bool exclusive, std::int64_t holder)> &tell) const;

    static void carry(auto &self, auto &archive) {
        archive(self.parts_, self.all_, self.all_waiting_, self.writers_waiting_, self.writers_, self.tickets_);
    }
    /// Of a window of so many ranks.
    bool is_sound(u32 ranks) const;

private:
    struct Waiting {
        u64 ticket = 0;
        u32 origin = 0;
        bool exclusive = false;
        static void carry(auto &self, auto &archive) { archive(self.ticket, self.origin, self.exclusive); }
    };
    struct Part {
        std::int64_t writer = -1;  ///< the rank that has it exclusively
        std::unordered_set<u32> readers;
        std::deque<Waiting> waiting;
        static void carry(auto &self, auto &archive) { archive(self.writer, self.readers, self.waiting); }
    };
    bool may_have(const Part &part, const Waiting &who) const;
    void take(Part &part, const Waiting &who);
    void grant(Part &part, std::vector<u32> &granted);
    void grant_all(std::vector<u32> &granted);

    std::map<u32, Part> parts_;    ///< that are locked or waited for
    std::unordered_set<u32> all_;  ///< ranks that have all parts
    std::deque<Waiting> all_waiting_;
    std::set<u64> writers_waiting_;  ///< their tickets
    u32 writers_ = 0;
    u64 tickets_ = 0;
};

}  // namespace mog::mpi
