// window_access.hpp: what PEs put into the memory of others, get from there and combine with it, all of a round together.
//
// Bytes that are put or got go from PE to PE; accesses to the same place by several PEs in one round may come in any order, as MPI says.
// What is combined is done on the host, one access after the other, so each sees those before it: that makes them atomic.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <span>
#include <vector>

#include "runtime_host/mpi/base/delivery.hpp"
#include "runtime_host/mpi/coll/combine.hpp"

namespace mog::mpi {

/// What a rank lets others access.
struct WindowPart {
    u32 pe = UINT32_MAX;        ///< none: the rank has not said yet, or is elsewhere
    bool is_elsewhere = false;  ///< in another process, which knows the rest
    bool is_dynamic = false;
    u32 unit = 1;
    std::map<u32, u32> ranges;  ///< bytes, by address; of one that is not dynamic at most one

    static void carry(auto &self, auto &archive) { archive(self.pe, self.is_elsewhere, self.is_dynamic, self.unit, self.ranges); }
    /// True: these addresses are in one of the ranges.
    bool has(std::int64_t address, u64 bytes) const;
};

using WindowParts = std::vector<WindowPart>;  ///< by rank

/// Whether an access reads memory of its origin, and whether it gives what was there before.
bool reads_origin(const mog_mpi_access &access);
bool gives_result(const mog_mpi_access &access);

/// An access of a PE of another process, with all of its origin that it needs, and what goes back there.
struct ForeignAccess {
    u32 rank;  ///< world rank of the origin
    mog_mpi_access words;
    std::vector<mog_mpi_target_run> runs;
    std::vector<u8> origin, compare, result;
};

/// MOG_MPI_win_access, or one access of another process.
struct WindowCall {
    u32 pe = 0, context = 0, list = 0, count = 0;
    std::shared_ptr<const WindowParts> parts = {};
    int error = 0;                     ///< the first one's class
    u32 forwarded = 0;                 ///< accesses that are done elsewhere
    ForeignAccess *foreign = nullptr;  ///< then `pe`, `list` and `count` say nothing
};

class WindowAccesses {
public:
    /// Takes an access whose target is elsewhere, with what it reads.
    using Forward = std::function<void(const WindowCall &call, const mog_mpi_access &words, std::span<const mog_mpi_target_run> runs,
                                       std::span<const u8> origin, std::span<const u8> compare)>;
    WindowAccesses(Delivery &delivery, Forward forward) : delivery_(delivery), forward_(std::move(forward)) {}
    /// Sets errors, and results of foreign ones. Lists are in the memory of their PEs. Error: of the device.
    Result<void> perform(std::vector<WindowCall> &calls);

private:
    struct Access {
        WindowCall *call;
        mog_mpi_access words;
        u32 runs = 0;                ///< the first of its runs
        Combine *combine = nullptr;  ///< of one that combines
    };
    /// Some of an access: bytes of the target in one piece, and their places there and at the origin.
    struct Piece {
        const Access *access;
        u32 pe, address, bytes;
        u32 done;                                 ///< bytes of the access that come before
        u32 origin = 0, compare = 0, result = 0;  ///< places in staging_, of one that combines
    };
    /// Bytes of a PE that are in staging_.
    struct Block {
        u32 pe, address, bytes, staging;
    };
    using Some = Result<void> (WindowAccesses::*)(std::span<Access> accesses);
    Result<void> perform_listed(std::vector<WindowCall> &calls, std::size_t &call, u32 &next);
    Result<void> in_pieces(std::vector<Access> &accesses, Some some);
    Result<void> perform_some(std::span<Access> accesses);
    Result<void> forward_some(std::span<Access> accesses);
    static bool is_elsewhere(const WindowCall &call, const mog_mpi_access &access);
    static void fail(Access &access, int error);
    void check_all(std::span<Access> accesses) const;
    Result<void> fetch_runs(std::span<Access> accesses);
    int check(Access &access) const;
    /// Calls `take(piece)` for each piece until that is false; they are in the window, or it gives an error class instead.
    template <typename Take>
    int each_piece(const Access &access, Take take);
    Result<int> perform_one(const Access &access);
    Result<int> copy(const Access &access);
    Result<int> copy_foreign(const Access &access);
    Result<int> combine(const Access &access);
    Result<void> combine_pieces();
    void make_blocks();
    void stage_sides(Piece &piece);
    void fill_sides();
    void combine_one(const Piece &piece);
    u8 *at(const Piece &piece);

    Delivery &delivery_;
    Forward forward_;
    std::vector<mog_mpi_target_run> runs_;
    std::vector<Piece> pieces_;  ///< that combine, or that other processes get
    u64 piece_bytes_ = 0;        ///< that these take in staging_
    std::vector<Block> blocks_;
    Staging plan_;
    std::vector<Transfer> results_;
    std::vector<u8> staging_;
};

}  // namespace mog::mpi
