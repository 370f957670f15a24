// window_combine.cpp: accesses that combine, and what other processes get: pieces of them are fetched together, what they meet each place
// once, and go back when all are done. More than there is room for is done in several goes, in the same order.
#include <algorithm>
#include <cstring>
#include <tuple>

#include "runtime_host/mpi/rma/window_pieces.hpp"

namespace mog::mpi {

Result<int> WindowAccesses::combine(const Access &access) {
    Result<void> done;
    const int error = each_piece(access, [&](const Piece &piece) {
        // What it meets, of its origin two things at most, and what was there before; and what is known of it.
        const u64 room = 4 * to_words(piece.bytes) + sizeof(Piece);
        if (!pieces_.empty() && piece_bytes_ + room > most_staging) done = combine_pieces();
        pieces_.push_back(piece);
        piece_bytes_ += room;
        return static_cast<bool>(done);
    });
    MOG_TRY(done);
    MOG_TRY(delivery_.state());
    return error;
}

/// What the pieces cover: ascending, and none overlap.
void WindowAccesses::make_blocks() {
    std::vector<Piece> sorted = pieces_;
    std::ranges::sort(sorted, {}, [](const Piece &p) { return std::tuple(p.pe, p.address); });
    blocks_.clear();
    for (const Piece &p : sorted) {
        if (!blocks_.empty() && blocks_.back().pe == p.pe && p.address - blocks_.back().address <= blocks_.back().bytes)
            blocks_.back().bytes = std::max(blocks_.back().bytes, p.address - blocks_.back().address + p.bytes);
        else blocks_.push_back({p.pe, p.address, p.bytes, 0});
    }
    for (Block &block : blocks_) block.staging = plan_.add(block.pe, block.address, block.bytes);
}

u8 *WindowAccesses::at(const Piece &piece) {
    const auto place = [](const Block &b) { return std::tuple(b.pe, b.address); };
    const auto after = std::ranges::upper_bound(blocks_, std::tuple(piece.pe, piece.address), {}, place);
    const Block &block = *std::prev(after);
    return staging_.data() + block.staging + (piece.address - block.address);
}

/// Room for what it reads of its origin, and for what was there before.
void WindowAccesses::stage_sides(Piece &piece) {
    const mog_mpi_access &a = piece.access->words;
    const WindowCall &call = *piece.access->call;
    const auto side = [&](u32 address) {
        return call.foreign ? plan_.reserve(piece.bytes) : plan_.add(call.pe, address + piece.done, piece.bytes);
    };
    if (reads_origin(a)) piece.origin = side(a.origin);
    if (a.kind == MOG_MPI_SWAP) piece.compare = side(a.compare);
    if (!gives_result(a)) return;
    piece.result = plan_.reserve(piece.bytes);
    if (!call.foreign) results_.push_back({call.pe, a.result + piece.done, piece.bytes, piece.result, false});
}

void WindowAccesses::combine_one(const Piece &piece) {
    const mog_mpi_access &a = piece.access->words;
    u8 *const target = at(piece), *const result = staging_.data() + piece.result;
    const u8 *const origin = staging_.data() + piece.origin;
    if (gives_result(a)) std::memcpy(result, target, piece.bytes);
    if (ForeignAccess *const foreign = piece.access->call->foreign; foreign && gives_result(a))
        std::memcpy(foreign->result.data() + piece.done, result, piece.bytes);
    if (a.kind == MOG_MPI_ACCUMULATE) {
        if (reads_origin(a)) piece.access->combine(target, origin, piece.bytes / size_of_type(a.type));
    } else if (a.kind == MOG_MPI_SWAP && std::memcmp(target, staging_.data() + piece.compare, piece.bytes) == 0) {
        std::memcpy(target, origin, piece.bytes);
    }
}

Result<void> WindowAccesses::combine_pieces() {
    if (pieces_.empty()) return {};
    plan_.clear();
    results_.clear();
    make_blocks();
    for (Piece &piece : pieces_) stage_sides(piece);
    MOG_TRY(delivery_.fetch(plan_, staging_));
    fill_sides();
    for (const Piece &piece : pieces_) {
        combine_one(piece);
        if (delivery_.is_over_after(4 * u64{piece.bytes})) return Error{};
    }
    // What was only got from stays as it is, and so do constants that all PEs have once, which are only got from.
    const bool changes = std::ranges::any_of(pieces_, [](const Piece &p) { return reads_origin(p.access->words); });
    for (const Block &block : blocks_)
        if (changes && delivery_.can_be_set(block.address, block.bytes))
            results_.push_back({block.pe, block.address, block.bytes, block.staging, false});
    pieces_.clear();
    piece_bytes_ = 0;
    return delivery_.put_many(results_, staging_);
}

}  // namespace mog::mpi
