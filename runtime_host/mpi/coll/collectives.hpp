// collectives.hpp: operations of all members of a communicator: who has come to which. They are done when the last one has come.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "runtime_host/mpi/base/host.hpp"
#include "runtime_host/mpi/coll/multi_process.hpp"
#include "runtime_host/mpi/coll/performer.hpp"
#include "runtime_host/mpi/pt2pt/messages.hpp"

namespace mog::mpi {

class Collectives {
public:
    /// The host gets sentences about members that do not agree. `bridge`: to other processes; null: there are none.
    Collectives(Communicators &communicators, Delivery &delivery, Messages &messages, const Host &host, bool checks, Bridge *bridge);

    /// A PE has come.
    void join(const MpiCall &call);
    /// Does those to which all have come since.
    Result<void> end_round();
    /// What another process says, and what comes of it. True: some have ended.
    void take(u32 process, FrameReader frame) { spanning_->take(process, frame); }
    Result<bool> advance() { return spanning_ ? spanning_->advance() : false; }
    /// A communicator is no more. Who waits for its members, waits forever.
    void forget(u32 context);
    /// By operation in the table of messages: what its PE waits for.
    std::map<u32, std::string> blocked() const;

    /// Between rounds (support/archive.hpp).
    static void carry(auto &self, auto &archive) {
        archive(self.said_, self.queues_, self.groups_, self.secret_, self.halves_);
        if (self.spanning_) archive(*self.spanning_);
    }
    /// After it was read. False: it does not fit together.
    bool restore();

private:
    /// Of one communicator: instances in the order in which they were begun, and how many each member here has joined.
    struct Queue {
        std::deque<Instance> begun;
        u32 ended = 0;
        std::vector<u32> joined;
        static void carry(auto &self, auto &archive) { archive(self.begun, self.ended, self.joined); }
    };
    bool is_sound(const Instance &instance, std::size_t members, std::vector<bool> &used) const;
    Result<void> perform(const Instance &instance);
    Result<void> gather_groups();
    Result<void> fetch_group_lists(std::size_t &call);
    void join_group(u32 context, const Part &part, std::span<const u32> list);
    bool know_list(u32 context, std::span<const u32> list);
    void complete(Instance instance);
    bool has_room(const Instance &instance) const;
    Result<void> join_groups(const Instance &instance);
    /// Groups of several processes do not find each other.
    int refuse_join();
    void finish(const Instance &instance, int error_class);
    void note_places(const Instance &instance, std::span<const u32> made);
    std::string tell(const Performer::Difference &difference) const;

    Communicators &communicators_;
    Delivery &delivery_;
    Messages &messages_;
    Performer performer_;
    std::unique_ptr<MultiProcessCollectives> spanning_;
    const Host &host_;
    const bool checks_;
    u32 said_ = 0;
    std::vector<Queue> queues_;  ///< by context
    std::vector<Instance> ready_;
    // MPI_Comm_create_group, to which only those on the list come: calls of this round, and who has come, by context, tag, how long the
    // list is and its hash. Thousands give the same list of thousands, so it is not kept; nobody can look for two with the same hash, which
    // has a secret in it.
    struct Group {
        Instance instance;
        u32 members = 0;             ///< that are here
        std::vector<bool> has_come;  ///< of these
        static void carry(auto &self, auto &archive) { archive(self.instance, self.members, self.has_come); }
    };
    std::vector<std::pair<u32, Part>> group_calls_;
    std::map<std::tuple<u32, u32, u32, u64>, Group> groups_;
    struct KnownList {
        u32 context = MOG_MPI_NO_CONTEXT;
        std::vector<u32> ranks;
        u64 hash = 0;
        bool is_set = false;               ///< all of them are ranks, and none is there twice
        std::vector<u32> members;          ///< their world ranks,
        std::shared_ptr<const Span> span;  ///< where there are several processes
        u32 next = 0;                      ///< after the place that was looked for last
    };
    KnownList list_;  ///< the last one that was given
    u64 secret_;
    std::vector<u32> marks_;  ///< by rank: the last list that had it
    u32 mark_ = 0;
    Staging lists_;
    std::vector<u8> listed_;
    /// MPI_Intercomm_create: groups that wait for the other one, by context, tag and world rank of their leader, and that of the other.
    std::map<std::tuple<u32, u32, u32, u32>, Instance> halves_;
};

}  // namespace mog::mpi
