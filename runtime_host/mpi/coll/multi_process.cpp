// multi_process.cpp: when members here have come, when the others have, and what comes of it.
#include "runtime_host/mpi/coll/multi_process.hpp"

#include <fmt/format.h>

#include "abi/mpi_constants.h"
#include "runtime_host/mpi/base/limits.hpp"

namespace mog::mpi {

namespace {

bool makes_across(u32 kind) { return kind == MOG_MPI_split || kind == MOG_MPI_create; }

}  // namespace

/// Of several on a list that is the same: how many there were before; so for those of a communicator.
MultiProcessCollectives::Key MultiProcessCollectives::key_of(const Instance &instance, const Span &span) {
    std::vector<u8> key;
    append(key, span.id);
    if (instance.members.empty()) {
        append(key, numbers_[span.id]++);
    } else {
        append(key, instance.parts.front().words[6]);
        for (const u32 member : instance.members) append(key, member);
        const u32 number = group_numbers_[key]++;
        append(key, number);
    }
    return {key.begin(), key.end()};
}

void MultiProcessCollectives::send(u32 process, const Key &key, u32 stage, std::span<const u8> bytes) {
    if (process == bridge_.process()) {
        stages_[key][{stage, process}].assign(bytes.begin(), bytes.end());
        return;
    }
    const CollectiveHead head{static_cast<u32>(key.size()), stage};
    bridge_.send(process, Frame::Collective, head_bytes(head), {reinterpret_cast<const u8 *>(key.data()), key.size()}, bytes);
}

void MultiProcessCollectives::take(u32 process, FrameReader frame) {
    const auto head = frame.take<CollectiveHead>();
    const std::span<const u8> key = frame.bytes(head.key_bytes);
    if (!frame.is_good()) return;
    const Key own(key.begin(), key.end());
    stages_[own][{head.stage, process}].assign(frame.rest().begin(), frame.rest().end());
    touched_.push_back(own);
}

/// Of those who come to it; null: all are here.
std::shared_ptr<const Span> MultiProcessCollectives::span_of(const Instance &instance) const {
    const Communicator &parent = communicators_[instance.context];
    return instance.members.empty() || !parent.span ? parent.span : communicators_.span_of(instance.members, parent.span->id);
}

bool MultiProcessCollectives::restore(const std::function<bool(const Instance &, std::size_t)> &is_sound) {
    for (auto &[key, exchange] : exchanges_) {
        if (exchange.instance.context >= communicators_.count() || exchange.instance.parts.empty()) return false;
        const std::vector<u32> &members = exchange.instance.members;
        if (std::ranges::any_of(members, [&](u32 rank) { return rank >= communicators_.world().size(); })) return false;
        exchange.span = span_of(exchange.instance);
        const u32 size = members.empty() ? communicators_[exchange.instance.context].size : static_cast<u32>(members.size());
        if (!exchange.span || exchange.size != size || exchange.next_run > exchange.span->runs.size()) return false;
        if (exchange.instance.parts.size() != exchange.span->own().size() || !is_sound(exchange.instance, exchange.instance.parts.size()))
            return false;
        if ((!exchange.parent.empty() && exchange.parent.size() != size) || (!exchange.counts.empty() && exchange.counts.size() != size))
            return false;
        for (std::size_t place = 0; place < exchange.instance.parts.size(); place++)
            if (exchange.instance.parts[place].place != place && members.empty()) return false;
    }
    return true;
}

Result<void> MultiProcessCollectives::begin(Instance instance) {
    const Communicator &parent = communicators_[instance.context];
    Exchange exchange;
    const u32 kind = instance.parts.front().kind();
    exchange.span = span_of(instance);
    if (!exchange.span || exchange.span->own().size() != instance.parts.size()) {
        // Somebody has freed it more than once.
        finish_(instance, MPI_ERR_COMM);
        return {};
    }
    exchange.size = instance.members.empty() ? parent.size : static_cast<u32>(instance.members.size());
    if (makes_across(kind)) exchange.parent = parent.members;
    exchange.instance = std::move(instance);
    const Key key = key_of(exchange.instance, *exchange.span);
    std::string difference;
    const Result<int> collected = collect(exchange, difference);
    if (!collected) return collected.error();
    const u32 serial = makes_across(kind) && exchange.span->leader == bridge_.process() ? bridge_.next_serial() : 0;
    const Summary summary{
        exchange.first().words, exchange.elements, exchange.rank_at(0), *collected, serial, static_cast<u32>(difference.size())};
    std::vector<u8> bytes;
    for (const u32 process : exchange.span->processes) {
        bytes.clear();
        append(bytes, summary);
        bytes.insert(bytes.end(), difference.begin(), difference.end());
        if (*collected == MPI_SUCCESS) append_blocks(exchange, process, bytes);
        send(process, key, contributed, bytes);
    }
    exchanges_.emplace(key, std::move(exchange));
    touched_.push_back(key);
    return {};
}

/// Looks at what the members here give. An error class, of which all others are told.
Result<int> MultiProcessCollectives::collect(Exchange &exchange, std::string &difference) {
    const std::vector<Part> &parts = exchange.instance.parts;
    const u32 kind = exchange.first().kind();
    blocks_.clear();
    lists_.clear();
    if (!exchange.instance.members.empty()) return communicators_.has_room(exchange.size) ? MPI_SUCCESS : MPI_ERR_NO_MEM;
    for (std::size_t place = 1; place < parts.size(); place++) {
        const std::array<std::string, 2> texts = find_difference(parts[place], exchange.rank_at(place), parts.front(), exchange.rank_at(0));
        if (texts[0].empty()) continue;
        difference = describe_({{parts[place], parts.front()}, texts});
        return MPI_ERR_NOT_SAME;
    }
    if (has_root(kind) && exchange.first().root() >= exchange.size) return MPI_ERR_ROOT;
    if (kind == MOG_MPI_barrier) return MPI_SUCCESS;
    if (is_reduction(kind)) return check_reduction(exchange);
    if (makes_across(kind) && !communicators_.has_room(parts.size())) return MPI_ERR_NO_MEM;
    return makes_across(kind) ? collect_lists(exchange) : collect_blocks(exchange);
}

MultiProcessCollectives::Contribution MultiProcessCollectives::contribution_of(const Stages &stages, u32 process) {
    FrameReader reader(stages.at({contributed, process}));
    const auto summary = reader.take<Summary>();
    const std::span<const u8> text = reader.bytes(summary.text_bytes);
    return {summary, {text.begin(), text.end()}, reader};
}

/// All have contributed: the same error class in all processes. The leader's tells of members that differ.
int MultiProcessCollectives::verdict(const Exchange &exchange, const Stages &stages) {
    const Span &span = *exchange.span;
    const Summary first = contribution_of(stages, span.leader).summary;
    int error = MPI_SUCCESS;
    for (const u32 process : span.processes) {
        auto [summary, difference, bytes] = contribution_of(stages, process);
        if (exchange.instance.members.empty() && difference.empty()) {
            Part one, other;
            one.words = summary.words;
            other.words = first.words;
            const std::array<std::string, 2> texts = find_difference(one, summary.first_rank, other, first.first_rank);
            if (!texts[0].empty()) difference = texts[0] + ", " + texts[1];
            if (difference.empty() && summary.error == MPI_SUCCESS && first.error == MPI_SUCCESS && summary.elements != first.elements)
                difference = fmt::format("rank {} gives counts of {} elements in all, rank {} of {}", summary.first_rank, summary.elements,
                                         first.first_rank, first.elements);
        }
        if (!difference.empty()) {
            if (span.leader == bridge_.process() && said_++ < most_sayings)
                say_(fmt::format("MPI: members of a communicator do not agree: {}", difference));
            return MPI_ERR_NOT_SAME;
        }
        if (error == MPI_SUCCESS) error = summary.error;
    }
    return error;
}

Result<bool> MultiProcessCollectives::advance() {
    bool has_ended = false;
    std::vector<Key> touched;
    touched.swap(touched_);
    for (const Key &key : touched) {
        const auto found = exchanges_.find(key);
        if (found == exchanges_.end()) continue;
        const Result<bool> ended = advance_one(found->second, stages_[key], key);
        if (!ended) return ended.error();
        if (!*ended) continue;
        has_ended = true;
        exchanges_.erase(found);
        stages_.erase(key);
    }
    return has_ended;
}

/// True: it is done.
Result<bool> MultiProcessCollectives::advance_one(Exchange &exchange, Stages &stages, const Key &key) {
    if (!exchange.is_agreed) {
        for (const u32 process : exchange.span->processes)
            if (!stages.contains({contributed, process})) return false;
        if (const int error = verdict(exchange, stages); error != MPI_SUCCESS) {
            finish_(exchange.instance, error);
            return true;
        }
        exchange.is_agreed = true;
    }
    made_.clear();
    if (is_reduction(exchange.first().kind())) return advance_reduction(exchange, stages, key);
    const Result<int> error = serve_members(exchange, stages);
    if (!error) return error.error();
    finish_(exchange.instance, *error);
    return true;
}

Result<int> MultiProcessCollectives::serve_members(const Exchange &exchange, const Stages &stages) {
    switch (exchange.first().kind()) {
        case MOG_MPI_barrier: return MPI_SUCCESS;
        case MOG_MPI_bcast: return serve_bcast(exchange, stages);
        case MOG_MPI_split: return make_split(exchange, stages);
        case MOG_MPI_create: return make_created(exchange, stages);
        default: return serve_blocks(exchange, stages);
    }
}

}  // namespace mog::mpi
