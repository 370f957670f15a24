// intercomm_collectives.cpp: collectives of both groups of an intercommunicator: what one group sends, the other one gets.
#include <algorithm>
#include <numeric>

#include "abi/mpi_constants.h"
#include "runtime_host/mpi/coll/combine.hpp"
#include "runtime_host/mpi/coll/performer.hpp"

namespace mog::mpi {

namespace {

/// Where no member is root, word 3: bytes of a block that is received.
u32 receive_block(const Part &part) { return part.root(); }

}  // namespace

/// Each group has its own roots and numbers of bytes; all else is as in one group.
bool Performer::is_same_between(const Instance &instance) {
    const auto takes_no_part = [](const Part &part) {
        return has_root(part.kind()) && static_cast<std::int32_t>(part.root()) == MPI_PROC_NULL;
    };
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
        if (!delivery_.has_memory(root.send(), root.count())) return MPI_ERR_BUFFER;
        for (const Part &part : others) {
            if (part.count() < root.count()) return MPI_ERR_TRUNCATE;
            if (!delivery_.has_room(part.send(), part.count())) return MPI_ERR_BUFFER;
        }
        for (const Part &part : others) delivery_.copy(root.pe, root.send(), part.pe, part.send(), root.count());
        return MPI_SUCCESS;
    }
    const bool to_root = kind == MOG_MPI_gather || kind == MOG_MPI_gatherv;
    const u32 place = 0;
    std::vector<std::vector<Block>> blocks;
    const Result<int> fetched =
        fetch_blocks({root}, static_cast<u32>(others.size()), to_root ? Side::Receive : Side::Send, {&place, 1}, blocks);
    if (!fetched || *fetched != MPI_SUCCESS) return fetched;
    for (std::size_t i = 0; i < others.size(); i++) {
        const Part &part = others[i];
        const Block &block = blocks[0][i];
        if (to_root ? part.count() > block.bytes : block.bytes > part.count()) return MPI_ERR_TRUNCATE;
        if (!delivery_.has_buffer(to_root ? part.send() : part.receive(), part.count(), !to_root)) return MPI_ERR_BUFFER;
    }
    for (std::size_t i = 0; i < others.size(); i++) {
        const Part &part = others[i];
        const Block &block = blocks[0][i];
        if (to_root) delivery_.copy(part.pe, part.send(), root.pe, block.address, part.count());
        else delivery_.copy(root.pe, block.address, part.pe, part.receive(), block.bytes);
    }
    return MPI_SUCCESS;
}

/// Allgather and alltoall, one way.
Result<int> Performer::move_between(const Parts &from, const Parts &to) {
    const u32 kind = from.front().kind();
    if (kind == MOG_MPI_alltoallv) return exchange(from, to);
    if (kind == MOG_MPI_allgatherv) return allgatherv(from, to);
    const bool all_alike = kind == MOG_MPI_allgather;
    const u64 senders = from.size(), receivers = to.size();
    for (const Part &part : from)
        if (!delivery_.has_memory(part.send(), part.count() * (all_alike ? 1 : receivers))) return MPI_ERR_BUFFER;
    for (const Part &part : to)
        if (!delivery_.has_room(part.receive(), receive_block(part) * senders)) return MPI_ERR_BUFFER;
    for (const Part &sender : from)
        for (const Part &receiver : to)
            if (sender.count() > receive_block(receiver)) return MPI_ERR_TRUNCATE;
    for (u32 i = 0; i < senders; i++) {
        for (u32 k = 0; k < receivers; k++)
            delivery_.copy(from[i].pe, from[i].send() + (all_alike ? 0 : k * from[i].count()), to[k].pe,
                           to[k].receive() + i * receive_block(to[k]), from[i].count());
        MOG_TRY(delivery_.state());
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
        if (!delivery_.has_memory(part.send(), bytes)) return MPI_ERR_BUFFER;
    for (std::size_t k = 0; k < to.size(); k++) {
        if (!is_scattered && to[k].count() != total) return MPI_ERR_COUNT;
        if (!delivery_.has_room(to[k].receive(), u64{counts[k]} * size)) return MPI_ERR_BUFFER;
    }
    // Some elements of some senders at a time.
    const u64 at_once = std::max<u64>(1, (u64{4} << 20) / size);
    std::vector<u64> begins(to.size(), 0);
    for (std::size_t k = 1; is_scattered && k < to.size(); k++) begins[k] = begins[k - 1] + counts[k - 1];
    std::vector<u8> accumulated;
    for (u64 done = 0; done < total; done += at_once) {
        const auto count = static_cast<u32>(std::min(at_once, total - done));
        const u32 length = count * size, offset = static_cast<u32>(done * size);
        for (std::size_t begin = 0, end = 0; begin < from.size(); begin = end) {
            plan_.clear();
            for (; end < from.size() && plan_.has_room(length); end++) plan_.add(from[end].pe, from[end].send() + offset, length);
            MOG_TRY(delivery_.fetch(plan_, staging_));
            for (const Transfer &next : plan_.transfers()) {
                const u8 *const bytes_of_next = staging_.data() + next.staging;
                if (begin == 0 && &next == plan_.transfers().data()) accumulated.assign(bytes_of_next, bytes_of_next + length);
                else combine(accumulated.data(), bytes_of_next, count);
                if (delivery_.is_over_after(length)) return Error{};
            }
        }
        for (std::size_t k = 0; k < to.size(); k++) {
            const u64 low = std::max(done, begins[k]), high = std::min(done + count, begins[k] + counts[k]);
            if (low < high)
                delivery_.put(to[k].pe, static_cast<u32>(to[k].receive() + (low - begins[k]) * size),
                              std::span<const u8>(accumulated).subspan((low - done) * size, (high - low) * size));
        }
        MOG_TRY(delivery_.state());
    }
    return MPI_SUCCESS;
}

}  // namespace mog::mpi
