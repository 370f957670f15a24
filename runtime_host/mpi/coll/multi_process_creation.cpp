// multi_process_creation.cpp: communicators that are made by members in several processes. Each process finds all of them, and
// makes those that have members here. The leader's process gives the number by which all name them.
#include <tuple>

#include "abi/mpi_constants.h"
#include "runtime_host/mpi/coll/multi_process.hpp"

namespace mog::mpi {

/// Split: color and key of each member here. Create: their groups, each as its length and its ranks.
Result<int> MultiProcessCollectives::collect_lists(const Exchange &exchange) {
    const std::vector<Part> &parts = exchange.instance.parts;
    if (exchange.first().kind() == MOG_MPI_create) {
        std::vector<std::vector<u32>> groups;
        const Result<int> fetched = performer_.fetch_groups(parts, exchange.span->own(), exchange.size, groups);
        if (!fetched || *fetched != MPI_SUCCESS) return fetched;
        for (const std::vector<u32> &group : groups) {
            lists_.push_back(static_cast<u32>(group.size()));
            lists_.insert(lists_.end(), group.begin(), group.end());
        }
        return MPI_SUCCESS;
    }
    for (const Part &part : parts) {
        if (out_of(part) % 4 != 0 || !delivery_.has_memory(out_of(part), sizeof(mog_mpi_made))) return MPI_ERR_ARG;
        lists_.insert(lists_.end(), {part.words[3], part.words[4]});
    }
    return MPI_SUCCESS;
}

void MultiProcessCollectives::make_nothing(const Part &part) {
    const mog_mpi_made nothing{MOG_MPI_NO_CONTEXT, 0, 0, 0};
    delivery_.put(part.pe, out_of(part), head_bytes(nothing));
}

/// A communicator of these ranks of the parent, if some are here, who are told.
void MultiProcessCollectives::make(const Exchange &exchange, const std::vector<u32> &ranks, const GlobalContext &id) {
    std::vector<u32> members;
    std::vector<std::pair<u32, u32>> here;  // places among those here of the parent, and ranks in the new one
    for (const u32 rank : ranks) {
        const auto at = std::ranges::lower_bound(exchange.span->own(), rank);
        if (at != exchange.span->own().end() && *at == rank)
            here.emplace_back(at - exchange.span->own().begin(), static_cast<u32>(members.size()));
        const std::vector<u32> &parent = exchange.instance.members.empty() ? exchange.parent : exchange.instance.members;
        members.push_back(parent.empty() ? rank : parent[rank]);
    }
    if (here.empty()) return;
    const auto size = static_cast<std::int32_t>(members.size());
    const u32 context = communicators_.add(std::move(members), id);
    made_.push_back(context);
    for (const auto &[place, rank] : here) {
        const Part &part = exchange.instance.parts[place];
        const mog_mpi_made made{context, static_cast<std::int32_t>(rank), size, 0};
        delivery_.put(part.pe, out_of(part), head_bytes(made));
    }
}

Result<int> MultiProcessCollectives::make_split(const Exchange &exchange, const Stages &stages) {
    const Span &span = *exchange.span;
    std::vector<std::tuple<std::int32_t, std::int32_t, u32>> members;  // color, key, rank
    for (const u32 process : span.processes) {
        FrameReader bytes = contribution_of(stages, process).bytes;
        for (const u32 rank : span.ranks_of(process)) {
            const auto color = bytes.take<std::int32_t>(), key = bytes.take<std::int32_t>();
            if (color >= 0) members.emplace_back(color, key, rank);
            else if (process == bridge_.process()) make_nothing(exchange.instance.parts[Communicators::place_among(span.own(), rank)]);
        }
    }
    std::ranges::sort(members);
    GlobalContext id{span.leader, contribution_of(stages, span.leader).summary.serial, 0};
    for (auto begin = members.begin(); begin != members.end(); id.group++) {
        const auto end = std::find_if(begin, members.end(), [&](const auto &member) { return std::get<0>(member) != std::get<0>(*begin); });
        std::vector<u32> ranks;
        for (; begin != end; ++begin) ranks.push_back(std::get<2>(*begin));
        make(exchange, ranks, id);
    }
    return MPI_SUCCESS;
}

/// A group with members in several processes comes from each of them.
Result<int> MultiProcessCollectives::make_created(const Exchange &exchange, const Stages &stages) {
    const Span &span = *exchange.span;
    GlobalContext id{span.leader, contribution_of(stages, span.leader).summary.serial, 0};
    std::vector<std::vector<u32>> groups;
    if (!exchange.instance.members.empty()) {
        std::vector<u32> &all = groups.emplace_back();
        for (u32 rank = 0; rank < exchange.size; rank++) all.push_back(rank);
        make(exchange, all, id);
        return MPI_SUCCESS;
    }
    std::vector<std::size_t> group_of(exchange.size, 0);  // more by one
    for (const u32 process : span.processes)
        for (FrameReader bytes = contribution_of(stages, process).bytes; !bytes.rest().empty();) {
            std::vector<u32> group(bytes.take<u32>());
            for (u32 &rank : group) rank = bytes.take<u32>();
            if (group.empty() || !bytes.is_good()) return MPI_ERR_GROUP;
            if (const std::size_t known = group_of[group.front()]; known != 0 && groups[known - 1] == group) continue;
            for (const u32 rank : group) {
                if (group_of[rank] != 0) return MPI_ERR_GROUP;
                group_of[rank] = groups.size() + 1;
            }
            groups.push_back(std::move(group));
        }
    for (std::size_t place = 0; place < exchange.instance.parts.size(); place++)
        if (group_of[exchange.rank_at(place)] == 0) make_nothing(exchange.instance.parts[place]);
    for (const std::vector<u32> &group : groups) {
        make(exchange, group, id);
        id.group++;
    }
    return MPI_SUCCESS;
}

}  // namespace mog::mpi
