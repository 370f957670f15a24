// communicators.cpp: making, finding and freeing them.
#include "runtime_host/mpi/comm/communicators.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace mog::mpi {

std::span<const u32> Span::ranks_of(u32 process) const {
    const auto at = std::ranges::lower_bound(processes, process);
    return at == processes.end() || *at != process ? std::span<const u32>() : ranks[static_cast<std::size_t>(at - processes.begin())];
}

Communicators::Communicators(const World &world, Budget &budget) : world_(world), budget_(budget) {
    all_.resize(2);
    all_[MOG_MPI_WORLD].size = world.size();
    all_[MOG_MPI_WORLD].is_identity = true;
    all_[MOG_MPI_SELF].size = 1;
    all_[MOG_MPI_SELF].is_self = true;
    all_[MOG_MPI_WORLD].left = all_[MOG_MPI_SELF].left = world.nproc;
    if (world.processes == 1) return;
    std::vector<u32> everyone(world.size());
    std::iota(everyone.begin(), everyone.end(), 0u);
    all_[MOG_MPI_WORLD].span = span_of(everyone, {});
    global_[{}] = MOG_MPI_WORLD;
}

std::shared_ptr<const Span> Communicators::span_of(const std::vector<u32> &members, const GlobalContext &id) const {
    if (std::ranges::all_of(members, [&](u32 member) { return world_.is_here(member); })) return nullptr;
    Span span;
    span.id = id;
    span.leader = world_.process_of(members.front());
    std::vector<std::vector<u32>> ranks(world_.processes);
    for (u32 rank = 0; rank < members.size(); rank++) {
        const u32 process = world_.process_of(members[rank]);
        ranks[process].push_back(rank);
        if (span.runs.empty() || span.runs.back().process != process) span.runs.push_back({process, rank, 0});
        span.runs.back().count++;
    }
    for (u32 process = 0; process < world_.processes; process++) {
        if (ranks[process].empty()) continue;
        if (process == world_.process) span.here = span.processes.size();
        span.processes.push_back(process);
        span.ranks.push_back(std::move(ranks[process]));
    }
    return std::make_shared<const Span>(std::move(span));
}

u32 Communicators::place_among(std::span<const u32> ranks, u32 rank) {
    return static_cast<u32>(std::ranges::lower_bound(ranks, rank) - ranks.begin());
}

u32 Communicators::add(std::vector<u32> members, const GlobalContext &id) {
    u32 context = count();
    if (free_.empty()) {
        all_.emplace_back();
    } else {
        context = free_.back();
        free_.pop_back();
    }
    Communicator &c = all_[context];
    c = {};
    c.size = static_cast<u32>(members.size());
    budget_.take(bytes_of_one + bytes_of_member * c.size);
    c.span = span_of(members, id);
    c.left = count_here(c);
    c.members = std::move(members);
    if (!c.span) return context;
    global_[id] = context;
    c.processes_left = static_cast<u32>(c.span->processes.size());
    if (const auto early = left_early_.extract(id)) c.processes_left -= early.mapped();
    return context;
}

std::pair<u32, u32> Communicators::add_inter(std::vector<u32> first, std::vector<u32> second) {
    const u32 a = add(std::move(first)), b = add(std::move(second));
    for (const auto &[own, other] : {std::pair(a, b), std::pair(b, a)}) {
        all_[own].is_inter = true;
        all_[own].is_first = own == a;
        all_[own].remote = other;
        all_[own].remote_size = all_[other].size;
    }
    return {a, b};
}

bool Communicators::leave(u32 context, u32 me) {
    if (context <= MOG_MPI_SELF) return false;
    Communicator &c = (*this)[context];
    if (c.has_left.empty()) c.has_left.resize(count_here(c));
    c.has_left[place_here(c, me)] = true;
    return --c.left == 0;
}

u32 Communicators::find_global(const GlobalContext &id) const {
    const auto found = global_.find(id);
    return found == global_.end() ? MOG_MPI_NO_CONTEXT : found->second;
}

void Communicators::release(u32 context) {
    Communicator &c = (*this)[context];
    if (c.span) global_.erase(c.span->id);
    if (c.remote != MOG_MPI_NO_CONTEXT) all_[c.remote].remote = MOG_MPI_NO_CONTEXT;
    budget_.give_back(bytes_of_one + bytes_of_member * c.size);
    c = {};
    free_.push_back(context);
}

std::vector<std::optional<GlobalContext>> Communicators::names() const {
    std::vector<std::optional<GlobalContext>> names;
    for (const Communicator &c : all_) names.push_back(c.span ? std::optional(c.span->id) : std::nullopt);
    return names;
}

bool Communicators::give_names(std::span<const std::optional<GlobalContext>> names) {
    global_.clear();
    if (names.size() != all_.size()) return false;
    for (u32 context = 0; context < count(); context++) {
        Communicator &c = all_[context];
        if (std::ranges::any_of(c.members, [&](u32 rank) { return rank >= world_.size(); })) return false;
        c.span = nullptr;
        std::vector<u32> members = c.members;
        if (context == MOG_MPI_WORLD) {
            members.resize(world_.size());
            std::iota(members.begin(), members.end(), 0u);
        }
        const bool is_here = std::ranges::all_of(members, [&](u32 member) { return world_.is_here(member); });
        if (is_here == names[context].has_value()) return false;
        if (is_here) continue;
        c.span = span_of(members, *names[context]);
        if (c.span->here >= c.span->processes.size() || c.span->processes[c.span->here] != world_.process) return false;
        if (!global_.emplace(c.span->id, context).second || c.processes_left > c.span->processes.size()) return false;
    }
    return true;
}

bool Communicators::is_sound() const {
    if (!names_fit_ || all_.size() <= MOG_MPI_SELF) return false;
    for (u32 context = 0; context < count(); context++) {
        const Communicator &c = all_[context];
        if (c.is_identity != (context == MOG_MPI_WORLD) || c.is_self != (context == MOG_MPI_SELF)) return false;
        const u32 size = c.is_identity ? world_.size() : c.is_self ? 1 : static_cast<u32>(c.members.size());
        if (c.size != size || c.left > std::max(size, world_.nproc) ||
            (!c.has_left.empty() && c.has_left.size() != (c.span ? count_here(c) : size)))
            return false;
        if (std::ranges::any_of(c.members, [&](u32 rank) { return rank >= world_.size(); })) return false;
        if (c.remote != MOG_MPI_NO_CONTEXT && (c.remote >= count() || !c.is_inter || all_[c.remote].remote != context)) return false;
        if (c.remote != MOG_MPI_NO_CONTEXT && c.remote_size != all_[c.remote].members.size()) return false;
    }
    return std::ranges::all_of(free_, [&](u32 context) { return context > MOG_MPI_SELF && context < count() && all_[context].size == 0; });
}

}  // namespace mog::mpi
