// convergence.cpp: through which heads of loops control is led in, and where ways join: at immediate post-dominators.
#include "assembler/blocks/convergence.hpp"

#include <algorithm>

#include "assembler/analysis/dominators.hpp"
#include "assembler/analysis/graph.hpp"

namespace mog {

namespace {

using u32 = std::uint32_t;

/// What can be reached from `from` without `without`; itself included.
std::vector<u32> reach_without(const mog::Graph &flow, u32 from, u32 without) {
    std::vector<bool> met(flow.size());
    std::vector<u32> found = {from};
    met[from] = met[without] = true;
    for (std::size_t i = 0; i < found.size(); ++i)
        for (const u32 to : flow.successors(found[i]))
            if (!met[to]) {
                met[to] = true;
                found.push_back(to);
            }
    return found;
}

}  // namespace

Convergence::Convergence(const Graph &graph)
    : blocks_(graph.blocks),
      has_hub_(graph.has_hub),
      // A loop is one though there are calls in it; but its lanes part at those. Entries are no roots: they are what is to be led
      // elsewhere.
      loops_(graph_of(graph, true)) {
    const mog::Graph flow = graph_of(graph, false);
    std::vector<u32> exits;
    for (u32 node = 0; node < flow.size(); ++node)
        if (graph.leaves(blocks_[node]) || flow.successors(node).empty()) exits.push_back(node);
    find_heads(graph);
    find_bottoms(graph, flow, exits);
    find_landings(graph, flow, exits);
}

u32 Convergence::node_of(u32 block) const { return static_cast<u32>(std::ranges::lower_bound(blocks_, block) - blocks_.begin()); }

mog::Graph Convergence::graph_of(const Graph &graph, bool with_calls) const {
    return mog::Graph(static_cast<u32>(blocks_.size()), [&](u32 node) {
        std::vector<u32> after;
        if (!with_calls && graph.calls(blocks_[node])) return after;
        for (const u32 next : graph.successors(blocks_[node]))
            if (std::ranges::find(after, node_of(next)) == after.end()) after.push_back(node_of(next));
        return after;
    });
}

u32 Convergence::way_in(u32 entry) const {
    const auto around = way_in_.find(entry);
    return around == way_in_.end() ? entry : around->second;
}

const std::map<u32, u32> *Convergence::led_from(u32 head) const {
    const auto found = led_.find(head);
    return found == led_.end() ? nullptr : &found->second;
}

std::optional<Convergence::Place> Convergence::landing(Place place) const {
    const auto found = landing_.find(place);
    if (found != landing_.end()) return found->second;
    return has_hub_ && place != hub() ? std::optional(hub()) : std::nullopt;
}

std::optional<u32> Convergence::by_bottom(Place from, Target to, const std::function<bool(u32)> &passed) const {
    u32 number = loops_.innermost(node_of(from.block));
    if (from.is_bottom) {
        if (to == from.block) return std::nullopt;  // round
        number = loops_.loops()[number].parent;
    }
    for (; number != LoopForest::none; number = loops_.loops()[number].parent) {
        const u32 head = blocks_[loops_.loops()[number].header];
        const bool goes_round_or_out = !to || *to == head || !loops_.contains(number, node_of(*to));
        if (!goes_round_or_out) return std::nullopt;
        if (bottoms_.contains(head) && !(passed && passed(head))) return head;
    }
    return std::nullopt;
}

std::optional<Convergence::Place> Convergence::first(Place from, Target to, const std::function<bool(u32)> &passed) const {
    if (const auto head = by_bottom(from, to, passed)) return Place{*head, true};
    return !to && has_hub_ ? std::optional(hub()) : std::nullopt;
}

/// A loop has a head if all ways into it lead there, or if there are none but entries; one with several ways in stays as it is.
void Convergence::find_heads(const Graph &graph) {
    for (u32 node = 0; node < blocks_.size(); ++node) {
        std::vector<u32> heads;  // of the loops around it, from inside
        for (u32 loop = loops_.innermost(node); loop != LoopForest::none; loop = loops_.loops()[loop].parent)
            if (loops_.loops()[loop].is_reducible()) heads.push_back(blocks_[loops_.loops()[loop].header]);
        if (heads.empty()) continue;
        const u32 block = blocks_[node];
        way_in_[block] = heads.back();
        if (!graph.entries.contains(block)) continue;
        for (std::size_t i = 0; i < heads.size(); ++i)
            if (heads[i] != block) led_[heads[i]][block] = i > 0 ? heads[i - 1] : block;
    }
}

/// A loop needs one if lanes part in it of which those on two sides may stay, and which would only meet outside.
void Convergence::find_bottoms(const Graph &graph, const mog::Graph &flow, std::span<const u32> exits) {
    const DominatorTree joins = post_dominators(flow, exits);
    for (u32 branch = 0; branch < flow.size(); ++branch) {
        if (!joins.is_reached(branch)) continue;
        const u32 join = joins.parent(branch);
        for (u32 number = loops_.innermost(branch); number != LoopForest::none; number = loops_.loops()[number].parent) {
            const LoopOf &loop = loops_.loops()[number];
            const bool meets_inside = join != joins.root() && loops_.contains(number, join);
            if (meets_inside) break;
            const auto stay = std::ranges::count_if(flow.successors(branch), [&](u32 to) { return loops_.contains(number, to); });
            // Control of a loop with several ways in has no place that it goes round by.
            if (stay >= 2 && loop.is_reducible()) bottoms_[blocks_[loop.header]].insert(blocks_[loop.header]);
        }
    }
    const auto note = [&](Place from, Target to) {
        for (auto bottom = by_bottom(from, to); bottom; bottom = by_bottom(Place{*bottom, true}, to)) bottoms_[*bottom].insert(to);
    };
    for (u32 node = 0; node < flow.size(); ++node) {
        for (const u32 to : flow.successors(node)) note({blocks_[node]}, blocks_[to]);
        if (graph.leaves(blocks_[node])) note({blocks_[node]}, std::nullopt);
    }
}

/// A lane that stops between a branch and where its ways join, its immediate post-dominator, goes there: of several such branches,
/// to the nearest place. Bottoms are places as blocks are.
void Convergence::find_landings(const Graph &graph, const mog::Graph &blocks, std::span<const u32> block_exits) {
    std::vector<Place> places;
    for (const u32 block : blocks_) places.push_back({block});
    std::map<Place, u32> meetings;  // by place: the node behind those of blocks
    const auto meets_at = [&](Place place) {
        meetings[place] = static_cast<u32>(places.size());
        places.push_back(place);
    };
    for (const auto &[head, targets] : bottoms_) meets_at({head, true});
    std::vector<std::vector<u32>> after;
    std::vector<u32> exits;
    if (has_hub_) {
        meets_at(hub());
        exits.push_back(meetings.at(hub()));
    }
    after.resize(places.size());
    const auto add = [&](u32 node, Target to) {
        const auto place = first(places[node], to);
        if (!place && !to) return exits.push_back(node);
        const u32 next = place ? meetings.at(*place) : node_of(*to);
        if (std::ranges::find(after[node], next) == after[node].end()) after[node].push_back(next);
    };
    for (u32 node = 0; node < blocks.size(); ++node)
        for (const u32 to : blocks.successors(node)) add(node, blocks_[to]);
    // Who is led to a place in a loop parts at its head from those that are not.
    for (const auto &[head, led] : led_)
        for (const auto &[entry, next] : led) add(node_of(head), next);
    for (const u32 node : block_exits) {
        if (graph.leaves(blocks_[node])) add(node, std::nullopt);
        else exits.push_back(node);
    }
    for (const auto &[head, targets] : bottoms_)
        for (const Target &to : targets) add(meetings.at({head, true}), to);
    const mog::Graph flow(after);
    const std::set<u32> leaves(exits.begin(), exits.end());
    const DominatorTree joins = post_dominators(flow, exits);
    std::map<u32, u32> nearest;  // by node: the place farthest from the end
    for (u32 branch = 0; branch < flow.size(); ++branch) {
        const bool parts = flow.successors(branch).size() + leaves.count(branch) >= 2;
        if (!parts || !joins.is_reached(branch) || joins.parent(branch) == joins.root()) continue;
        const u32 place = joins.parent(branch);
        for (const u32 next : flow.successors(branch)) {
            if (next == place) continue;
            for (const u32 node : reach_without(flow, next, place)) {
                const auto [known, is_new] = nearest.emplace(node, place);
                if (!is_new && joins.depth(place) > joins.depth(known->second)) known->second = place;
            }
        }
    }
    for (const auto &[node, place] : nearest) {
        landing_[places[node]] = places[place];
        landings_.insert(places[place]);
    }
}

}  // namespace mog
