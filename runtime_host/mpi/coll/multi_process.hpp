// multi_process.hpp: collectives of communicators with members in several processes.
//
// When all members that are here have come, this process tells each other one of the communicator what they bring: the
// words that all have to give alike, whether something is wrong, and the bytes that are for members there. When all the
// others have told the same, each process knows what comes of it, and serves its own members. So nobody leads, and all
// processes find the same. Reductions go on from there: what has been combined so far travels from process to process
// in the order of ranks, ((x0 op x1) op x2) ..., as one process does it: the result does not depend on how many there
// are.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "runtime_host/mpi/coll/performer.hpp"
#include "runtime_host/mpi/transport/bridge.hpp"

namespace mog::mpi {

class MultiProcessCollectives {
public:
    /// `finish` is told what an instance came to, a class of errors. `describe` says how two members here differ, `say`
    /// gets sentences about such.
    using Finish = std::function<void(const Instance &, int error)>;
    using Describe = std::function<std::string(const Performer::Difference &)>;
    MultiProcessCollectives(Communicators &communicators, Delivery &delivery, Performer &performer, Bridge &bridge, Finish finish,
                            Describe describe, std::function<void(std::string_view)> say)
        : communicators_(communicators),
          delivery_(delivery),
          performer_(performer),
          bridge_(bridge),
          finish_(std::move(finish)),
          describe_(std::move(describe)),
          say_(std::move(say)) {}

    /// All members that are here have come; `parts` are those of Span::own().
    Result<void> begin(Instance instance);
    void take(u32 process, FrameReader frame);
    /// What can be done with what has come. True: something has.
    Result<bool> advance();

    /// Calls `tell` for each member that waits for processes, with the sentence about it.
    void blocked(const std::function<void(const Part &, std::string)> &tell) const;

    /// At a mark (support/archive.hpp).
    static void carry(auto &self, auto &archive) {
        archive(self.exchanges_, self.stages_, self.touched_, self.numbers_, self.group_numbers_, self.said_);
    }
    /// After it was read. `is_sound`: of an instance to which so many come here. False: it does not fit together.
    bool restore(const std::function<bool(const Instance &, std::size_t members)> &is_sound);

    /// Contexts that the last instance made here, when `finish` is told of it.
    std::span<const u32> made() const { return made_; }

private:
    /// The same for all processes: the communicator and the instance's number in it, or who is to be in a new one.
    using Key = std::string;
    /// Of a key: what a process sent, by stage and process.
    using Stages = std::map<std::pair<u32, u32>, std::vector<u8>>;
    enum Stage : u32 { contributed, result, first_run };

    struct Exchange {
        Instance instance;
        std::shared_ptr<const Span> span;
        u32 size = 0;             ///< of the communicator, or of the new one where only its members come
        std::vector<u32> parent;  ///< world ranks of those who make others, unless it is that of all
        bool is_agreed = false;
        // Of reductions:
        std::size_t next_run = 0;  ///< of Span::runs: the first that has not been combined here
        std::vector<u32> counts;   ///< elements for each rank, where these get different ones
        u64 elements = 0;          ///< in all

        static void carry(auto &self, auto &archive) {
            archive(self.instance, self.size, self.parent, self.is_agreed, self.next_run, self.counts, self.elements);
        }
        const Part &first() const { return instance.parts.front(); }
        u32 rank_at(std::size_t place) const { return span->own()[place]; }
        bool is_here(u32 rank) const { return std::ranges::binary_search(span->own(), rank); }
    };
    using Exchanges = std::map<Key, Exchange>;

    /// Bytes in staging_.
    struct Block {
        u32 at, bytes;
    };
    /// What each process says of its members before their bytes.
    struct Summary {
        std::array<u32, 8> words;
        u64 elements;    ///< of a reduction
        u32 first_rank;  ///< whose words these are
        std::int32_t error;
        u32 serial;      ///< the number of communicators that it leads
        u32 text_bytes;  ///< of a sentence that says how its members differ
    };
    /// What a process has contributed.
    struct Contribution {
        Summary summary;
        std::string difference;
        FrameReader bytes;
    };
    static Contribution contribution_of(const Stages &stages, u32 process);

    std::shared_ptr<const Span> span_of(const Instance &instance) const;
    Key key_of(const Instance &instance, const Span &span);
    Result<bool> advance_one(Exchange &exchange, Stages &stages, const Key &key);
    Result<int> collect(Exchange &exchange, std::string &difference);
    int verdict(const Exchange &exchange, const Stages &stages);

    // Bytes for a process, of blocks that collect_blocks() has fetched, or of lists.
    Result<int> collect_blocks(const Exchange &exchange);
    void append_blocks(const Exchange &exchange, u32 process, std::vector<u8> &out) const;
    Result<int> collect_lists(const Exchange &exchange);
    // What the others brought, for our members.
    Result<int> serve_members(const Exchange &exchange, const Stages &stages);
    Result<int> serve_bcast(const Exchange &exchange, const Stages &stages);
    Result<int> serve_blocks(const Exchange &exchange, const Stages &stages);
    Result<int> put_same(const Exchange &exchange, std::size_t bytes);
    Result<int> put_blocks(const Exchange &exchange, const std::vector<Block> &pieces);

    // New communicators (multi_process_creation.cpp).
    Result<int> make_split(const Exchange &exchange, const Stages &stages);
    Result<int> make_created(const Exchange &exchange, const Stages &stages);
    void make(const Exchange &exchange, const std::vector<u32> &ranks, const GlobalContext &id);
    void make_nothing(const Part &part);

    // Reductions (multi_process_reductions.cpp).
    static bool is_reduction(u32 kind);
    Result<int> check_reduction(Exchange &exchange);
    Result<bool> advance_reduction(Exchange &exchange, Stages &stages, const Key &key);
    void pass_on(const Exchange &exchange, Stages &stages, const Key &key, std::vector<u8> accumulated);
    Result<void> combine_run(const Exchange &exchange, const Span::Run &run, std::vector<u8> &accumulated);
    Result<void> serve_reduced(const Exchange &exchange, std::span<const u8> reduced);

    void send(u32 process, const Key &key, u32 stage, std::span<const u8> bytes);

    Communicators &communicators_;
    Delivery &delivery_;
    Performer &performer_;
    Bridge &bridge_;
    Finish finish_;
    Describe describe_;
    std::function<void(std::string_view)> say_;
    Exchanges exchanges_;
    std::map<Key, Stages> stages_;
    std::vector<Key> touched_;  ///< keys for which something has come
    std::map<GlobalContext, u32> numbers_;
    std::map<std::vector<u8>, u32> group_numbers_;
    u32 said_ = 0;
    std::vector<u32> made_;
    // Of the instance that begins: blocks of each member here, one for each rank or one for all; or lists.
    std::vector<std::vector<Block>> blocks_;
    std::vector<u32> lists_;
    std::vector<u8> staging_;
    std::vector<Transfer> transfers_;
};

}  // namespace mog::mpi
