// communicators.hpp: contexts, and who is in them.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "runtime_host/mpi/base/budget.hpp"
#include "runtime_host/mpi/base/delivery.hpp"
#include "runtime_host/mpi/transport/frames.hpp"

namespace mog::mpi {

/// All ranks, and which of them are here. One process has all; of several each has as many, in their order.
struct World {
    u32 nproc = 1;  ///< PEs that are here: world ranks from `first` on
    u32 process = 0, processes = 1;

    u32 first() const { return process * nproc; }
    u32 size() const { return processes * nproc; }
    u32 rank_of(u32 pe) const { return first() + pe; }
    u32 process_of(u32 rank) const { return rank / nproc; }
    bool is_here(u32 rank) const { return rank - first() < nproc; }
    u32 pe_of(u32 rank) const { return rank - first(); }
};

/// Where the members are, of a communicator that has some in other processes.
struct Span {
    GlobalContext id;
    std::vector<u32> processes;           ///< ascending
    std::vector<std::vector<u32>> ranks;  ///< of each of them, ascending
    /// Ranks in sequence that are in one process.
    struct Run {
        u32 process = 0, first = 0, count = 0;
    };
    std::vector<Run> runs;  ///< all ranks, in order
    std::size_t here = 0;   ///< this process's place among them
    u32 leader = 0;         ///< the process of rank 0

    std::span<const u32> own() const { return ranks[here]; }
    std::span<const u32> ranks_of(u32 process) const;
};

/// One table from rank to world rank for all members.
struct Communicator {
    u32 size = 0;
    bool is_identity = false;          ///< rank r is world rank r
    bool is_self = false;              ///< of each PE its own
    std::vector<u32> members;          ///< else
    std::shared_ptr<const Span> span;  ///< null: all members are here
    u32 left = 0;                      ///< members here that have not freed it
    std::vector<bool> has_left;        ///< whether they have, by their places among those here; empty: nobody has
    u32 processes_left = 1;            ///< that have such members
    std::string place;                 ///< with checks: where it was made
    /// Of an intercommunicator one of its two groups: the context of the other one, MOG_MPI_NO_CONTEXT when that is no more.
    u32 remote = MOG_MPI_NO_CONTEXT;
    u32 remote_size = 0;
    bool is_inter = false, is_first = false;

    static void carry(auto &self, auto &archive) {
        archive(self.size, self.is_identity, self.is_self, self.members, self.left, self.has_left, self.processes_left, self.place,
                self.remote, self.remote_size, self.is_inter, self.is_first);
    }
};

class Communicators {
public:
    /// `budget`: of all objects of PEs.
    Communicators(const World &world, Budget &budget);
    const World &world() const { return world_; }
    Budget &budget() { return budget_; }
    /// There is room for new ones, with so many members in all, and at most one for each.
    bool has_room(u64 members) const { return budget_.has_room(members * (bytes_of_one + bytes_of_member)); }

    /// Null if there is none of this context, or the PE is not rank `me` in it, or has freed it. MOG_MPI_INTERNAL is ignored.
    Communicator *find(u32 context, u32 me, u32 pe) {
        const u32 i = context & ~MOG_MPI_INTERNAL;
        if (i >= all_.size()) return nullptr;
        Communicator &c = all_[i];
        const u32 own = world_.rank_of(pe);
        const bool is_member = c.is_identity ? me == own : c.is_self ? me == 0 : me < c.members.size() && c.members[me] == own;
        return is_member && (c.has_left.empty() || !c.has_left[place_here(c, me)]) ? &c : nullptr;
    }
    /// The world rank of rank `rank`, which is there. `pe`: the one that asks.
    u32 world_rank_of(const Communicator &c, u32 rank, u32 pe) const {
        return c.is_identity ? rank : c.is_self ? world_.rank_of(pe) : c.members[rank];
    }
    /// How many members are here, and a member's place among them.
    static u32 count_here(const Communicator &c) { return c.span ? static_cast<u32>(c.span->own().size()) : c.size; }
    static u32 place_here(const Communicator &c, u32 rank) { return c.span ? place_among(c.span->own(), rank) : rank; }
    static u32 place_among(std::span<const u32> ranks, u32 rank);
    /// The reverse.
    static u32 rank_at(const Communicator &c, u32 place) { return c.span ? c.span->own()[place] : place; }

    Communicator &operator[](u32 context) { return all_[context & ~MOG_MPI_INTERNAL]; }
    const Communicator &operator[](u32 context) const { return all_[context & ~MOG_MPI_INTERNAL]; }
    u32 count() const { return static_cast<u32>(all_.size()); }
    /// A new one of these world ranks, some of which are here: its context. `id`: what it is called, if others are elsewhere.
    u32 add(std::vector<u32> members, const GlobalContext &id = {});
    /// A new intercommunicator of two groups, all here: the contexts of both.
    std::pair<u32, u32> add_inter(std::vector<u32> first, std::vector<u32> second);
    /// What a PE sends goes to the other group of an intercommunicator.
    static bool sends_to_remote(const Communicator &c, u32 context, bool is_remote) {
        return c.is_inter && (!(context & MOG_MPI_INTERNAL) || is_remote);
    }
    /// The context here of one with members elsewhere; MOG_MPI_NO_CONTEXT: none, so far or any more.
    u32 find_global(const GlobalContext &id) const;
    /// A member frees it, which find() has found: it is a member no longer. True: none is left here.
    bool leave(u32 context, u32 me);
    /// All members of a process have, perhaps before it was made here: messages that they had sent have come. True: so have all other
    /// processes'; then release() is due.
    bool has_left(u32 context) { return --(*this)[context].processes_left == 0; }
    void left_before(const GlobalContext &id) { left_early_[id]++; }
    /// The context will be used again.
    void release(u32 context);

    /// Between rounds (support/archive.hpp). Where members are follows from who they are.
    static void carry(auto &self, auto &archive) {
        std::vector<std::optional<GlobalContext>> names = self.names();
        archive(self.all_, self.free_, names, self.left_early_);
        if constexpr (std::remove_reference_t<decltype(archive)>::reads) self.names_fit_ = self.give_names(names);
    }
    bool is_sound() const;

    /// Of world ranks; null: all are here.
    std::shared_ptr<const Span> span_of(const std::vector<u32> &members, const GlobalContext &id) const;

private:
    /// Of each context, if it has members elsewhere.
    std::vector<std::optional<GlobalContext>> names() const;
    /// To those that were read. False: they do not fit.
    bool give_names(std::span<const std::optional<GlobalContext>> names);

    // What the host keeps for one, here and where its members meet.
    static constexpr u64 bytes_of_one = 320, bytes_of_member = 8;

    World world_;
    Budget &budget_;
    std::vector<Communicator> all_;
    std::vector<u32> free_;
    std::map<GlobalContext, u32> global_;
    std::map<GlobalContext, u32> left_early_;  ///< processes that have left communicators which are not made here yet
    bool names_fit_ = true;                    ///< of what was read
};

}  // namespace mog::mpi
