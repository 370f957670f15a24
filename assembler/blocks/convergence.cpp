// convergence.cpp: through which heads of loops control is led in, and where ways join: at immediate post-dominators.
#include "assembler/blocks/convergence.hpp"

#include <algorithm>

#include "assembler/analysis/dominators.hpp"
#include "assembler/analysis/graph.hpp"
#include "assembler/analysis/loops.hpp"

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

Convergence::Convergence(const Graph &graph) {
    const auto node_of = [&](u32 block) { return static_cast<u32>(std::ranges::lower_bound(graph.blocks, block) - graph.blocks.begin()); };
    const auto graph_of = [&](bool with_calls) {
        return mog::Graph(static_cast<u32>(graph.blocks.size()), [&](u32 node) {
            std::vector<u32> after;
            if (!with_calls && graph.calls(graph.blocks[node])) return after;
            for (const u32 next : graph.successors(graph.blocks[node]))
                if (std::ranges::find(after, node_of(next)) == after.end()) after.push_back(node_of(next));
            return after;
        });
    };
    // A loop is one though there are calls in it; but its lanes part at those.
    const mog::Graph whole = graph_of(true), flow = graph_of(false);
    std::vector<u32> exits;
    for (u32 node = 0; node < flow.size(); ++node)
        if (graph.leaves(graph.blocks[node]) || flow.successors(node).empty()) exits.push_back(node);
    // Entries are no roots: they are what is to be led elsewhere.
    const LoopForest forest(whole);
    for (const LoopOf &loop : forest.loops()) {
        Loop &made = loops_.emplace_back();
        made.head = graph.blocks[loop.header];
        made.is_reducible = loop.is_reducible();
        for (const u32 node : loop.nodes) made.blocks.insert(graph.blocks[node]);
        if (loop.parent != LoopForest::none) made.around = loop.parent;
    }
    for (u32 node = 0; node < flow.size(); ++node)
        if (forest.innermost(node) != LoopForest::none) loop_of_[graph.blocks[node]] = forest.innermost(node);
    has_hub_ = graph.has_hub;
    find_heads(graph, forest, flow);
    find_bottoms(graph, flow, exits);
    find_landings(graph, flow, exits);
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
    return has_hub_ && !is_hub(place) ? std::optional(Place{hub_block, true}) : std::nullopt;
}

std::optional<u32> Convergence::by_bottom(Place from, Target to, const std::function<bool(u32)> &passed) const {
    const auto innermost = loop_of_.find(from.block);
    if (innermost == loop_of_.end()) return std::nullopt;
    std::optional<std::size_t> number = innermost->second;
    if (from.is_bottom) {
        if (to == from.block) return std::nullopt;  // round
        number = loops_[*number].around;
    }
    for (; number; number = loops_[*number].around) {
        const Loop &loop = loops_[*number];
        const bool goes_round_or_out = !to || *to == loop.head || !loop.blocks.contains(*to);
        if (!goes_round_or_out) return std::nullopt;
        if (loop.has_bottom && !(passed && passed(loop.head))) return loop.head;
    }
    return std::nullopt;
}

/// A loop has a head if all ways into it lead there, or if there are none but entries; one with several ways in stays as it is.
void Convergence::find_heads(const Graph &graph, const LoopForest &forest, const mog::Graph &flow) {
    for (u32 node = 0; node < flow.size(); ++node) {
        std::vector<u32> heads;  // of the loops around it, from inside
        for (u32 loop = forest.innermost(node); loop != LoopForest::none; loop = forest.loops()[loop].parent)
            if (forest.loops()[loop].is_reducible()) heads.push_back(graph.blocks[forest.loops()[loop].header]);
        if (heads.empty()) continue;
        const u32 block = graph.blocks[node];
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
        const auto innermost = loop_of_.find(graph.blocks[branch]);
        if (innermost == loop_of_.end() || !joins.is_reached(branch)) continue;
        const u32 join = joins.parent(branch);
        for (std::optional<std::size_t> number = innermost->second; number; number = loops_[*number].around) {
            Loop &loop = loops_[*number];
            const bool meets_inside = join != joins.root() && loop.blocks.contains(graph.blocks[join]);
            if (meets_inside) break;
            const auto stay =
                std::ranges::count_if(flow.successors(branch), [&](u32 to) { return loop.blocks.contains(graph.blocks[to]); });
            // Control of a loop with several ways in has no place that it goes round by.
            if (stay >= 2 && loop.is_reducible) loop.has_bottom = true;
        }
    }
    for (const Loop &loop : loops_)
        if (loop.has_bottom) bottoms_[loop.head].insert(loop.head);
    const auto note = [&](Place from, Target to) {
        for (auto bottom = by_bottom(from, to); bottom; bottom = by_bottom(Place{*bottom, true}, to)) bottoms_[*bottom].insert(to);
    };
    for (u32 node = 0; node < flow.size(); ++node) {
        for (const u32 to : flow.successors(node)) note({graph.blocks[node]}, graph.blocks[to]);
        if (graph.leaves(graph.blocks[node])) note({graph.blocks[node]}, std::nullopt);
    }
}

/// A lane that stops between a branch and where its ways join, its immediate post-dominator, goes there: of several such branches,
/// to the nearest place. Bottoms are places as blocks are.
void Convergence::find_landings(const Graph &graph, const mog::Graph &blocks, std::span<const u32> block_exits) {
    std::vector<Place> places;
    for (const u32 block : graph.blocks) places.push_back({block});
    std::map<u32, u32> bottom_node;  // by head
    for (const auto &[head, targets] : bottoms_) {
        bottom_node[head] = static_cast<u32>(places.size());
        places.push_back({head, true});
    }
    const u32 hub_node = static_cast<u32>(places.size());
    if (has_hub_) places.push_back({hub_block, true});
    const auto node_of = [&](u32 block) { return static_cast<u32>(std::ranges::lower_bound(graph.blocks, block) - graph.blocks.begin()); };
    const auto first_of = [&](Place from, Target to) {
        const auto bottom = by_bottom(from, to);
        if (bottom) return std::optional(bottom_node.at(*bottom));
        return to ? std::optional(node_of(*to)) : has_hub_ ? std::optional(hub_node) : std::nullopt;
    };
    std::vector<std::vector<u32>> after(places.size());
    std::vector<u32> exits;
    if (has_hub_) exits.push_back(hub_node);
    const auto add = [&](u32 node, Target to) {
        const auto next = first_of(places[node], to);
        if (!next) exits.push_back(node);
        else if (std::ranges::find(after[node], *next) == after[node].end()) after[node].push_back(*next);
    };
    for (u32 node = 0; node < blocks.size(); ++node)
        for (const u32 to : blocks.successors(node)) add(node, graph.blocks[to]);
    // Who is led to a place in a loop parts at its head from those that are not.
    for (const auto &[head, led] : led_)
        for (const auto &[entry, next] : led) add(node_of(head), next);
    for (const u32 node : block_exits) {
        if (graph.leaves(graph.blocks[node])) add(node, std::nullopt);
        else exits.push_back(node);
    }
    for (const auto &[head, node] : bottom_node)
        for (const Target &to : bottoms_.at(head)) add(node, to);
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
