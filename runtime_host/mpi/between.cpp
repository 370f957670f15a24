// between.cpp: collectives of both groups of an intercommunicator: what one group sends, the other one gets.
#include <algorithm>
#include <numeric>

#include "runtime_host/mpi/collective.hpp"
#include "runtime_host/mpi/combine.hpp"
#include "runtime_pe/include/mpi.h"

namespace mog::mpi {

namespace {

std::vector<u32> all_places(const std::vector<Part> &parts) {
    std::vector<u32> places(parts.size());
    std::iota(places.begin(), places.end(), 0u);
    return places;
}

/// Where no member is root, word 3: bytes of a block that is received.
u32 receive_block(const Part &part) { return part.root(); }

}  // namespace

/// Each group has its own roots and numbers of bytes; all else is as in one group.
bool Performer::is_same_between(const Instance &instance) {
    const auto takes_no_part = [](const Part &part) { return has_root(part.kind()) && static_cast<std::int32_t>(part.root()) == MPI_PROC_NULL; };
    const auto reference = std::ranges::find_if_not(instance.parts, takes_no_part);
    const Part &first = reference == instance.parts.end() ? instance.parts.front() : *reference;
    for (u32 i = 0; i < instance.parts.size(); i++) {
        Part part = instance.parts[i];
        part.words[3] = first.words[3];
        part.words[6] = first.words[6];
        if (takes_no_part(instance.parts[i])) part.words[0] = part.kind() | (first.words[0] & ~u32{0xff});
        Difference difference{{instance.parts[i], first}, find_difference(part, i, first, 0)};
        if (difference.texts[0].empty()) continue;
        difference_ = std::move(difference);
        return false;
    }
    return true;
}

Result<int> Performer::perform_between(const Instance &instance) {
    if (!is_same_between(instance)) return MPI_ERR_NOT_SAME;
    const auto middle = instance.parts.begin() + instance.first_group;
    const Parts first(instance.parts.begin(), middle), second(middle, instance.parts.end());
    const u32 kind = first.front().kind();
    switch (kind) {
        case MOG_MPI_barrier: return MPI_SUCCESS;
        case MOG_MPI_split: return split_between(instance);
        case MOG_MPI_merge: return merge(instance);
        default: break;
    }
    if (has_root(kind)) {
        const auto is_root = [](const Part &part) { return static_cast<std::int32_t>(part.root()) == MPI_ROOT; };
        const bool is_first = std::ranges::any_of(first, is_root);
        const Parts &own = is_first ? first : second, &others = is_first ? second : first;
        const auto root = std::ranges::find_if(own, is_root);
        const auto is_meant = [&](const Part &part) { return part.root() == static_cast<u32>(root - own.begin()); };
        if (root == own.end() || !std::ranges::all_of(others, is_meant)) return MPI_ERR_ROOT;
        return rooted_between(*root, others);
    }
    const bool moves = kind == MOG_MPI_allgather || kind == MOG_MPI_allgatherv || kind == MOG_MPI_alltoall || kind == MOG_MPI_alltoallv;
    if (!moves && kind != MOG_MPI_allreduce && kind != MOG_MPI_reduce_scatter && kind != MOG_MPI_reduce_scatter_block) return MPI_ERR_COMM;
    const Result<int> there = moves ? move_between(first, second) : reduce_between(first, second);
    if (!there || *there != MPI_SUCCESS) return there;
    return moves ? move_between(second, first) : reduce_between(second, first);
}

Result<int> Performer::rooted_between(const Part &root, const Parts &others) {
    const u32 kind = root.kind();
    if (kind == MOG_MPI_reduce) return reduce_between(others, {root});
    if (kind == MOG_MPI_bcast) {
        if (!delivery_.in_data(root.send(), root.count())) return MPI_ERR_BUFFER;
        for (const Part &part : others) {
            if (part.count() < root.count()) return MPI_ERR_TRUNCATE;
            if (!delivery_.in_data(part.send(), part.count())) return MPI_ERR_BUFFER;
            delivery_.copy(root.pe, root.send(), part.pe, part.send(), root.count());
        }
        return MPI_SUCCESS;
    }
    const bool to_root = kind == MOG_MPI_gather || kind == MOG_MPI_gatherv;
    const u32 place = 0;
    std::vector<std::vector<Block>> blocks;
    const Result<int> fetched = fetch_blocks({root}, static_cast<u32>(others.size()), to_root ? Side::Receive : Side::Send, {&place, 1}, blocks);
    if (!fetched || *fetched != MPI_SUCCESS) return fetched;
    for (std::size_t i = 0; i < others.size(); i++) {
        const Part &part = others[i];
        const Block &block = blocks[0][i];
        if (to_root ? part.count() > block.bytes : block.bytes > part.count()) return MPI_ERR_TRUNCATE;
        if (!delivery_.in_data(to_root ? part.send() : part.receive(), part.count())) return MPI_ERR_BUFFER;
        if (to_root) delivery_.copy(part.pe, part.send(), root.pe, block.address, part.count());
        else delivery_.copy(root.pe, block.address, part.pe, part.receive(), block.bytes);
    }
    return MPI_SUCCESS;
}

/// Allgather and alltoall, one way.
Result<int> Performer::move_between(const Parts &from, const Parts &to) {
    const u32 kind = from.front().kind();
    const bool all_alike = kind == MOG_MPI_allgather || kind == MOG_MPI_allgatherv;
    const auto senders = static_cast<u32>(from.size()), receivers = static_cast<u32>(to.size());
    const auto blocks_of = [&](const Parts &parts, u32 n, Side side, std::vector<std::vector<Block>> &blocks) -> Result<int> {
        if (kind == MOG_MPI_allgatherv || kind == MOG_MPI_alltoallv) return fetch_blocks(parts, n, side, all_places(parts), blocks);
        for (const Part &part : parts) {
            const u32 bytes = side == Side::Send ? part.count() : receive_block(part), base = side == Side::Send ? part.send() : part.receive();
            if (!delivery_.in_data(base, u64{n} * bytes)) return MPI_ERR_BUFFER;
            std::vector<Block> &own = blocks.emplace_back();
            for (u32 k = 0; k < n; k++) own.push_back({base + k * bytes, bytes});
        }
        return MPI_SUCCESS;
    };
    std::vector<std::vector<Block>> sends, receives;
    if (all_alike) {
        for (const Part &part : from) {
            if (!delivery_.in_data(part.send(), part.count())) return MPI_ERR_BUFFER;
            sends.push_back({{part.send(), part.count()}});
        }
    } else {
        const Result<int> fetched = blocks_of(from, receivers, Side::Send, sends);
        if (!fetched || *fetched != MPI_SUCCESS) return fetched;
    }
    const Result<int> fetched = blocks_of(to, senders, Side::Receive, receives);
    if (!fetched || *fetched != MPI_SUCCESS) return fetched;
    const auto sent = [&](u32 i, u32 k) -> const Block & { return sends[i][all_alike ? 0 : k]; };
    for (u32 i = 0; i < senders; i++)
        for (u32 k = 0; k < receivers; k++)
            if (sent(i, k).bytes > receives[k][i].bytes) return MPI_ERR_TRUNCATE;
    for (u32 i = 0; i < senders; i++) {
        for (u32 k = 0; k < receivers; k++) delivery_.copy(from[i].pe, sent(i, k).address, to[k].pe, receives[k][i].address, sent(i, k).bytes);
        MOG_TRY(delivery_.spill());
    }
    return MPI_SUCCESS;
}

/// What all of `from` send, combined in the order of ranks, to each of `to`, or to each its part.
Result<int> Performer::reduce_between(const Parts &from, const Parts &to) {
    const Part &first = from.front();
    const u32 kind = first.kind(), size = size_of_type(first.type());
    Combine *const combine = find_combine(first.type(), first.reduction());
    if (size == 0) return MPI_ERR_TYPE;
    if (!combine) return MPI_ERR_OP;
    // Counts are those of the receivers' group, whose sum is the senders', too.
    std::vector<u32> counts(to.size(), first.count());
    if (kind == MOG_MPI_reduce_scatter_block) std::ranges::fill(counts, to.front().count());
    if (kind == MOG_MPI_reduce_scatter) {
        const Result<int> fetched = fetch_counts(to.front(), to.size(), counts);
        if (!fetched || *fetched != MPI_SUCCESS) return fetched;
    }
    const bool is_scattered = kind != MOG_MPI_reduce && kind != MOG_MPI_allreduce;
    const u64 total = is_scattered ? std::accumulate(counts.begin(), counts.end(), u64{0}) : first.count(), bytes = total * size;
    if (bytes > INT32_MAX) return MPI_ERR_COUNT;
    for (const Part &part : from)
        if (!delivery_.in_data(part.send(), bytes)) return MPI_ERR_BUFFER;
    for (std::size_t k = 0; k < to.size(); k++) {
        if (!is_scattered && to[k].count() != total) return MPI_ERR_COUNT;
        if (!delivery_.in_data(to[k].receive(), u64{counts[k]} * size)) return MPI_ERR_BUFFER;
    }
    if (bytes == 0) return MPI_SUCCESS;
    // Some of the senders at a time.
    std::vector<u8> accumulated(bytes);
    const std::size_t row = (bytes + 3) & ~u64{3}, some = std::max<std::size_t>(1, (std::size_t{16} << 20) / row);
    for (std::size_t begin = 0; begin < from.size(); begin += some) {
        const std::size_t end = std::min(from.size(), begin + some);
        staging_.resize(row * (end - begin));
        transfers_.clear();
        for (std::size_t i = begin; i < end; i++)
            transfers_.push_back({from[i].pe, from[i].send(), static_cast<u32>(bytes), static_cast<u32>((i - begin) * row), false});
        MOG_TRY(delivery_.fetch(transfers_, staging_));
        for (std::size_t i = begin; i < end; i++) {
            u8 *const next = staging_.data() + (i - begin) * row;
            if (i == 0) std::copy_n(next, bytes, accumulated.begin());
            else combine(accumulated.data(), next, static_cast<u32>(total));
        }
    }
    u64 at = 0;
    for (std::size_t k = 0; k < to.size(); k++) {
        const std::size_t length = std::size_t{counts[k]} * size;
        if (length != 0) delivery_.put(to[k].pe, to[k].receive(), {accumulated.data() + (is_scattered ? at : 0), length});
        at += length;
    }
    return MPI_SUCCESS;
}

}  // namespace mog::mpi
