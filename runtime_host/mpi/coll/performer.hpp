// performer.hpp: a collective operation to which all members have come, and doing it.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "runtime_host/mpi/comm/communicators.hpp"
#include "runtime_host/mpi/pt2pt/operations.hpp"

namespace mog::mpi {

/// What one member brings: the words of its call (mpi_call.h).
struct Part {
    u32 pe = 0, operation = none;  ///< the latter in the table of operations
    u32 place = 0;                 ///< among those that come to it
    std::array<u32, 8> words{};

    u32 kind() const { return words[0] & 0xff; }
    u32 type() const { return words[0] >> 16 & 0xff; }
    u32 reduction() const { return words[0] >> 24; }
    u32 root() const { return words[3]; }
    u32 send() const { return words[4]; }
    u32 receive() const { return words[5]; }
    u32 count() const { return words[6]; }
    u32 more() const { return words[7]; }

    static void carry(auto &self, auto &archive) { archive(self.pe, self.operation, self.place, self.words); }
};
/// Of a collective that makes a communicator: where the PE wants to hear of it.
inline u32 out_of(const Part &part) { return part.words[5]; }

struct Instance {
    u32 context = 0;
    /// Of those who have come; when all have, by their places: ranks, of a communicator with members in other processes those that are
    /// here.
    std::vector<Part> parts{};
    u32 first_group = 0;         ///< of an intercommunicator: how many of the parts are those of its first group; else 0
    std::vector<u32> members{};  ///< MPI_Comm_create_group: world ranks of the new communicator

    static void carry(auto &self, auto &archive) { archive(self.context, self.parts, self.first_group, self.members); }
};

/// MPI_Comm_create_group, to which only the new members come.
inline bool is_create_group(const Part &part) { return part.kind() == MOG_MPI_create && static_cast<std::int32_t>(part.words[6]) >= 0; }
/// What two members do not give alike: "rank 3 calls MPI_Bcast with root 1", "rank 0 with 0"; empty: nothing.
std::array<std::string, 2> find_difference(const Part &part, u32 rank, const Part &first, u32 first_rank);
/// The collective wants a root, which is word 3.
bool has_root(u32 kind);

bool is_collective(u32 kind);
/// "MPI_Bcast"; `kind`: of one that is a collective.
std::string_view name_of_collective(u32 kind);

class Performer {
public:
    using Parts = std::vector<Part>;
    Performer(Communicators &communicators, Delivery &delivery) : communicators_(communicators), delivery_(delivery) {}

    /// Does it. The error class that all its members get, MPI_SUCCESS if all went well. Error: of the device.
    Result<int> perform(const Instance &instance);
    /// Of the last one that came to MPI_ERR_NOT_SAME: two parts, and what each says: "rank 3 calls MPI_Bcast with root
    /// 1", "rank 0 with 0".
    struct Difference {
        Part parts[2];
        std::array<std::string, 2> texts;
    };
    const Difference &difference() const { return difference_; }
    /// An intercommunicator of these two groups, in these orders. The error class for all of them.
    int make_inter(const Parts &first, const Parts &second);
    /// Contexts of the communicators that the last one made.
    std::span<const u32> made() const { return made_; }

    // What members in one of several processes bring and get is found in the same way.
    /// A piece of a buffer that has several.
    struct Block {
        u32 address, bytes;
    };
    enum class Side { Send, Receive };
    /// Of `n` blocks each, of the members at these places among `parts`.
    Result<int> fetch_blocks(const Parts &parts, u32 n, Side side, std::span<const u32> places, std::vector<std::vector<Block>> &blocks) {
        return fetch_blocks(parts, {0, n}, n, side, places, blocks);
    }
    /// The same, but of each only those that are for some of the `n`.
    struct Range {
        u32 begin = 0, end = 0;
        u32 size() const { return end - begin; }
    };
    Result<int> fetch_blocks(const Parts &parts, Range some, u32 n, Side side, std::span<const u32> places,
                             std::vector<std::vector<Block>> &blocks);
    Result<int> fetch_counts(const Part &part, std::size_t n, std::vector<u32> &counts);
    /// The groups that members give, which are in a communicator of `n`: each once. `ranks`: those of the members.
    Result<int> fetch_groups(const Parts &parts, std::span<const u32> ranks, u32 n, std::vector<std::vector<u32>> &groups);
    /// For the lists of blocks that stand in memory at the same time: of how many members, with `n` each.
    static std::size_t members_at_once(std::size_t n) {
        return std::max<std::size_t>(1, (std::size_t{1} << 21) / std::max<std::size_t>(1, n));
    }

private:
    bool is_same(const Instance &instance);
    Result<int> bcast(const Parts &parts);
    Result<int> gather(const Parts &parts);
    Result<int> scatter(const Parts &parts);
    Result<int> allgather(const Parts &parts);
    Result<int> alltoall(const Parts &parts);
    Result<int> allgatherv(const Parts &from, const Parts &to);
    Result<int> alltoallv(const Parts &parts);
    Result<int> exchange(const Parts &from, const Parts &to);
    Result<int> reduce(const Parts &parts);
    /// Collectives of both groups of an intercommunicator.
    Result<int> perform_between(const Instance &instance);
    bool is_same_between(const Instance &instance);
    Result<int> move_between(const Parts &from, const Parts &to);
    Result<int> rooted_between(const Part &root, const Parts &others);
    Result<int> reduce_between(const Parts &from, const Parts &to);
    Result<int> split_between(const Instance &instance);
    Result<int> merge(const Instance &instance);
    bool can_tell(const Parts &parts) const;
    Result<int> split(const Instance &instance);
    Result<int> create(const Instance &instance);
    void make(const Parts &parts, const std::vector<u32> &ranks);

    /// Fetches it to staging_.
    Result<void> fetch_one(u32 pe, u32 address, u32 bytes);

    Communicators &communicators_;
    Delivery &delivery_;
    Difference difference_;
    std::vector<u32> made_;
    Staging plan_;
    std::vector<Transfer> transfers_;
    std::vector<u8> staging_;
};

}  // namespace mog::mpi
