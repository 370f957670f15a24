// comm_creation.cpp: collectives that make communicators.
#include <algorithm>
#include <numeric>
#include <tuple>

#include "abi/mpi_constants.h"
#include "runtime_host/mpi/coll/performer.hpp"

namespace mog::mpi {

namespace {

std::vector<u32> places_of(const std::vector<Part> &parts) {
    std::vector<u32> places(parts.size());
    std::iota(places.begin(), places.end(), 0u);
    return places;
}

}  // namespace

/// A new communicator of these ranks of the old one, in this order, told to its members.
void Performer::make(const Parts &parts, const std::vector<u32> &ranks) {
    std::vector<u32> members;
    for (const u32 rank : ranks) members.push_back(communicators_.world().rank_of(parts[rank].pe));
    const auto size = static_cast<std::int32_t>(ranks.size());
    const u32 context = communicators_.add(std::move(members));
    made_.push_back(context);
    for (std::int32_t i = 0; i < size; i++) {
        const Part &part = parts[ranks[static_cast<std::size_t>(i)]];
        const mog_mpi_made made{context, i, size, 0};
        delivery_.put(part.pe, out_of(part), {reinterpret_cast<const u8 *>(&made), sizeof made});
    }
}

Result<int> Performer::split(const Instance &instance) {
    const Parts &parts = instance.parts;
    const auto color = [&](u32 rank) { return static_cast<std::int32_t>(parts[rank].words[3]); };
    const auto key = [&](u32 rank) { return static_cast<std::int32_t>(parts[rank].words[4]); };
    std::vector<u32> order;
    for (u32 rank = 0; rank < parts.size(); rank++) {
        if (out_of(parts[rank]) % 4 != 0 || !delivery_.has_memory(out_of(parts[rank]), sizeof(mog_mpi_made))) return MPI_ERR_ARG;
        if (color(rank) >= 0) {
            order.push_back(rank);
            continue;
        }
        const mog_mpi_made nothing{MOG_MPI_NO_CONTEXT, 0, 0, 0};
        delivery_.put(parts[rank].pe, out_of(parts[rank]), {reinterpret_cast<const u8 *>(&nothing), sizeof nothing});
    }
    std::ranges::sort(order, {}, [&](u32 rank) { return std::tuple(color(rank), key(rank), rank); });
    for (auto begin = order.begin(); begin != order.end();) {
        const auto end = std::find_if(begin, order.end(), [&](u32 rank) { return color(rank) != color(*begin); });
        make(parts, {begin, end});
        begin = end;
    }
    return MPI_SUCCESS;
}

/// Members of a group give the same list, so one of each is enough; who is not on the list that it gives, is in none.
Result<int> Performer::fetch_groups(const Parts &parts, std::span<const u32> ranks, u32 n, std::vector<std::vector<u32>> &groups) {
    for (const Part &part : parts)
        if (out_of(part) % 4 != 0 || !delivery_.has_memory(out_of(part), sizeof(mog_mpi_made))) return MPI_ERR_ARG;
    std::vector<bool> is_placed(n);
    const std::size_t at_once = std::max<std::size_t>(1, (std::size_t{4} << 20) / n);
    for (std::size_t begin = 0; begin < parts.size();) {
        // Lists of some that are in no group yet.
        std::vector<u32> asked;
        std::size_t i = begin;
        u32 words = 0;
        transfers_.clear();
        for (; i < parts.size() && asked.size() < (groups.empty() ? 1 : at_once); i++) {
            const u32 address = parts[i].words[3], count = parts[i].words[4];
            if (is_placed[ranks[i]] || count == 0) continue;
            if (count > n || address % 4 != 0 || !delivery_.has_memory(address, u64{4} * count)) return MPI_ERR_GROUP;
            asked.push_back(ranks[i]);
            transfers_.push_back({parts[i].pe, address, 4 * count, 4 * words, false});
            words += count;
        }
        begin = i;
        std::vector<u32> lists(words);
        if (!transfers_.empty()) MOG_TRY(delivery_.fetch(transfers_, {reinterpret_cast<u8 *>(lists.data()), 4 * lists.size()}));
        if (delivery_.is_over_after(u64{16} * words)) return Error{};
        for (std::size_t k = 0; k < asked.size(); k++) {
            const std::span<const u32> list(lists.data() + transfers_[k].staging / 4, transfers_[k].length / 4);
            if (is_placed[asked[k]] || std::ranges::find(list, asked[k]) == list.end()) continue;
            for (const u32 member : list) {
                if (member >= n || is_placed[member]) return MPI_ERR_GROUP;
                is_placed[member] = true;
            }
            groups.emplace_back(list.begin(), list.end());
        }
    }
    return MPI_SUCCESS;
}

Result<int> Performer::create(const Instance &instance) {
    const Parts &parts = instance.parts;
    const auto n = static_cast<u32>(parts.size());
    std::vector<u32> ranks(n);
    std::iota(ranks.begin(), ranks.end(), 0u);
    std::vector<std::vector<u32>> groups;
    const Result<int> fetched = fetch_groups(parts, ranks, n, groups);
    if (!fetched || *fetched != MPI_SUCCESS) return fetched;
    std::vector<bool> is_placed(n);
    for (const std::vector<u32> &group : groups)
        for (const u32 member : group) is_placed[member] = true;
    for (u32 rank = 0; rank < n; rank++) {
        if (is_placed[rank]) continue;
        const mog_mpi_made nothing{MOG_MPI_NO_CONTEXT, 0, 0, 0};
        delivery_.put(parts[rank].pe, out_of(parts[rank]), {reinterpret_cast<const u8 *>(&nothing), sizeof nothing});
    }
    for (const std::vector<u32> &group : groups) make(parts, group);
    return MPI_SUCCESS;
}

// ---- intercommunicators ----

bool Performer::can_tell(const Parts &parts) const {
    return std::ranges::all_of(
        parts, [&](const Part &part) { return out_of(part) % 4 == 0 && delivery_.has_memory(out_of(part), sizeof(mog_mpi_made)); });
}

int Performer::make_inter(const Parts &first, const Parts &second) {
    made_.clear();
    if (!can_tell(first) || !can_tell(second)) return MPI_ERR_ARG;
    const Parts *const groups[] = {&first, &second};
    std::vector<u32> members[2];
    for (const std::size_t g : {0u, 1u})
        for (const Part &part : *groups[g]) members[g].push_back(communicators_.world().rank_of(part.pe));
    std::vector<u32> both = members[0];
    both.insert(both.end(), members[1].begin(), members[1].end());
    std::ranges::sort(both);
    if (std::ranges::adjacent_find(both) != both.end()) return MPI_ERR_GROUP;
    const auto [a, b] = communicators_.add_inter(std::move(members[0]), std::move(members[1]));
    made_.push_back(a);
    made_.push_back(b);
    for (const std::size_t g : {0u, 1u})
        for (std::size_t i = 0; i < groups[g]->size(); i++) {
            const mog_mpi_made made{made_[made_.size() - 2 + g], static_cast<std::int32_t>(i), static_cast<std::int32_t>(groups[g]->size()),
                                    static_cast<std::int32_t>(groups[1 - g]->size())};
            delivery_.put((*groups[g])[i].pe, out_of((*groups[g])[i]), {reinterpret_cast<const u8 *>(&made), sizeof made});
        }
    return MPI_SUCCESS;
}

/// A color that only one group has makes nothing.
Result<int> Performer::split_between(const Instance &instance) {
    if (!can_tell(instance.parts)) return MPI_ERR_ARG;
    const auto color = [&](u32 i) { return static_cast<std::int32_t>(instance.parts[i].words[3]); };
    const auto is_second = [&](u32 i) { return i >= instance.first_group; };
    std::vector<u32> order = places_of(instance.parts), contexts;
    const auto key = [&](u32 i) { return static_cast<std::int32_t>(instance.parts[i].words[4]); };
    std::ranges::sort(order, {}, [&](u32 i) { return std::tuple(color(i), is_second(i), key(i), i); });
    for (auto begin = order.begin(); begin != order.end();) {
        const auto end = std::find_if(begin, order.end(), [&](u32 i) { return color(i) != color(*begin); });
        Parts groups[2];
        for (auto i = begin; i != end; ++i) groups[is_second(*i)].push_back(instance.parts[*i]);
        if (color(*begin) >= 0 && !groups[0].empty() && !groups[1].empty()) {
            const int error = make_inter(groups[0], groups[1]);
            if (error != MPI_SUCCESS) return error;
            contexts.insert(contexts.end(), made_.begin(), made_.end());
        } else {
            const mog_mpi_made nothing{MOG_MPI_NO_CONTEXT, 0, 0, 0};
            for (auto i = begin; i != end; ++i)
                delivery_.put(instance.parts[*i].pe, out_of(instance.parts[*i]), {reinterpret_cast<const u8 *>(&nothing), sizeof nothing});
        }
        begin = end;
    }
    made_ = std::move(contexts);
    return MPI_SUCCESS;
}

/// The group that does not say `high` comes first; if both say the same, the first one.
Result<int> Performer::merge(const Instance &instance) {
    if (!can_tell(instance.parts)) return MPI_ERR_ARG;
    const auto is_high = [&](u32 i) { return instance.parts[i].words[3] != 0; };
    for (u32 i = 0; i < instance.parts.size(); i++)
        if (is_high(i) != is_high(i < instance.first_group ? 0 : instance.first_group)) return MPI_ERR_ARG;
    std::vector<u32> order = places_of(instance.parts);
    if (is_high(0) && !is_high(instance.first_group)) std::ranges::rotate(order, order.begin() + instance.first_group);
    make(instance.parts, order);
    return MPI_SUCCESS;
}

}  // namespace mog::mpi
