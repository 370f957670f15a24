// stuck.cpp: what PEs wait for that nobody will do: the words of the deadlock report.
#include <map>

#include <fmt/format.h>

#include "runtime_host/faults.hpp"
#include "runtime_host/mpi/engine.hpp"
#include "runtime_pe/include/mpi.h"

namespace mog::mpi {

namespace {

std::string communicator(u32 context, const Communicators &communicators) {
    const u32 own = context & ~MOG_MPI_INTERNAL;
    if (own == MOG_MPI_WORLD) return "MPI_COMM_WORLD";
    if (own == MOG_MPI_SELF) return "MPI_COMM_SELF";
    return fmt::format("a communicator of {} ranks (context {})", communicators[own].size, own);
}

std::string tag(std::int32_t tag) {
    return tag == MPI_ANY_TAG ? "any tag" : fmt::format("tag {}", tag);
}

}  // namespace

/// What it waits for; "{}" in it stands for the peer.
Stuck Messages::describe(const Operation &o) const {
    const std::string where = fmt::format("{}, {}", tag(o.tag), communicator(o.context, communicators_));
    const std::string of_wait = o.has(Operation::blocking) ? "" : ", which was begun earlier";
    switch (o.kind) {
        case Operation::Kind::Send:
            return {o.pe, fmt::format("sends {} bytes to {{}}{}, which nobody receives: {}{}", o.bytes,
                                      (o.context & ~MOG_MPI_INTERNAL) == MOG_MPI_WORLD ? "" : " of MPI_COMM_WORLD", where, of_wait), static_cast<std::int64_t>(o.to)};
        case Operation::Kind::Receive:
        case Operation::Kind::Probe:
            if (o.peer == MPI_ANY_SOURCE) return {o.pe, fmt::format("waits for a message from any source, {}{}", where, of_wait), {}};
            return {o.pe, fmt::format("waits for a message from {{}}, {}{}", where, of_wait), o.peer};
        default:
            return {o.pe, "waits", {}};
    }
}

std::vector<Stuck> Messages::stuck(const std::map<u32, std::string> &collectives) const {
    std::vector<Stuck> all;
    std::vector<bool> is_told(pes_.size());
    for (u32 i = 0; i < table_.count(); i++) {
        const Operation &o = table_[i];
        if (o.kind == Operation::Kind::Free || o.kind == Operation::Kind::Held || o.has(Operation::detached) || is_told[o.pe]) continue;
        const Pe &pe = pes_[o.pe];
        if (!o.has(Operation::blocking) && !(pe.need != 0 && o.epoch == pe.epoch)) continue;
        is_told[o.pe] = true;
        if (const auto found = collectives.find(i); found != collectives.end()) all.push_back({o.pe, found->second, {}});
        else all.push_back(describe(o));
    }
    return all;
}

/// By operation: "is in MPI_Barrier of MPI_COMM_WORLD, to which ranks 0-2 have not come".
std::map<u32, std::string> Collectives::stuck() const {
    std::map<u32, std::string> all;
    for (const Queue &queue : queues_)
        for (const Instance &instance : queue.begun) {
            std::vector<u32> missing;
            for (u32 rank = 0; rank < instance.parts.size(); rank++)
                if (instance.parts[rank].operation == none) missing.push_back(rank);
            for (const Part &part : instance.parts)
                if (part.operation != none)
                    all[part.operation] = fmt::format("is in {} of {}, to which rank{} {} {} not come", name_of_collective(part.kind()),
                                                      communicator(instance.context, communicators_), missing.size() == 1 ? "" : "s",
                                                      fold_ranks(missing), missing.size() == 1 ? "has" : "have");
        }
    for (const auto &[key, instance] : groups_)
        for (const Part &part : instance.parts)
            if (part.operation != none) all[part.operation] = "is in MPI_Comm_create_group, to which not all on its list have come";
    return all;
}

std::vector<std::string> Messages::leftovers() const {
    struct Kind {
        std::string_view one, several;
        u32 count = 0;
        const Operation *first = nullptr;
    } kinds[] = {{"message was never received", "messages were never received"},
                 {"receive was begun and never done", "receives were begun and never done"}};
    for (u32 i = 0; i < table_.count(); i++) {
        const Operation &o = table_[i];
        // What a PE waited for when it ended otherwise has been told.
        if (o.has(Operation::blocking) && !o.has(Operation::detached)) continue;
        if (o.kind == Operation::Kind::Free || o.kind == Operation::Kind::Collective || o.kind == Operation::Kind::Probe) continue;
        Kind &kind = kinds[o.kind == Operation::Kind::Receive];
        if (kind.count++ == 0 || o.pe < kind.first->pe) kind.first = &o;
    }
    std::vector<std::string> all;
    for (const Kind &kind : kinds) {
        if (kind.count == 0) continue;
        const Operation &o = *kind.first;
        const std::string which = o.kind == Operation::Kind::Receive ? fmt::format("of PE {}", o.pe) : fmt::format("from PE {} to PE {}", o.pe, o.to);
        all.push_back(fmt::format("MPI: {} {}; {}{}, {}, {}", kind.count, kind.count == 1 ? kind.one : kind.several, kind.count == 1 ? "" : "the first ",
                                  which, tag(o.tag), communicator(o.context, communicators_)));
    }
    return all;
}

std::vector<std::string> Engine::leftovers() const {
    std::vector<std::string> all = messages_.leftovers();
    u32 left = 0;
    for (u32 context = MOG_MPI_SELF + 1; context < communicators_.count(); context++) left += communicators_[context].left != 0;
    if (left != 0) all.push_back(fmt::format("MPI: {} communicator{} never freed", left, left == 1 ? " was" : "s were"));
    return all;
}

std::vector<Stuck> Engine::stuck() const {
    std::vector<Stuck> all = messages_.stuck(collectives_.stuck());
    for (const u32 pe : finalizing_) all.push_back({pe, "is in MPI_Finalize, to which not all have come", {}});
    return all;
}

}  // namespace mog::mpi
