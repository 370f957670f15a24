// performer.cpp: whether members agree, and collectives that move blocks without changing them.
#include "runtime_host/mpi/coll/performer.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include <fmt/format.h>

#include "abi/mpi_constants.h"
#include "runtime_host/mpi/coll/combine.hpp"

namespace mog::mpi {

namespace {

/// Which words all members have to give alike, and what these are.
struct Rule {
    u32 kind;
    bool root, count, reduction;
};

constexpr Rule rules[] = {
    {MOG_MPI_barrier, false, false, false},
    {MOG_MPI_bcast, true, true, false},
    {MOG_MPI_gather, true, true, false},
    {MOG_MPI_gatherv, true, false, false},
    {MOG_MPI_scatter, true, true, false},
    {MOG_MPI_scatterv, true, false, false},
    {MOG_MPI_allgather, false, true, false},
    {MOG_MPI_allgatherv, false, false, false},
    {MOG_MPI_alltoall, false, true, false},
    {MOG_MPI_alltoallv, false, false, false},
    {MOG_MPI_reduce, true, true, true},
    {MOG_MPI_allreduce, false, true, true},
    {MOG_MPI_reduce_scatter, false, false, true},
    {MOG_MPI_reduce_scatter_block, false, true, true},
    {MOG_MPI_scan, false, true, true},
    {MOG_MPI_exscan, false, true, true},
    {MOG_MPI_split, false, false, false},
    {MOG_MPI_create, false, false, false},
    {MOG_MPI_join, true, false, false},
    {MOG_MPI_merge, false, false, false},
};

const Rule &rule_of(u32 kind) { return *std::ranges::find(rules, kind, &Rule::kind); }

}  // namespace

bool is_collective(u32 kind) { return std::ranges::find(rules, kind, &Rule::kind) != std::end(rules); }

std::string_view name_of_collective(u32 kind) { return function_of(kind); }

bool has_root(u32 kind) { return rule_of(kind).root; }

std::array<std::string, 2> find_difference(const Part &part, u32 rank, const Part &first, u32 first_rank) {
    const Rule &rule = rule_of(first.kind());
    const auto differ = [&](std::string_view what, const auto &own, const auto &other) -> std::array<std::string, 2> {
        return {fmt::format("rank {} calls {} with {} {}", rank, function_of(rule.kind), what, own),
                fmt::format("rank {} with {}", first_rank, other)};
    };
    if (part.kind() != first.kind())
        return {fmt::format("rank {} calls {}", rank, function_of(part.kind())),
                fmt::format("rank {} {}", first_rank, function_of(rule.kind))};
    if (rule.root && part.root() != first.root()) return differ("root", static_cast<int>(part.root()), static_cast<int>(first.root()));
    if (rule.reduction && part.reduction() != first.reduction())
        return differ("operation", name_of_reduction(part.reduction()), name_of_reduction(first.reduction()));
    if (rule.reduction && part.type() != first.type()) return differ("type", name_of_type(part.type()), name_of_type(first.type()));
    if (rule.count && part.count() != first.count())
        return differ(rule.reduction ? "count" : "a number of bytes of", part.count(), first.count());
    return {};
}

/// All agree with rank 0.
bool Performer::is_same(const Instance &instance) {
    for (u32 rank = 1; rank < instance.parts.size(); rank++) {
        Difference difference{{instance.parts[rank], instance.parts.front()},
                              find_difference(instance.parts[rank], rank, instance.parts.front(), 0)};
        if (difference.texts[0].empty()) continue;
        difference_ = std::move(difference);
        return false;
    }
    return true;
}

Result<int> Performer::perform(const Instance &instance) {
    const Parts &parts = instance.parts;
    made_.clear();
    if (is_create_group(parts.front())) {
        // Who has come is the list.
        std::vector<u32> ranks(parts.size());
        std::iota(ranks.begin(), ranks.end(), 0u);
        make(parts, ranks);
        return MPI_SUCCESS;
    }
    if (instance.first_group != 0) return perform_between(instance);
    if (!is_same(instance)) return MPI_ERR_NOT_SAME;
    const Rule &rule = rule_of(parts.front().kind());
    if (rule.root && parts.front().root() >= parts.size()) return MPI_ERR_ROOT;
    switch (rule.kind) {
        case MOG_MPI_bcast: return bcast(parts);
        case MOG_MPI_gather:
        case MOG_MPI_gatherv: return gather(parts);
        case MOG_MPI_scatter:
        case MOG_MPI_scatterv: return scatter(parts);
        case MOG_MPI_allgather: return allgather(parts);
        case MOG_MPI_allgatherv: return allgatherv(parts, parts);
        case MOG_MPI_alltoall: return alltoall(parts);
        case MOG_MPI_alltoallv: return alltoallv(parts);
        case MOG_MPI_split: return split(instance);
        case MOG_MPI_create: return create(instance);
        case MOG_MPI_join: return MPI_SUCCESS;  // so far: the other group is to come
        case MOG_MPI_merge: return MPI_ERR_COMM;
        case MOG_MPI_barrier: return MPI_SUCCESS;
        default: return reduce(parts);
    }
}

/// Blocks of buffers that have one for each rank: of the members at these places, in their order. Counts and displacements of v-forms are
/// fetched from the PEs' memory. All are checked.
Result<int> Performer::fetch_blocks(const Parts &parts, Range some, u32 n, Side side, std::span<const u32> ranks,
                                    std::vector<std::vector<Block>> &blocks) {
    const u32 kind = parts.front().kind();
    const bool is_send = side == Side::Send;
    blocks.assign(ranks.size(), {});
    for (std::vector<Block> &own : blocks) own.reserve(some.size());
    if (kind != MOG_MPI_gatherv && kind != MOG_MPI_scatterv && kind != MOG_MPI_allgatherv && kind != MOG_MPI_alltoallv) {
        const u32 bytes = parts.front().count();
        for (std::size_t i = 0; i < ranks.size(); i++) {
            const u32 base = is_send ? parts[ranks[i]].send() : parts[ranks[i]].receive();
            if (!delivery_.has_buffer(base, u64{n} * bytes, !is_send)) return MPI_ERR_BUFFER;
            for (u32 k = some.begin; k < some.end; k++) blocks[i].push_back({base + k * bytes, bytes});
        }
        return MPI_SUCCESS;
    }
    plan_.clear();
    for (const u32 rank : ranks) {
        if (parts[rank].more() == 0) return MPI_ERR_ARG;
        plan_.add(parts[rank].pe, parts[rank].more(), sizeof(mog_mpi_more));
    }
    std::vector<mog_mpi_more> more(ranks.size());
    MOG_TRY(delivery_.fetch(plan_.transfers(), {reinterpret_cast<u8 *>(more.data()), more.size() * sizeof(mog_mpi_more)}));
    // Counts and displacements of some members at a time.
    std::vector<u8> numbers;
    for (std::size_t begin = 0, end = 0; begin < ranks.size(); begin = end) {
        plan_.clear();
        for (; end < ranks.size() && plan_.has_room(u64{8} * some.size()); end++) {
            const mog_mpi_more &own = more[end];
            for (const u32 address :
                 {is_send ? own.send_counts : own.receive_counts, is_send ? own.send_displacements : own.receive_displacements}) {
                if (address % 4 != 0 || !delivery_.has_memory(address, u64{4} * n)) return MPI_ERR_ARG;
                plan_.add(parts[ranks[end]].pe, address + 4 * some.begin, 4 * some.size());
            }
        }
        MOG_TRY(delivery_.fetch(plan_, numbers));
        const auto *counts = reinterpret_cast<const std::int32_t *>(numbers.data());
        for (std::size_t i = begin; i < end; i++, counts += 2 * std::size_t{some.size()}) {
            const u32 base = is_send ? parts[ranks[i]].send() : parts[ranks[i]].receive();
            const u32 unit = is_send ? more[i].send_unit : more[i].receive_unit;
            const std::int32_t *const displacements = counts + some.size();
            for (u32 k = 0; k < some.size(); k++) {
                if (counts[k] < 0) return MPI_ERR_COUNT;
                const std::int64_t at = std::int64_t{base} + std::int64_t{displacements[k]} * unit;
                const u64 bytes = static_cast<u64>(counts[k]) * unit;
                if (bytes != 0 && (at < 0 || at > UINT32_MAX || !delivery_.has_buffer(static_cast<u32>(at), bytes, !is_send)))
                    return MPI_ERR_BUFFER;
                blocks[i].push_back({bytes == 0 ? 0 : static_cast<u32>(at), static_cast<u32>(bytes)});
            }
        }
    }
    return MPI_SUCCESS;
}

Result<void> Performer::fetch_one(u32 pe, u32 address, u32 bytes) {
    plan_.clear();
    plan_.add(pe, address, bytes);
    return delivery_.fetch(plan_, staging_);
}

Result<int> Performer::bcast(const Parts &parts) {
    const Part &root = parts[parts.front().root()];
    const u32 bytes = root.count();
    for (const Part &part : parts)
        if (!delivery_.has_buffer(part.send(), bytes, &part != &root)) return MPI_ERR_BUFFER;
    // The same bytes for all: fetched once.
    for (u32 done = 0; done < bytes;) {
        const auto length = static_cast<u32>(std::min<u64>(bytes - done, most_staging));
        MOG_TRY(fetch_one(root.pe, root.send() + done, length));
        transfers_.clear();
        for (const Part &part : parts)
            if (part.pe != root.pe) transfers_.push_back({part.pe, part.send() + done, length, 0, false});
        MOG_TRY(delivery_.put_many(transfers_, staging_));
        done += length;
    }
    return MPI_SUCCESS;
}

Result<int> Performer::gather(const Parts &parts) {
    const u32 root = parts.front().root();
    std::vector<std::vector<Block>> blocks;
    const Result<int> fetched = fetch_blocks(parts, static_cast<u32>(parts.size()), Side::Receive, {&root, 1}, blocks);
    if (!fetched || *fetched != MPI_SUCCESS) return fetched;
    for (std::size_t i = 0; i < parts.size(); i++) {
        if (parts[i].count() > blocks[0][i].bytes) return MPI_ERR_TRUNCATE;
        if (!delivery_.has_memory(parts[i].send(), parts[i].count())) return MPI_ERR_BUFFER;
    }
    for (std::size_t i = 0; i < parts.size(); i++)
        delivery_.copy(parts[i].pe, parts[i].send(), parts[root].pe, blocks[0][i].address, parts[i].count());
    return MPI_SUCCESS;
}

Result<int> Performer::scatter(const Parts &parts) {
    const u32 root = parts.front().root();
    std::vector<std::vector<Block>> blocks;
    const Result<int> fetched = fetch_blocks(parts, static_cast<u32>(parts.size()), Side::Send, {&root, 1}, blocks);
    if (!fetched || *fetched != MPI_SUCCESS) return fetched;
    for (std::size_t i = 0; i < parts.size(); i++) {
        if (blocks[0][i].bytes > parts[i].count()) return MPI_ERR_TRUNCATE;
        if (!delivery_.has_room(parts[i].receive(), parts[i].count())) return MPI_ERR_BUFFER;
    }
    for (std::size_t i = 0; i < parts.size(); i++)
        delivery_.copy(parts[root].pe, blocks[0][i].address, parts[i].pe, parts[i].receive(), blocks[0][i].bytes);
    return MPI_SUCCESS;
}

/// What all members send, one after the other, is the same for all: some of it at a time is fetched and put.
Result<int> Performer::allgather(const Parts &parts) {
    const u32 block = parts.front().count();
    const u64 all = u64{block} * parts.size();
    for (const Part &part : parts)
        if (!delivery_.has_memory(part.send(), block) || !delivery_.has_room(part.receive(), all)) return MPI_ERR_BUFFER;
    for (u64 begin = 0, end = 0; begin < all; begin = end) {
        plan_.clear();
        for (end = begin; end < all;) {
            const u64 offset = end % block, bytes = std::min(block - offset, most_staging / 2);
            if (!plan_.has_room(bytes)) break;
            plan_.add(parts[end / block].pe, static_cast<u32>(parts[end / block].send() + offset), static_cast<u32>(bytes));
            end += bytes;
        }
        MOG_TRY(delivery_.fetch(plan_, staging_));
        // Devices want words to begin at words; blocks of other sizes are moved together afterwards.
        u64 at = 0;
        for (const Transfer &piece : plan_.transfers()) {
            if (piece.staging != at) std::memmove(staging_.data() + at, staging_.data() + piece.staging, piece.length);
            at += piece.length;
        }
        transfers_.clear();
        for (const Part &part : parts)
            transfers_.push_back({part.pe, static_cast<u32>(part.receive() + begin), static_cast<u32>(end - begin), 0, false});
        MOG_TRY(delivery_.put_many(transfers_, staging_));
    }
    return MPI_SUCCESS;
}

/// What each of `from` sends goes to each of `to`: the same in one group, and between the groups of an intercommunicator.
Result<int> Performer::allgatherv(const Parts &from, const Parts &to) {
    std::vector<u32> places(to.size());
    std::iota(places.begin(), places.end(), 0u);
    for (const Part &part : from)
        if (!delivery_.has_memory(part.send(), part.count())) return MPI_ERR_BUFFER;
    // Some receivers at a time: each has a list as long as there are senders.
    const std::size_t some = members_at_once(from.size());
    for (std::size_t begin = 0; begin < to.size(); begin += some) {
        const std::span<const u32> now = std::span<const u32>(places).subspan(begin, std::min(some, to.size() - begin));
        std::vector<std::vector<Block>> blocks;
        const Result<int> fetched = fetch_blocks(to, static_cast<u32>(from.size()), Side::Receive, now, blocks);
        if (!fetched || *fetched != MPI_SUCCESS) return fetched;
        for (std::size_t k = 0; k < now.size(); k++)
            for (std::size_t i = 0; i < from.size(); i++)
                if (from[i].count() > blocks[k][i].bytes) return MPI_ERR_TRUNCATE;
        for (std::size_t k = 0; k < now.size(); k++) {
            for (std::size_t i = 0; i < from.size(); i++)
                delivery_.copy(from[i].pe, from[i].send(), to[now[k]].pe, blocks[k][i].address, from[i].count());
            MOG_TRY(delivery_.state());
        }
    }
    return MPI_SUCCESS;
}

Result<int> Performer::alltoall(const Parts &parts) {
    const u32 bytes = parts.front().count();
    const u64 row = u64{bytes} * parts.size();
    for (const Part &part : parts)
        if (!delivery_.has_memory(part.send(), row) || !delivery_.has_room(part.receive(), row)) return MPI_ERR_BUFFER;
    if (bytes == 0) return MPI_SUCCESS;
    for (u32 from = 0; from < parts.size(); from++) {
        for (u32 to = 0; to < parts.size(); to++)
            delivery_.copy(parts[from].pe, parts[from].send() + to * bytes, parts[to].pe, parts[to].receive() + from * bytes, bytes);
        MOG_TRY(delivery_.state());
    }
    return MPI_SUCCESS;
}

Result<int> Performer::alltoallv(const Parts &parts) { return exchange(parts, parts); }

/// From each member of one list to each of the other one, block by block: alltoallv. Of some senders at a time, what they send and what is
/// received of them; if that is not all, all of it is looked at before anything is done.
Result<int> Performer::exchange(const Parts &from, const Parts &to) {
    const auto senders = static_cast<u32>(from.size()), receivers = static_cast<u32>(to.size());
    std::vector<u32> from_places(senders), to_places(receivers);
    std::iota(from_places.begin(), from_places.end(), 0u);
    std::iota(to_places.begin(), to_places.end(), 0u);
    const auto some = static_cast<u32>(std::min<std::size_t>(members_at_once(receivers), senders));
    std::vector<std::vector<Block>> sends, receives;
    for (const bool copies : {false, true}) {
        if (!copies && some == senders) continue;
        for (u32 begin = 0; begin < senders; begin += some) {
            const Range now{begin, std::min(senders, begin + some)};
            Result<int> fetched =
                fetch_blocks(from, receivers, Side::Send, std::span<const u32>(from_places).subspan(begin, now.size()), sends);
            if (fetched && *fetched == MPI_SUCCESS) fetched = fetch_blocks(to, now, senders, Side::Receive, to_places, receives);
            if (!fetched || *fetched != MPI_SUCCESS) return fetched;
            for (u32 i = 0; i < now.size(); i++)
                for (u32 k = 0; k < receivers; k++)
                    if (sends[i][k].bytes > receives[k][i].bytes) return MPI_ERR_TRUNCATE;
            for (u32 i = 0; copies && i < now.size(); i++) {
                for (u32 k = 0; k < receivers; k++)
                    delivery_.copy(from[begin + i].pe, sends[i][k].address, to[k].pe, receives[k][i].address, sends[i][k].bytes);
                MOG_TRY(delivery_.state());
            }
        }
    }
    return MPI_SUCCESS;
}

}  // namespace mog::mpi
