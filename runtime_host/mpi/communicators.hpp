// communicators.hpp: contexts, and who is in them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "runtime_host/mpi/delivery.hpp"

namespace mog::mpi {

/// One table from rank to world rank for all members. World ranks are PEs.
struct Communicator {
    u32 size = 0;
    bool is_identity = false;  ///< rank r is PE r
    bool is_self = false;      ///< of each PE its own
    std::vector<u32> members;  ///< else
    u32 left = 0;              ///< members that have not freed it
    std::string place;         ///< with checks: where it was made
};

class Communicators {
public:
    explicit Communicators(u32 nproc);

    /// Null if there is none of this context, or the PE is not rank `me` in it. MOG_MPI_INTERNAL is ignored.
    Communicator *find(u32 context, u32 me, u32 pe) {
        const u32 i = context & ~MOG_MPI_INTERNAL;
        if (i >= all_.size()) return nullptr;
        Communicator &c = all_[i];
        const bool is_member = c.is_identity ? me == pe : c.is_self ? me == 0 : me < c.members.size() && c.members[me] == pe;
        return is_member ? &c : nullptr;
    }
    /// The PE that is rank `rank`, which is there. `own`: the PE that asks.
    static u32 pe_of(const Communicator &c, u32 rank, u32 own) { return c.is_identity ? rank : c.is_self ? own : c.members[rank]; }

    Communicator &operator[](u32 context) { return all_[context & ~MOG_MPI_INTERNAL]; }
    const Communicator &operator[](u32 context) const { return all_[context & ~MOG_MPI_INTERNAL]; }
    u32 count() const { return static_cast<u32>(all_.size()); }
    /// A new one of these PEs: its context.
    u32 add(std::vector<u32> members);
    /// A member frees it. True: all have, and the context will be used again.
    bool leave(u32 context);

private:
    std::vector<Communicator> all_;
    std::vector<u32> free_;
};

}  // namespace mog::mpi
