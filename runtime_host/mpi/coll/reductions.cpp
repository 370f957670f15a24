// reductions.cpp: collectives that combine what all members send, in the order of ranks: ((x0 op x1) op x2) ..., whatever the operation.
#include <algorithm>
#include <cstring>

#include "abi/mpi_constants.h"
#include "runtime_host/mpi/coll/combine.hpp"
#include "runtime_host/mpi/coll/performer.hpp"

namespace mog::mpi {

namespace {

constexpr u64 most_reduced = 64u << 20;  // of all members at once

}  // namespace

/// reduce_scatter: how many elements each rank gets, as the first one has it.
Result<int> Performer::fetch_counts(const Part &part, std::size_t n, std::vector<u32> &counts) {
    mog_mpi_more more;
    if (part.more() == 0) return MPI_ERR_ARG;
    const Transfer block{part.pe, part.more(), sizeof more, 0, false};
    MOG_TRY(delivery_.fetch({&block, 1}, {reinterpret_cast<u8 *>(&more), sizeof more}));
    if (more.receive_counts % 4 != 0 || !delivery_.has_memory(more.receive_counts, 4 * n)) return MPI_ERR_ARG;
    counts.resize(n);
    const Transfer list{part.pe, more.receive_counts, static_cast<u32>(4 * n), 0, false};
    MOG_TRY(delivery_.fetch({&list, 1}, {reinterpret_cast<u8 *>(counts.data()), 4 * n}));
    return std::ranges::any_of(counts, [](u32 count) { return count > INT32_MAX; }) ? MPI_ERR_COUNT : MPI_SUCCESS;
}

Result<int> Performer::reduce(const Parts &parts) {
    const Part &first = parts.front();
    const u32 size = size_of_type(first.type()), kind = first.kind();
    Combine *const combine = find_combine(first.type(), first.reduction());
    if (size == 0) return MPI_ERR_TYPE;
    if (!combine) return MPI_ERR_OP;
    const std::size_t n = parts.size();

    // Who gets which elements.
    std::vector<u32> counts(n, first.count());
    if (kind == MOG_MPI_reduce_scatter) {
        const Result<int> fetched = fetch_counts(first, n, counts);
        if (!fetched || *fetched != MPI_SUCCESS) return fetched;
    }
    const bool is_scattered = kind == MOG_MPI_reduce_scatter || kind == MOG_MPI_reduce_scatter_block;
    std::vector<u64> begin(n, 0);
    u64 total = first.count();
    if (is_scattered) {
        total = 0;
        for (std::size_t i = 0; i < n; i++) {
            begin[i] = total;
            total += counts[i];
        }
    }
    const bool is_scan = kind == MOG_MPI_scan || kind == MOG_MPI_exscan;
    const auto receives = [&](std::size_t rank) {
        return kind == MOG_MPI_reduce ? rank == first.root() : kind == MOG_MPI_exscan ? rank != 0 : true;
    };
    for (std::size_t i = 0; i < n; i++)
        if (!delivery_.has_memory(parts[i].send(), total * size) ||
            (receives(i) && !delivery_.has_room(parts[i].receive(), u64{counts[i]} * size)))
            return MPI_ERR_BUFFER;

    const u64 at_once = std::max<u64>(1, most_reduced / (n * size));
    for (u64 from = 0; from < total; from += at_once) {
        const auto count = static_cast<u32>(std::min(at_once, total - from));
        const std::size_t bytes = std::size_t{count} * size, row = (bytes + 3) & ~std::size_t{3};
        staging_.resize(row * n);
        transfers_.clear();
        for (std::size_t i = 0; i < n; i++)
            transfers_.push_back(
                {parts[i].pe, parts[i].send() + static_cast<u32>(from * size), static_cast<u32>(bytes), static_cast<u32>(i * row), false});
        MOG_TRY(delivery_.fetch(transfers_, staging_));
        // A scan leaves in each row the result up to it; others, the result of all in the first.
        u8 *const accumulated = staging_.data();
        std::vector<u8> row_before;
        for (std::size_t i = 1; i < n; i++) {
            u8 *const next = staging_.data() + i * row;
            if (is_scan) {
                row_before.assign(next - row, next - row + bytes);
                combine(row_before.data(), next, count);
                std::memcpy(next, row_before.data(), bytes);
            } else {
                combine(accumulated, next, count);
            }
            if (delivery_.is_over_after(bytes)) return Error{};
        }
        transfers_.clear();
        for (std::size_t i = 0; i < n; i++) {
            if (!receives(i)) continue;
            // Of the elements at hand, those that are this rank's.
            const u64 low = std::max(from, begin[i]), high = std::min(from + count, begin[i] + counts[i]);
            if (low >= high) continue;
            const u64 place = (kind == MOG_MPI_scan ? i * row : kind == MOG_MPI_exscan ? (i - 1) * row : 0) + (low - from) * size;
            const u32 to = parts[i].receive() + static_cast<u32>((low - begin[i]) * size), length = static_cast<u32>((high - low) * size);
            if (place % 4 == 0) transfers_.push_back({parts[i].pe, to, length, static_cast<u32>(place), false});
            else delivery_.put(parts[i].pe, to, {staging_.data() + place, length});
        }
        MOG_TRY(delivery_.put_many(transfers_, staging_));
    }
    return MPI_SUCCESS;
}

}  // namespace mog::mpi
