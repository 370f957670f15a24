// deadlock.cpp: what PEs wait for that nobody will do: the words of the deadlock report.
#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include "abi/mpi_constants.h"
#include "runtime_host/faults/faults.hpp"
#include "runtime_host/mpi/engine.hpp"
#include "runtime_host/mpi/tools/call_names.hpp"

namespace mog::mpi {

/// What it waits for; "{}" in it stands for the peer.
Blocked Messages::describe(const Operation &o, bool asks_on) const {
    const std::string where = fmt::format("{}, {}", name_of_tag(o.tag), name_of_communicator(o.context, communicators_));
    const std::string of_wait = o.has(Operation::blocking) || asks_on ? "" : ", which was begun earlier";
    switch (o.kind) {
        case Operation::Kind::Send:
            return {o.pe,
                    fmt::format("sends {} bytes to {{}}{}, which nobody receives: {}{}", o.bytes,
                                (o.context & ~MOG_MPI_INTERNAL) == MOG_MPI_WORLD ? "" : " of MPI_COMM_WORLD", where, of_wait),
                    static_cast<std::int64_t>(receiver_of(o))};
        case Operation::Kind::Held:
            return {o.pe,
                    fmt::format("sends {} bytes to {{}}, which has taken the message by MPI_Mprobe and does not receive it: {}{}", o.bytes,
                                where, of_wait),
                    static_cast<std::int64_t>(receiver_of(o))};
        case Operation::Kind::Receive:
        case Operation::Kind::Probe:
            if (o.peer == MPI_ANY_SOURCE) return {o.pe, fmt::format("waits for a message from any source, {}{}", where, of_wait), {}};
            return {o.pe, fmt::format("waits for a message from {{}}, {}{}", where, of_wait), o.peer};
        case Operation::Kind::Arriving:
            return {o.pe, fmt::format("waits for the bytes of a message from {{}}, {}{}", where, of_wait), o.peer};
        default: return {o.pe, "waits", {}};
    }
}

std::vector<Blocked> Messages::blocked(const std::map<u32, std::string> &collectives, std::span<const u32> asking) const {
    std::vector<Blocked> all;
    std::vector<bool> is_told(pes_.size());
    for (u32 i = 0; i < table_.count(); i++) {
        const Operation &o = table_[i];
        if (o.kind == Operation::Kind::Free || o.has(Operation::detached) || is_told[o.pe]) continue;
        const bool asks_on = std::ranges::binary_search(asking, o.pe);
        if (!is_waited_for(i) && !asks_on) continue;
        is_told[o.pe] = true;
        if (const auto found = collectives.find(i); found != collectives.end()) all.push_back({o.pe, found->second, {}});
        else all.push_back(describe(o, asks_on));
    }
    return all;
}

/// All members here have come, and those of some processes have not.
void MultiProcessCollectives::blocked(const std::function<void(const Part &, std::string)> &tell) const {
    for (const auto &[key, exchange] : exchanges_) {
        const auto stages = stages_.find(key);
        std::vector<u32> missing;
        for (const u32 process : exchange.span->processes)
            if (stages == stages_.end() || !stages->second.contains({contributed, process})) missing.push_back(process);
        for (const Part &part : exchange.instance.parts)
            tell(part, fmt::format("is in {} of {}, to which not all ranks of process{} {} have come", name_of_collective(part.kind()),
                                   name_of_communicator(exchange.instance.context, communicators_), missing.size() == 1 ? "" : "es",
                                   fold_ranks(missing)));
    }
}

namespace {

/// "rank 2", "ranks 0-1, 3 of the second group"
std::string who(const std::vector<u32> &ranks, std::string_view of) {
    return fmt::format("rank{} {}{}", ranks.size() == 1 ? "" : "s", fold_ranks(ranks), of);
}

}  // namespace

/// By operation: "is in MPI_Barrier of MPI_COMM_WORLD, to which ranks 0-2 have not come".
std::map<u32, std::string> Collectives::blocked() const {
    std::map<u32, std::string> all;
    const auto is_waited_for = [&](const Part &part) { return messages_.is_waited_for(part.operation); };
    for (const Queue &queue : queues_)
        for (const Instance &instance : queue.begun) {
            if (std::ranges::none_of(instance.parts, is_waited_for)) continue;
            std::vector<u32> missing, of_second;
            const Communicator &c = communicators_[instance.context];
            std::vector<bool> has_come(queue.joined.size());
            for (const Part &part : instance.parts) has_come[part.place] = true;
            for (u32 place = 0; place < has_come.size(); place++) {
                if (has_come[place]) continue;
                if (instance.first_group == 0) missing.push_back(Communicators::rank_at(c, place));
                else if (place < instance.first_group) missing.push_back(place);
                else of_second.push_back(place - instance.first_group);
            }
            std::string text = missing.empty() ? "" : who(missing, instance.first_group == 0 ? "" : " of the first group");
            if (!of_second.empty()) text += (text.empty() ? "" : " and ") + who(of_second, " of the second group");
            text += missing.size() + of_second.size() == 1 ? " has" : " have";
            for (const Part &part : instance.parts)
                all[part.operation] = fmt::format("is in {} of {}, to which {} not come", name_of_collective(part.kind()),
                                                  name_of_communicator(instance.context, communicators_), text);
        }
    for (const auto &[key, half] : halves_)
        for (const Part &part : half.parts) all[part.operation] = "is in MPI_Intercomm_create, to which the other group has not come";
    if (spanning_) spanning_->blocked([&](const Part &part, std::string text) { all[part.operation] = std::move(text); });
    for (const auto &[key, group] : groups_)
        for (const Part &part : group.instance.parts)
            all[part.operation] = "is in MPI_Comm_create_group, to which not all on its list have come";
    return all;
}

std::vector<Blocked> Engine::blocked(std::span<const u32> asking) const {
    // Of a round that was left nobody can say what would have come of it.
    if (delivery_.was_over()) return {};
    std::vector<Blocked> all = messages_.blocked(collectives_.blocked(), asking);
    std::ranges::move(windows_.blocked(), std::back_inserter(all));
    for (const u32 pe : finalizing_) all.push_back({pe, "is in MPI_Finalize, to which not all have come", {}});
    return all;
}

}  // namespace mog::mpi
