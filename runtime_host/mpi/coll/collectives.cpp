// collectives.cpp: who has come, and to what; what is done then.
#include "runtime_host/mpi/coll/collectives.hpp"

#include <algorithm>
#include <random>
#include <utility>

#include <fmt/format.h>

#include "abi/mpi_constants.h"

namespace mog::mpi {

namespace {

/// Collectives of one communicator that some have begun and not all have come to.
constexpr u32 most_begun = 1u << 16;

bool makes_communicators(u32 kind) {
    return kind == MOG_MPI_split || kind == MOG_MPI_create || kind == MOG_MPI_join || kind == MOG_MPI_merge;
}

/// Some 60 bits that only this process knows.
u64 make_secret() {
    std::random_device random;
    return u64{random()} << 32 | random() | 1;
}

/// A polynomial of the list at a secret place, modulo 2^61 - 1: two lists of n have the same value for at most n places.
u64 hash_of(std::span<const u32> list, u64 secret) {
    __extension__ using Wide = unsigned __int128;
    constexpr u64 modulus = (u64{1} << 61) - 1;
    const u64 at = secret % modulus;
    u64 hash = 0;
    for (const u32 rank : list) {
        const Wide product = static_cast<Wide>(hash) * at + rank + 1;
        hash = (static_cast<u64>(product) & modulus) + static_cast<u64>(product >> 61);
        if (hash >= modulus) hash -= modulus;
    }
    return hash;
}

}  // namespace

Collectives::Collectives(Communicators &communicators, Delivery &delivery, Messages &messages, const Host &host, bool checks,
                         Bridge *bridge)
    : communicators_(communicators),
      delivery_(delivery),
      messages_(messages),
      performer_(communicators, delivery),
      host_(host),
      checks_(checks),
      secret_(make_secret()) {
    if (bridge)
        spanning_ = std::make_unique<MultiProcessCollectives>(
            communicators, delivery, performer_, *bridge,
            [this](const Instance &instance, int error) {
                note_places(instance, spanning_->made());
                finish(instance, error);
            },
            [this](const Performer::Difference &difference) { return tell(difference); }, host.say);
}

void Collectives::join(const MpiCall &call) {
    const u32 *w = call.words;
    const Communicator *c = communicators_.find(w[1], w[2], call.pe);
    const u32 kind = call.operation();
    const bool waits = !call.has(MOG_MPI_NONBLOCKING);
    int error = MPI_SUCCESS;
    if (!c || (c->is_inter && c->remote == MOG_MPI_NO_CONTEXT)) error = MPI_ERR_COMM;
    // Neither has a meaning where there are two groups, and no library begins one of those that are about two groups.
    else if (c->is_inter && (kind == MOG_MPI_join || kind == MOG_MPI_create)) error = MPI_ERR_COMM;
    else if (!waits && (kind == MOG_MPI_join || kind == MOG_MPI_merge)) error = MPI_ERR_ARG;
    else if (kind == MOG_MPI_join && c->span) error = refuse_join();
    else if (w[7] == 0 ? !waits : w[7] % 4 != 0 || !delivery_.has_memory(w[7], sizeof(mog_mpi_more))) error = MPI_ERR_ARG;
    else if (!waits && (!messages_.may_begin() || (w[1] < queues_.size() && queues_[w[1]].begun.size() >= most_begun)))
        error = MPI_ERR_NO_MEM;
    if (error != MPI_SUCCESS) return delivery_.resume(call.pe, failed(error));

    Part part{call.pe, messages_.begin(call, Operation::Kind::Collective, waits ? 0 : w[7]), 0, {}};
    std::copy_n(w, 8, part.words.begin());
    if (!waits) delivery_.resume(call.pe, part.operation + 1);
    // Both groups of an intercommunicator are one list of members, in the first group's context.
    const bool is_second = c->is_inter && !c->is_first;
    const u32 context = is_second ? c->remote : w[1] & ~MOG_MPI_INTERNAL;
    const u32 first_group = !c->is_inter ? 0 : is_second ? communicators_[c->remote].size : c->size;
    const u32 members = Communicators::count_here(*c) + (c->is_inter ? communicators_[c->remote].size : 0);
    part.place = Communicators::place_here(*c, w[2]) + (is_second ? first_group : 0);
    if (is_create_group(part)) {
        group_calls_.push_back({context, part});
    } else if (members == 1) {
        ready_.push_back({context, {part}});
    } else {
        if (queues_.size() <= context) queues_.resize(context + 1);
        Queue &queue = queues_[context];
        if (queue.joined.empty()) queue.joined.resize(members, queue.ended);
        // Each counts once in each, for it goes on to the next one.
        const u32 number = queue.joined[part.place]++ - queue.ended;
        if (number == queue.begun.size()) queue.begun.push_back({context, {}, first_group});
        Instance &instance = queue.begun[number];
        instance.parts.push_back(part);
        if (instance.parts.size() < members) return;
        // It is the first one, for all have joined those before.
        complete(std::move(queue.begun.front()));
        queue.begun.pop_front();
        queue.ended++;
    }
}

/// All have come.
void Collectives::complete(Instance instance) {
    if (!std::ranges::is_sorted(instance.parts, {}, &Part::place)) std::ranges::sort(instance.parts, {}, &Part::place);
    ready_.push_back(std::move(instance));
}

Result<void> Collectives::end_round() {
    if (!group_calls_.empty()) MOG_TRY(gather_groups());
    // What is done may free communicators, not begin anything.
    for (const Instance &instance : ready_) MOG_TRY(perform(instance));
    ready_.clear();
    return {};
}

void Collectives::forget(u32 context) {
    if (context < queues_.size()) queues_[context] = {};
    if (list_.context == context) list_ = {};
    std::vector<u32> waiting;
    std::erase_if(groups_, [&](const auto &group) {
        if (std::get<0>(group.first) != context) return false;
        for (const Part &part : group.second.instance.parts) waiting.push_back(part.operation);
        return true;
    });
    for (const u32 operation : waiting) messages_.finish(operation, {MOG_MPI_DONE | static_cast<u32>(MPI_ERR_COMM) << 8, 0, 0, 0});
}

/// Calls with the same list and tag belong together; when all on the list have come, they are the members of a new communicator.
Result<void> Collectives::gather_groups() {
    for (std::size_t call = 0; call < group_calls_.size();) MOG_TRY(fetch_group_lists(call));
    group_calls_.clear();
    return {};
}

/// Of as many calls as there is room for.
Result<void> Collectives::fetch_group_lists(std::size_t &call) {
    const std::size_t first = call;
    const auto is_there = [&](u32 context, const Part &part) {
        const u32 address = part.words[3], count = part.words[4], out = part.words[5];
        return count != 0 && count <= communicators_[context].size && address % 4 == 0 && delivery_.has_memory(address, u64{4} * count) &&
               out % 4 == 0 && delivery_.has_memory(out, sizeof(mog_mpi_made));
    };
    lists_.clear();
    for (; call < group_calls_.size(); call++) {
        const auto &[context, part] = group_calls_[call];
        if (!is_there(context, part)) continue;
        if (!lists_.has_room(u64{4} * part.words[4])) break;
        lists_.add(part.pe, part.words[3], 4 * part.words[4]);
    }
    MOG_TRY(delivery_.fetch(lists_, listed_));
    auto list = lists_.transfers().begin();
    for (std::size_t i = first; i < call; i++) {
        const auto &[context, part] = group_calls_[i];
        const bool is_here = is_there(context, part);
        const u8 *const bytes = is_here ? listed_.data() + list->staging : nullptr;
        join_group(context, part, {reinterpret_cast<const u32 *>(bytes), is_here ? list++->length / 4 : 0});
        if (delivery_.is_over_after(u64{16} * part.words[4])) return Error{};
    }
    return {};
}

/// To list_. What is to be known of a list is found once, if those who give it come one after the other. False: it is not a list of ranks.
bool Collectives::know_list(u32 context, std::span<const u32> list) {
    if (list_.context == context && std::ranges::equal(list_.ranks, list)) return list_.is_set;
    const Communicator &c = communicators_[context];
    list_ = {context, {list.begin(), list.end()}, 0, !list.empty(), {}, nullptr, 0};
    if (marks_.size() < c.size) marks_.resize(c.size);
    if (++mark_ == 0) {
        std::ranges::fill(marks_, 0u);
        mark_ = 1;
    }
    for (const u32 rank : list) {
        if (rank >= c.size || std::exchange(marks_[rank], mark_) == mark_) return list_.is_set = false;
    }
    list_.hash = hash_of(list, secret_);
    if (!spanning_ || c.is_self) return list_.is_set;
    for (const u32 rank : list) list_.members.push_back(communicators_.world_rank_of(c, rank, 0));
    list_.span = communicators_.span_of(list_.members, {});
    return list_.is_set;
}

void Collectives::join_group(u32 context, const Part &part, std::span<const u32> list) {
    const auto refuse = [&](int error) { messages_.finish(part.operation, {MOG_MPI_DONE | static_cast<u32>(error) << 8, 0, 0, 0}); };
    if (list.empty() || !know_list(context, list)) return refuse(MPI_ERR_GROUP);
    // Who comes next is mostly the next on the list.
    const u32 me = part.words[2];
    if (list_.next >= list.size() || list[list_.next] != me) list_.next = static_cast<u32>(std::ranges::find(list, me) - list.begin());
    if (list_.next == list.size()) return refuse(MPI_ERR_GROUP);
    const u32 rank = list_.next++;
    // MPI_COMM_SELF is one context for all PEs.
    if (communicators_[context].is_self) return ready_.push_back({context, {part}});
    const auto key = std::tuple(context, part.words[6], static_cast<u32>(list.size()), list_.hash);
    const auto found = groups_.try_emplace(key).first;
    Group &group = found->second;
    const Span *const span = list_.span.get();
    if (group.members == 0) {
        group.instance.context = context;
        group.members = static_cast<u32>(span ? span->own().size() : list.size());
        group.has_come.resize(group.members);
    }
    Part own = part;
    own.place = span ? Communicators::place_among(span->own(), rank) : rank;
    // One that begins it twice counts once.
    if (own.place >= group.members || group.has_come[own.place]) return refuse(MPI_ERR_GROUP);
    group.has_come[own.place] = true;
    group.instance.parts.push_back(own);
    if (group.instance.parts.size() < group.members) return;
    if (span) group.instance.members = list_.members;
    complete(std::move(group.instance));
    groups_.erase(found);
}

int Collectives::refuse_join() {
    if (said_++ == 0) host_.say("MPI: MPI_Intercomm_create: both groups have to be in one process of mogrun; these are not");
    return MPI_ERR_UNSUPPORTED_OPERATION;
}

/// Of the two leaders each names the other.
Result<void> Collectives::join_groups(const Instance &instance) {
    if (instance.parts.front().root() >= instance.parts.size()) return finish(instance, MPI_ERR_ROOT), Result<void>{};
    const Part &leader = instance.parts[instance.parts.front().root()];
    mog_mpi_leader to;
    const Transfer transfer{leader.pe, leader.words[4], sizeof to, 0, false};
    if (leader.words[4] % 4 != 0 || !delivery_.has_memory(leader.words[4], sizeof to)) return finish(instance, MPI_ERR_ARG), Result<void>{};
    MOG_TRY(delivery_.fetch({&transfer, 1}, {reinterpret_cast<u8 *>(&to), sizeof to}));
    const Communicator *peers = communicators_.find(to.context, to.me, leader.pe);
    if (!peers || peers->is_inter) return finish(instance, MPI_ERR_COMM), Result<void>{};
    if (to.remote >= peers->size) return finish(instance, MPI_ERR_RANK), Result<void>{};
    const u32 own = communicators_.world_rank_of(*peers, to.me, leader.pe),
              other = communicators_.world_rank_of(*peers, to.remote, leader.pe);
    if (!communicators_.world().is_here(other)) return finish(instance, refuse_join()), Result<void>{};
    const auto found = halves_.find({to.context, to.tag, other, own});
    if (found == halves_.end()) {
        if (!halves_.try_emplace({to.context, to.tag, own, other}, instance).second) finish(instance, MPI_ERR_ARG);
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

/// For communicators that it makes. Of several processes each says so itself (multi_process.cpp).
bool Collectives::has_room(const Instance &instance) const {
    return !makes_communicators(instance.parts.front().kind()) || communicators_[instance.context].span || !instance.members.empty() ||
           communicators_.has_room(instance.parts.size());
}

Result<void> Collectives::perform(const Instance &instance) {
    const bool is_group = is_create_group(instance.parts.front());
    if (!has_room(instance)) return finish(instance, MPI_ERR_NO_MEM), Result<void>{};
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

/// Of so many members some have come, each once, with an operation of its own.
bool Collectives::is_sound(const Instance &instance, std::size_t members, std::vector<bool> &used) const {
    if (instance.context >= communicators_.count() || instance.parts.empty() || instance.parts.size() > members) return false;
    if (std::ranges::any_of(instance.members, [&](u32 rank) { return rank >= communicators_.world().size(); })) return false;
    if (!instance.members.empty() && !spanning_) return false;
    const Communicator &c = communicators_[instance.context];
    if (instance.first_group != (c.is_inter ? c.size : 0)) return false;
    std::vector<bool> has_come(members);
    for (const Part &part : instance.parts) {
        const u32 more = part.words[7];
        if (!messages_.is_collective(part.operation, part.pe) || !is_collective(part.kind()) || part.place >= members ||
            has_come[part.place])
            return false;
        if (more != 0 && (more % 4 != 0 || !delivery_.has_memory(more, sizeof(mog_mpi_more)))) return false;
        has_come[part.place] = true;
        if (part.operation >= used.size()) used.resize(part.operation + 1);
        if (used[part.operation]) return false;
        used[part.operation] = true;
    }
    return true;
}

bool Collectives::restore() {
    std::vector<bool> used;  // by operation
    if (spanning_ && !spanning_->restore([&](const Instance &instance, std::size_t members) { return is_sound(instance, members, used); }))
        return false;
    if (queues_.size() > communicators_.count()) return false;
    for (u32 context = 0; context < queues_.size(); context++) {
        const Queue &queue = queues_[context];
        const Communicator &c = communicators_[context];
        if (queue.joined.empty() && queue.begun.empty()) continue;
        // The other group may be no more, and has joined before.
        const u64 members = u64{Communicators::count_here(c)} + (c.is_inter ? c.remote_size : 0);
        if (c.is_self || queue.joined.size() != members) return false;
        if (std::ranges::any_of(queue.joined, [&](u32 joined) { return joined - queue.ended > queue.begun.size(); })) return false;
        for (const Instance &instance : queue.begun)
            if (instance.context != context || instance.parts.size() == members || !is_sound(instance, members, used)) return false;
    }
    for (const auto &[key, group] : groups_) {
        if (!is_sound(group.instance, group.members, used) || group.has_come.size() != group.members ||
            group.instance.parts.size() == group.members)
            return false;
        for (const Part &part : group.instance.parts) {
            const u32 out = part.words[5];
            if (!is_create_group(part) || !group.has_come[part.place] || out % 4 != 0 || !delivery_.has_memory(out, sizeof(mog_mpi_made)))
                return false;
        }
    }
    for (const auto &[key, half] : halves_)
        if (!is_sound(half, half.parts.size(), used) || half.parts.front().kind() != MOG_MPI_join) return false;
    return true;
}

}  // namespace mog::mpi
