// collectives.cpp
#include "runtime_host/mpi/collectives.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "runtime_pe/include/mpi.h"

namespace mog::mpi {

namespace {

u32 failed(int error_class) { return static_cast<u32>(-error_class); }

constexpr u32 most_sayings = 10;

}  // namespace

Collectives::Collectives(Communicators &communicators, Delivery &delivery, Messages &messages, const Host &host, bool checks, Bridge *bridge)
    : communicators_(communicators),
      delivery_(delivery),
      messages_(messages),
      performer_(communicators, delivery),
      host_(host),
      checks_(checks) {
    if (bridge)
        spanning_ = std::make_unique<SpanningCollectives>(
            communicators, delivery, performer_, *bridge, [this](const Instance &instance, int error) {
                note_places(instance, spanning_->made());
                finish(instance, error);
            },
            [this](const Performer::Difference &difference) { return tell(difference); }, host.say);
}

void Collectives::join(const MpiCall &call) {
    const u32 *w = call.words;
    const Communicator *c = communicators_.find(w[1], w[2], call.pe);
    int error = MPI_SUCCESS;
    if (!c || (c->is_inter && c->remote == MOG_MPI_NO_CONTEXT)) error = MPI_ERR_COMM;
    else if (call.operation() == MOG_MPI_join && c->span) error = refuse_join();
    else if (w[7] == 0 ? call.has(MOG_MPI_NONBLOCKING) : w[7] % 4 != 0 || !delivery_.in_data(w[7], sizeof(mog_mpi_more))) error = MPI_ERR_ARG;
    if (error != MPI_SUCCESS) return delivery_.resume(call.pe, failed(error));

    Part part{call.pe, messages_.begin(call, Operation::Kind::Collective, call.has(MOG_MPI_NONBLOCKING) ? w[7] : 0), {}};
    std::copy_n(w, 8, part.words.begin());
    if (call.has(MOG_MPI_NONBLOCKING)) delivery_.resume(call.pe, part.operation + 1);
    // Both groups of an intercommunicator are one list of members, in the first group's context.
    const bool is_second = c->is_inter && !c->is_first;
    const u32 context = is_second ? c->remote : w[1] & ~MOG_MPI_INTERNAL;
    const u32 first_group = !c->is_inter ? 0 : is_second ? communicators_[c->remote].size : c->size;
    const u32 members = Communicators::count_here(*c) + (c->is_inter ? communicators_[c->remote].size : 0);
    const u32 place = Communicators::place_here(*c, w[2]) + (is_second ? first_group : 0);
    if (is_create_group(part)) {
        group_calls_.push_back({context, part});
    } else if (members == 1) {
        ready_.push_back({context, 1, {part}});
    } else {
        if (queues_.size() <= context) queues_.resize(context + 1);
        Queue &queue = queues_[context];
        if (queue.joined.empty()) queue.joined.resize(members, queue.ended);
        const u32 number = queue.joined[place]++ - queue.ended;
        if (number == queue.begun.size()) queue.begun.push_back({context, 0, std::vector<Part>(members), first_group});
        Instance &instance = queue.begun[number];
        instance.parts[place] = part;
        if (++instance.arrived < members) return;
        // It is the first one, for all have joined those before.
        ready_.push_back(std::move(queue.begun.front()));
        queue.begun.pop_front();
        queue.ended++;
    }
}

Result<void> Collectives::end_round() {
    if (!group_calls_.empty()) MOG_TRY(gather_groups());
    // What is done may free communicators, not begin anything.
    for (const Instance &instance : ready_) MOG_TRY(perform(instance));
    ready_.clear();
    return {};
}

/// Calls with the same list and tag belong together; when all on the list have come, they are the members of a new communicator.
Result<void> Collectives::gather_groups() {
    std::vector<Transfer> transfers;
    u32 words = 0;
    for (const auto &[context, part] : group_calls_) {
        const u32 address = part.words[3], count = part.words[4];
        const bool is_there = count != 0 && count <= communicators_[context].size && address % 4 == 0 && delivery_.in_data(address, u64{4} * count) &&
                              delivery_.in_data(part.words[5], sizeof(mog_mpi_made));
        transfers.push_back({part.pe, address, is_there ? 4 * count : 0, 4 * words, false});
        words += is_there ? count : 0;
    }
    std::vector<Transfer> some;
    std::ranges::copy_if(transfers, std::back_inserter(some), [](const Transfer &t) { return t.length != 0; });
    std::vector<u32> lists(words);
    if (!some.empty()) MOG_TRY(delivery_.fetch(some, {reinterpret_cast<u8 *>(lists.data()), 4 * lists.size()}));
    for (std::size_t i = 0; i < transfers.size(); i++) {
        const auto &[context, part] = group_calls_[i];
        const auto begin = lists.begin() + transfers[i].staging / 4;
        std::vector<u32> list(begin, begin + transfers[i].length / 4);
        const auto own = std::ranges::find(list, part.words[2]);
        std::vector<u32> sorted = list;
        std::ranges::sort(sorted);
        const bool is_set = std::ranges::adjacent_find(sorted) == sorted.end() && !sorted.empty() && sorted.back() < communicators_[context].size;
        if (own == list.end() || !is_set) {
            messages_.finish(part.operation, {MOG_MPI_DONE | static_cast<u32>(MPI_ERR_GROUP) << 8, 0, 0, 0});
            continue;
        }
        const auto rank = static_cast<u32>(own - list.begin());
        std::vector<u32> members;
        for (const u32 member : list) members.push_back(communicators_.world_rank_of(communicators_[context], member, part.pe));
        const std::shared_ptr<const Span> span = communicators_.span_of(members, {});
        const auto key = std::tuple(context, part.words[6], std::move(list));
        Instance &instance = groups_[key];
        instance.context = context;
        instance.parts.resize(span ? span->own().size() : sorted.size());
        instance.parts[span ? Communicators::place_among(span->own(), rank) : rank] = part;
        if (span) instance.members = std::move(members);
        if (++instance.arrived < instance.parts.size()) continue;
        ready_.push_back(std::move(instance));
        groups_.erase(key);
    }
    group_calls_.clear();
    return {};
}

int Collectives::refuse_join() {
    if (said_++ == 0) host_.say("MPI: MPI_Intercomm_create: both groups have to be in one process of mogrun; these are not");
    return MPI_ERR_UNSUPPORTED_OPERATION;
}

/// Of the two leaders each names the other.
Result<void> Collectives::join_groups(const Instance &instance) {
    const Part &leader = instance.parts[instance.parts.front().root()];
    mog_mpi_leader to;
    const Transfer transfer{leader.pe, leader.words[4], sizeof to, 0, false};
    if (leader.words[4] % 4 != 0 || !delivery_.in_data(leader.words[4], sizeof to)) return finish(instance, MPI_ERR_ARG), Result<void>{};
    MOG_TRY(delivery_.fetch({&transfer, 1}, {reinterpret_cast<u8 *>(&to), sizeof to}));
    const Communicator *peers = communicators_.find(to.context, to.me, leader.pe);
    if (!peers || peers->is_inter) return finish(instance, MPI_ERR_COMM), Result<void>{};
    if (to.remote >= peers->size) return finish(instance, MPI_ERR_RANK), Result<void>{};
    const u32 own = communicators_.world_rank_of(*peers, to.me, leader.pe), other = communicators_.world_rank_of(*peers, to.remote, leader.pe);
    if (!communicators_.world().is_here(other)) return finish(instance, refuse_join()), Result<void>{};
    const auto found = halves_.find({to.context, to.tag, other, own});
    if (found == halves_.end()) {
        halves_.insert_or_assign({to.context, to.tag, own, other}, instance);
        return {};
    }
    const Instance half = std::move(found->second);
    halves_.erase(found);
    const int error = performer_.make_inter(half.parts, instance.parts);
    note_places(instance, performer_.made());
    finish(half, error);
    finish(instance, error);
    return {};
}

void Collectives::finish(const Instance &instance, int error_class) {
    for (const Part &part : instance.parts)
        messages_.finish(part.operation, {MOG_MPI_DONE | static_cast<u32>(error_class) << 8, MPI_ANY_SOURCE, MPI_ANY_TAG, 0});
}

std::string Collectives::tell(const Performer::Difference &difference) const {
    std::string text;
    for (std::size_t i = 0; i < 2; i++) {
        const Part &part = difference.parts[i];
        // After a nonblocking call its PE stands elsewhere.
        const bool stands_there = !(part.words[0] >> 8 & MOG_MPI_NONBLOCKING);
        const std::string place = stands_there ? host_.place_of(part.pe) : "";
        text += (i == 0 ? "" : "; ") + difference.texts[i] + (place.empty() ? "" : ", " + place);
    }
    return text;
}

/// With checks: where communicators were made.
void Collectives::note_places(const Instance &instance, std::span<const u32> made) {
    if (!checks_ || made.empty()) return;
    const std::string place = host_.place_of(instance.parts.front().pe);
    for (const u32 context : made) communicators_[context].place = place;
}

Result<void> Collectives::perform(const Instance &instance) {
    const bool is_group = is_create_group(instance.parts.front());
    if (is_group ? !instance.members.empty() : communicators_[instance.context].span != nullptr) return spanning_->begin(instance);
    const Result<int> error = performer_.perform(instance);
    if (!error) return error.error();
    if (*error == MPI_SUCCESS && instance.parts.front().kind() == MOG_MPI_join) return join_groups(instance);
    if (*error == MPI_ERR_NOT_SAME && said_++ < most_sayings)
        host_.say("MPI: members of a communicator do not agree: " + tell(performer_.difference()));
    note_places(instance, performer_.made());
    finish(instance, *error);
    return {};
}

}  // namespace mog::mpi
