// window_access.hpp: what PEs put into the memory of others, get from there and combine with it, all of a round together.
//
// Bytes that are put or got go from PE to PE; accesses to the same place by several PEs in one round may come in any order, as MPI says.
// What is combined is done on the host, one access after the other, so each sees those before it: that makes them atomic.
#pragma once

#include <map>
#include <vector>

#include "runtime_host/mpi/combine.hpp"
#include "runtime_host/mpi/delivery.hpp"

namespace mog::mpi {

/// What a rank lets others access.
struct WindowPart {
    u32 pe = UINT32_MAX;  ///< none: the rank has not said yet
    bool is_dynamic = false;
    u32 unit = 1;
    std::map<u32, u32> ranges;  ///< bytes, by address; of one that is not dynamic at most one

    /// True: these addresses are in one of the ranges.
    bool has(std::int64_t address, u64 bytes) const;
};

/// MOG_MPI_win_access.
struct WindowCall {
    u32 pe, list, count;
    const std::vector<WindowPart> *parts;  ///< by rank
    int error;                             ///< the first one's class
};

class WindowAccesses {
public:
    explicit WindowAccesses(Delivery &delivery) : delivery_(delivery) {}
    /// Sets errors. Lists are in the memory of their PEs. Error: of the device.
    Result<void> perform(std::vector<WindowCall> &calls);

private:
    struct Access {
        WindowCall *call;
        mog_mpi_access words;
        u32 runs = 0;  ///< the first of its runs
        // Of one that combines.
        u32 pieces = 0, piece_count = 0;
        u32 origin = 0, compare = 0, result = 0;  ///< places in staging_
        Combine *combine = nullptr;
    };
    struct Piece {
        u32 pe, address, bytes;
    };
    /// Bytes of a PE that are in staging_.
    struct Block {
        u32 pe, address, bytes, staging;
    };
    Result<void> perform_some(std::span<Access> accesses);
    Result<void> fetch_runs(std::span<Access> accesses);
    int check(Access &access) const;
    int find_pieces(const Access &access, std::vector<Piece> &pieces) const;
    Result<void> copy(const Access &access);
    Result<void> combine_all(std::span<Access> accesses);
    void make_blocks();
    void combine_one(const Access &access);
    u8 *at(const Piece &piece);
    /// Room in staging_ for bytes of a PE that will be fetched.
    u32 stage(u32 pe, u32 address, u32 bytes);
    u32 reserve(u32 bytes);
    static bool reads_origin(const mog_mpi_access &a);

    Delivery &delivery_;
    std::vector<mog_mpi_target_run> runs_;
    std::vector<Piece> copied_;  ///< of one access, to be put or got
    std::vector<Piece> pieces_;  ///< of all that combine
    std::vector<Block> blocks_;
    std::vector<Transfer> fetches_, results_;
    std::vector<u8> staging_;
    u32 staged_ = 0;
};

}  // namespace mog::mpi
