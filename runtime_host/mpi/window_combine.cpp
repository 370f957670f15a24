// window_combine.cpp: accesses that combine: what they meet is fetched once, each place once, and goes back when all are done.
#include <algorithm>
#include <cstring>
#include <tuple>

#include "runtime_host/mpi/window_access.hpp"
#include "runtime_pe/include/mpi.h"

namespace mog::mpi {

u32 WindowAccesses::stage(u32 pe, u32 address, u32 bytes) {
    const u32 place = reserve(bytes);
    fetches_.push_back({pe, address, bytes, place, false});
    return place;
}

u32 WindowAccesses::reserve(u32 bytes) {
    const u32 place = staged_;
    staged_ += (bytes + 3) & ~u32{3};
    return place;
}

/// What the pieces cover: ascending, and none overlap.
void WindowAccesses::make_blocks() {
    std::vector<Piece> sorted = pieces_;
    std::ranges::sort(sorted, {}, [](const Piece &p) { return std::tuple(p.pe, p.address); });
    blocks_.clear();
    for (const Piece &p : sorted) {
        if (!blocks_.empty() && blocks_.back().pe == p.pe && p.address - blocks_.back().address <= blocks_.back().bytes)
            blocks_.back().bytes = std::max(blocks_.back().bytes, p.address - blocks_.back().address + p.bytes);
        else
            blocks_.push_back({p.pe, p.address, p.bytes, 0});
    }
    for (Block &block : blocks_) block.staging = stage(block.pe, block.address, block.bytes);
}

u8 *WindowAccesses::at(const Piece &piece) {
    const auto place = [](const Block &b) { return std::tuple(b.pe, b.address); };
    const auto after = std::ranges::upper_bound(blocks_, std::tuple(piece.pe, piece.address), {}, place);
    const Block &block = *std::prev(after);
    return staging_.data() + block.staging + (piece.address - block.address);
}

void WindowAccesses::combine_one(const Access &access) {
    const mog_mpi_access &a = access.words;
    u32 done = 0;
    for (const Piece &piece : std::span(pieces_).subspan(access.pieces, access.piece_count)) {
        u8 *const target = at(piece);
        const u8 *const origin = staging_.data() + access.origin + done;
        if (gives_result(a)) std::memcpy(staging_.data() + access.result + done, target, piece.bytes);
        if (a.kind == MOG_MPI_ACCUMULATE) {
            if (reads_origin(a)) access.combine(target, origin, piece.bytes / size_of_type(a.type));
        } else if (std::memcmp(target, staging_.data() + access.compare + done, piece.bytes) == 0) {
            std::memcpy(target, origin, piece.bytes);
        }
        done += piece.bytes;
    }
}

Result<void> WindowAccesses::combine_all(std::span<Access> accesses) {
    fetches_.clear();
    results_.clear();
    staged_ = 0;
    make_blocks();
    for (Access &access : accesses) {
        const mog_mpi_access &a = access.words;
        if (access.piece_count == 0) continue;
        stage_sides(access);
        if (!gives_result(a)) continue;
        access.result = reserve(a.bytes);
        if (!access.call->foreign) results_.push_back({access.call->pe, a.result, a.bytes, access.result, false});
    }
    MOG_TRY(fetch_sides(accesses));
    for (const Access &access : accesses) {
        if (access.piece_count == 0) continue;
        combine_one(access);
        const u8 *const result = staging_.data() + access.result;
        if (access.call->foreign && gives_result(access.words)) access.call->foreign->result.assign(result, result + access.words.bytes);
    }
    for (const Block &block : blocks_) results_.push_back({block.pe, block.address, block.bytes, block.staging, false});
    return delivery_.put_many(results_, staging_);
}

}  // namespace mog::mpi
