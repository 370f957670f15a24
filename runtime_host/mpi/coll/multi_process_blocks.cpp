// multi_process_blocks.cpp: collectives over several processes that move blocks without changing them.
#include <numeric>

#include "abi/mpi_constants.h"
#include "runtime_host/mpi/base/staging.hpp"
#include "runtime_host/mpi/coll/multi_process.hpp"

namespace mog::mpi {

namespace {

constexpr u64 most_staged = 1u << 30;  // of members here,
constexpr u64 most_blocks = 1u << 26;  // however short

bool is_scatter(u32 kind) { return kind == MOG_MPI_scatter || kind == MOG_MPI_scatterv; }
bool is_gather(u32 kind) { return kind == MOG_MPI_gather || kind == MOG_MPI_gatherv; }
bool is_alltoall(u32 kind) { return kind == MOG_MPI_alltoall || kind == MOG_MPI_alltoallv; }

}  // namespace

/// Fetches what members here send: one block for all who get it, or one for each rank.
Result<int> MultiProcessCollectives::collect_blocks(const Exchange &exchange) {
    const std::vector<Part> &parts = exchange.instance.parts;
    const u32 kind = exchange.first().kind(), root = exchange.first().root();
    std::vector<std::vector<Performer::Block>> places(parts.size());
    if (is_alltoall(kind) || is_scatter(kind)) {
        std::vector<u32> senders(parts.size());
        std::iota(senders.begin(), senders.end(), 0u);
        if (is_scatter(kind)) std::erase_if(senders, [&](u32 place) { return exchange.rank_at(place) != root; });
        if (senders.size() * u64{exchange.size} > most_blocks) return MPI_ERR_NO_MEM;
        std::vector<std::vector<Performer::Block>> of_senders;
        const Result<int> fetched = performer_.fetch_blocks(parts, exchange.size, Performer::Side::Send, senders, of_senders);
        if (!fetched || *fetched != MPI_SUCCESS) return fetched;
        for (std::size_t i = 0; i < senders.size(); i++) places[senders[i]] = std::move(of_senders[i]);
    } else if (kind == MOG_MPI_bcast || is_gather(kind) || kind == MOG_MPI_allgather || kind == MOG_MPI_allgatherv) {
        for (std::size_t place = 0; place < parts.size(); place++) {
            if (!delivery_.has_memory(parts[place].send(), parts[place].count())) return MPI_ERR_BUFFER;
            if (kind != MOG_MPI_bcast || exchange.rank_at(place) == root)
                places[place].push_back({parts[place].send(), parts[place].count()});
        }
    } else {
        return MPI_ERR_UNSUPPORTED_OPERATION;
    }
    u64 staged = 0;
    transfers_.clear();
    blocks_.assign(parts.size(), {});
    for (std::size_t place = 0; place < parts.size(); place++)
        for (const auto &[address, bytes] : places[place]) {
            blocks_[place].push_back({static_cast<u32>(staged), bytes});
            if (bytes != 0) transfers_.push_back({parts[place].pe, address, bytes, static_cast<u32>(staged), false});
            staged += to_words(bytes);
            if (staged > most_staged) return MPI_ERR_NO_MEM;
        }
    staging_.resize(staged);
    MOG_TRY(delivery_.fetch(transfers_, staging_));
    return MPI_SUCCESS;
}

/// Those that are for members in a process, each after its length; or the lists that go to all.
void MultiProcessCollectives::append_blocks(const Exchange &exchange, u32 process, std::vector<u8> &out) const {
    const auto add = [&](std::span<const u8> bytes) { out.insert(out.end(), bytes.begin(), bytes.end()); };
    add({reinterpret_cast<const u8 *>(lists_.data()), 4 * lists_.size()});
    const u32 kind = exchange.first().kind();
    const std::span<const u32> there = exchange.span->ranks_of(process);
    if (is_gather(kind) && !std::ranges::binary_search(there, exchange.first().root())) return;
    const auto add_block = [&](const Block &block) {
        add(head_bytes(block.bytes));
        add({staging_.data() + block.at, block.bytes});
    };
    for (const std::vector<Block> &blocks : blocks_) {
        if (blocks.empty()) continue;
        if (!is_alltoall(kind) && !is_scatter(kind)) add_block(blocks.front());
        else
            for (const u32 rank : there) add_block(blocks[rank]);
    }
}

Result<int> MultiProcessCollectives::serve_bcast(const Exchange &exchange, const Stages &stages) {
    const u32 root = exchange.first().root();
    for (const u32 process : exchange.span->processes) {
        if (!std::ranges::binary_search(exchange.span->ranks_of(process), root)) continue;
        FrameReader bytes = contribution_of(stages, process).bytes;
        const std::span<const u8> block = bytes.bytes(bytes.take<u32>());
        staging_.assign(block.begin(), block.end());
    }
    transfers_.clear();
    for (std::size_t place = 0; place < exchange.instance.parts.size(); place++) {
        const Part &part = exchange.instance.parts[place];
        if (exchange.rank_at(place) == root || staging_.empty()) continue;
        if (!delivery_.has_room(part.send(), staging_.size())) return MPI_ERR_BUFFER;
        transfers_.push_back({part.pe, part.send(), static_cast<u32>(staging_.size()), 0, false});
    }
    MOG_TRY(delivery_.put_many(transfers_, staging_));
    return MPI_SUCCESS;
}

/// Brings the blocks that are for members here to staging_: of each rank one for all of them, or one for each.
Result<int> MultiProcessCollectives::serve_blocks(const Exchange &exchange, const Stages &stages) {
    const u32 kind = exchange.first().kind(), root = exchange.first().root();
    if (is_gather(kind) && !exchange.is_here(root)) return MPI_SUCCESS;
    const std::size_t here = exchange.instance.parts.size(), of_each = is_alltoall(kind) || is_scatter(kind) ? here : 1;
    // Those of one length lie one after the other, as members get them.
    const bool is_same_for_all = kind == MOG_MPI_allgather;
    std::vector<Block> pieces(of_each * exchange.size, Block{0, 0});
    std::size_t staged = 0;
    const auto stage = [&](std::span<const u8> block, std::size_t i, std::size_t at) -> bool {
        if (at + to_words(block.size()) > UINT32_MAX) return false;
        if (staging_.size() < at + block.size()) staging_.resize(std::max(at + block.size(), 2 * staging_.size()));
        std::ranges::copy(block, staging_.begin() + static_cast<std::ptrdiff_t>(at));
        pieces[i] = {static_cast<u32>(at), static_cast<u32>(block.size())};
        return true;
    };
    staging_.clear();
    for (const u32 process : exchange.span->processes) {
        FrameReader bytes = contribution_of(stages, process).bytes;
        for (const u32 rank : exchange.span->ranks_of(process)) {
            if (is_scatter(kind) && rank != root) continue;
            for (std::size_t i = 0; i < of_each; i++) {
                const std::span<const u8> block = bytes.bytes(bytes.take<u32>());
                const std::size_t at = is_same_for_all ? std::size_t{rank} * block.size() : staged;
                if (!stage(block, rank * of_each + i, at)) return MPI_ERR_NO_MEM;
                staged += to_words(block.size());
            }
        }
    }
    return is_same_for_all ? put_same(exchange, std::size_t{exchange.size} * exchange.first().count()) : put_blocks(exchange, pieces);
}

/// All members here get all of it.
Result<int> MultiProcessCollectives::put_same(const Exchange &exchange, std::size_t bytes) {
    transfers_.clear();
    for (const Part &part : exchange.instance.parts) {
        if (!delivery_.has_room(part.receive(), bytes)) return MPI_ERR_BUFFER;
        if (bytes != 0) transfers_.push_back({part.pe, part.receive(), static_cast<u32>(bytes), 0, false});
    }
    MOG_TRY(delivery_.put_many(transfers_, staging_));
    return MPI_SUCCESS;
}

/// `pieces`: for each rank, and each member here if they get different ones.
Result<int> MultiProcessCollectives::put_blocks(const Exchange &exchange, const std::vector<Block> &pieces) {
    const std::vector<Part> &parts = exchange.instance.parts;
    const u32 kind = exchange.first().kind(), root = exchange.first().root(), n = exchange.size;
    const std::size_t of_each = pieces.size() / n;
    transfers_.clear();
    // True: there is room for it.
    const auto put = [&](const Part &part, const Performer::Block &room, const Block &piece) {
        if (piece.bytes > room.bytes) return false;
        if (piece.bytes != 0) transfers_.push_back({part.pe, room.address, piece.bytes, piece.at, false});
        return true;
    };
    std::vector<u32> receivers(parts.size());
    std::iota(receivers.begin(), receivers.end(), 0u);
    if (is_gather(kind)) std::erase_if(receivers, [&](u32 place) { return exchange.rank_at(place) != root; });
    if (is_scatter(kind)) {
        for (const u32 place : receivers) {
            const Part &part = parts[place];
            if (!delivery_.has_room(part.receive(), part.count())) return MPI_ERR_BUFFER;
            if (!put(part, {part.receive(), part.count()}, pieces[root * of_each + place])) return MPI_ERR_TRUNCATE;
        }
        MOG_TRY(delivery_.put_many(transfers_, staging_));
        return MPI_SUCCESS;
    }
    // Some members at a time: each has a list as long as there are ranks.
    const std::size_t some = Performer::members_at_once(n);
    for (std::size_t begin = 0; begin < receivers.size(); begin += some) {
        const std::span<const u32> now = std::span<const u32>(receivers).subspan(begin, std::min(some, receivers.size() - begin));
        std::vector<std::vector<Performer::Block>> rooms;
        const Result<int> fetched = performer_.fetch_blocks(parts, n, Performer::Side::Receive, now, rooms);
        if (!fetched || *fetched != MPI_SUCCESS) return fetched;
        transfers_.clear();
        for (std::size_t i = 0; i < now.size(); i++)
            for (u32 rank = 0; rank < n; rank++)
                if (!put(parts[now[i]], rooms[i][rank], pieces[rank * of_each + (of_each == 1 ? 0 : now[i])])) return MPI_ERR_TRUNCATE;
        MOG_TRY(delivery_.put_many(transfers_, staging_));
    }
    return MPI_SUCCESS;
}

}  // namespace mog::mpi
