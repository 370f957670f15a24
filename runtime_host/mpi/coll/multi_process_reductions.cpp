// multi_process_reductions.cpp: reductions over several processes. The first run of ranks is combined where it is; what came
// of it goes to the process of the next run, which goes on with it; the last one tells those who want the result. Each
// step is done as in one process.
#include <cstring>

#include "abi/mpi_constants.h"
#include "runtime_host/mpi/coll/combine.hpp"
#include "runtime_host/mpi/coll/multi_process.hpp"

namespace mog::mpi {

namespace {

constexpr u64 most_of_run = 64u << 20;  // of all members of a run at once
constexpr u64 most_result = 1u << 30;   // that travels

bool is_scan(u32 kind) { return kind == MOG_MPI_scan || kind == MOG_MPI_exscan; }
bool is_scattered(u32 kind) { return kind == MOG_MPI_reduce_scatter || kind == MOG_MPI_reduce_scatter_block; }

bool receives(const Part &part, u32 rank) {
    return part.kind() == MOG_MPI_reduce ? rank == part.root() : part.kind() == MOG_MPI_exscan ? rank != 0 : true;
}

}  // namespace

bool MultiProcessCollectives::is_reduction(u32 kind) { return kind >= MOG_MPI_reduce && kind <= MOG_MPI_exscan; }

Result<int> MultiProcessCollectives::check_reduction(Exchange &exchange) {
    const Part &first = exchange.first();
    const u32 size = size_of_type(first.type()), kind = first.kind();
    if (size == 0) return MPI_ERR_TYPE;
    if (!find_combine(first.type(), first.reduction())) return MPI_ERR_OP;
    exchange.elements = first.count();
    if (kind == MOG_MPI_reduce_scatter) {
        const Result<int> fetched = performer_.fetch_counts(first, exchange.size, exchange.counts);
        if (!fetched || *fetched != MPI_SUCCESS) return fetched;
    } else if (kind == MOG_MPI_reduce_scatter_block) {
        exchange.counts.assign(exchange.size, first.count());
    }
    if (is_scattered(kind)) {
        exchange.elements = 0;
        for (const u32 count : exchange.counts) exchange.elements += count;
    }
    if (exchange.elements > most_result / size) return MPI_ERR_NO_MEM;
    for (std::size_t place = 0; place < exchange.instance.parts.size(); place++) {
        const Part &part = exchange.instance.parts[place];
        const u32 rank = exchange.rank_at(place);
        const u64 received = exchange.counts.empty() ? exchange.elements : exchange.counts[rank];
        if (!delivery_.has_memory(part.send(), exchange.elements * size) ||
            (receives(part, rank) && !delivery_.has_room(part.receive(), received * size)))
            return MPI_ERR_BUFFER;
    }
    return MPI_SUCCESS;
}

Result<bool> MultiProcessCollectives::advance_reduction(Exchange &exchange, Stages &stages, const Key &key) {
    const std::vector<Span::Run> &runs = exchange.span->runs;
    const Part &first = exchange.first();
    for (; exchange.next_run < runs.size(); exchange.next_run++) {
        const Span::Run &run = runs[exchange.next_run];
        if (run.process != bridge_.process()) continue;
        std::vector<u8> accumulated;
        if (exchange.next_run != 0) {
            const auto came = stages.find({static_cast<u32>(first_run + exchange.next_run), runs[exchange.next_run - 1].process});
            if (came == stages.end()) return false;
            accumulated = std::move(came->second);
        }
        MOG_TRY(combine_run(exchange, run, accumulated));
        pass_on(exchange, stages, key, std::move(accumulated));
    }
    const bool wants_result = !is_scan(first.kind()) && (first.kind() != MOG_MPI_reduce || exchange.is_here(first.root()));
    if (wants_result) {
        const auto came = stages.find({result, runs.back().process});
        if (came == stages.end()) return false;
        MOG_TRY(serve_reduced(exchange, came->second));
    }
    finish_(exchange.instance, MPI_SUCCESS);
    return true;
}

/// After a run: to the next one, or to all who want the result.
void MultiProcessCollectives::pass_on(const Exchange &exchange, Stages &stages, const Key &key, std::vector<u8> accumulated) {
    const Span &span = *exchange.span;
    const u32 kind = exchange.first().kind();
    if (const std::size_t next = exchange.next_run + 1; next < span.runs.size())
        return send(span.runs[next].process, key, static_cast<u32>(first_run + next), accumulated);
    if (is_scan(kind)) return;
    for (const u32 process : span.processes)
        if (process != bridge_.process() &&
            (kind != MOG_MPI_reduce || std::ranges::binary_search(span.ranks_of(process), exchange.first().root())))
            send(process, key, result, accumulated);
    stages[{result, bridge_.process()}] = std::move(accumulated);
}

/// Combines the members of a run into what there is of those before; for scans each gets what there is then.
Result<void> MultiProcessCollectives::combine_run(const Exchange &exchange, const Span::Run &run, std::vector<u8> &accumulated) {
    const Part &first = exchange.first();
    const u32 size = size_of_type(first.type()), kind = first.kind();
    Combine *const combine = find_combine(first.type(), first.reduction());
    const Part *const parts = &exchange.instance.parts[Communicators::place_among(exchange.span->own(), run.first)];
    accumulated.resize(exchange.elements * size);
    const u64 at_once = std::max<u64>(1, most_of_run / (u64{run.count} * size));
    std::vector<u8> before;
    for (u64 from = 0; from < exchange.elements; from += at_once) {
        const auto count = static_cast<u32>(std::min(at_once, exchange.elements - from));
        const u32 bytes = count * size, row = (bytes + 3) & ~u32{3}, offset = static_cast<u32>(from * size);
        staging_.resize(std::size_t{row} * run.count);
        transfers_.clear();
        for (u32 i = 0; i < run.count; i++) transfers_.push_back({parts[i].pe, parts[i].send() + offset, bytes, i * row, false});
        MOG_TRY(delivery_.fetch(transfers_, staging_));
        u8 *const sum = accumulated.data() + offset;
        transfers_.clear();
        for (u32 i = 0; i < run.count; i++) {
            u8 *const next = staging_.data() + std::size_t{i} * row;
            before.assign(sum, sum + bytes);
            if (run.first + i == 0) std::memcpy(sum, next, bytes);
            else combine(sum, next, count);
            if (delivery_.is_over_after(bytes)) return Error{};
            if (!is_scan(kind) || !receives(first, run.first + i)) continue;
            std::memcpy(next, kind == MOG_MPI_scan ? sum : before.data(), bytes);
            transfers_.push_back({parts[i].pe, parts[i].receive() + offset, bytes, i * row, false});
        }
        MOG_TRY(delivery_.put_many(transfers_, staging_));
    }
    return {};
}

/// Each member that wants it gets the result, or its part.
Result<void> MultiProcessCollectives::serve_reduced(const Exchange &exchange, std::span<const u8> reduced) {
    const u32 size = size_of_type(exchange.first().type()), kind = exchange.first().kind();
    if (reduced.size() != exchange.elements * size) return Error{"a result of another length came from another process"};
    std::vector<u64> begin{0};
    for (const u32 count : exchange.counts) begin.push_back(begin.back() + u64{count} * size);
    transfers_.clear();
    for (std::size_t place = 0; place < exchange.instance.parts.size(); place++) {
        const Part &part = exchange.instance.parts[place];
        const u32 rank = exchange.rank_at(place);
        if (!receives(part, rank)) continue;
        const u64 at = is_scattered(kind) ? begin[rank] : 0, bytes = is_scattered(kind) ? begin[rank + 1] - at : reduced.size();
        if (bytes == 0) continue;
        if (at % 4 == 0) transfers_.push_back({part.pe, part.receive(), static_cast<u32>(bytes), static_cast<u32>(at), false});
        else delivery_.put(part.pe, part.receive(), reduced.subspan(at, bytes));
    }
    return delivery_.put_many(transfers_, reduced);
}

}  // namespace mog::mpi
