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
    const mog::Graph flow(static_cast<u32>(graph.blocks.size()), [&](u32 node) {
        std::vector<u32> after;
        for (const u32 next : graph.successors(graph.blocks[node]))
            if (std::ranges::find(after, node_of(next)) == after.end()) after.push_back(node_of(next));
        return after;
    });
    find_heads(graph, flow);
    find_landings(graph, flow);
}

u32 Convergence::way_in(u32 entry) const {
    const auto around = way_in_.find(entry);
    return around == way_in_.end() ? entry : around->second;
}

const std::map<u32, u32> *Convergence::led_from(u32 head) const {
    const auto found = led_.find(head);
    return found == led_.end() ? nullptr : &found->second;
}

std::optional<u32> Convergence::landing(u32 block) const {
    const auto found = landing_.find(block);
    return found == landing_.end() ? std::nullopt : std::optional(found->second);
}

/// A loop has a head if all ways into it lead there, or if there are none but entries; one with several ways in stays as it is.
void Convergence::find_heads(const Graph &graph, const mog::Graph &flow) {
    // Entries are no roots: they are what is to be led elsewhere.
    const LoopForest forest(flow);
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

/// A lane that stops between a branch and where its ways join, its immediate post-dominator, goes there: of several such branches,
/// to the nearest place.
void Convergence::find_landings(const Graph &graph, const mog::Graph &flow) {
    const auto leaves = [&](u32 node) { return graph.leaves(graph.blocks[node]); };
    std::vector<u32> exits;
    for (u32 node = 0; node < flow.size(); ++node)
        if (leaves(node) || flow.successors(node).empty()) exits.push_back(node);
    const DominatorTree joins = post_dominators(flow, exits);
    std::map<u32, u32> nearest;  // by node: the place farthest from the end
    for (u32 branch = 0; branch < flow.size(); ++branch) {
        const bool parts = flow.successors(branch).size() + (leaves(branch) ? 1 : 0) >= 2;
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
        landing_[graph.blocks[node]] = graph.blocks[place];
        landings_.insert(graph.blocks[place]);
    }
}

}  // namespace mog
