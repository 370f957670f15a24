// convergence.cpp: loops by strongly connected components, within components, and so on; where ways join by post-dominators.
#include "assembler/blocks/convergence.hpp"

#include <algorithm>
#include <iterator>

namespace mog {

namespace {

using u32 = std::uint32_t;
using Blocks = std::set<u32>;

/// What can be reached from `from` by `edges` within `within`, but for edges to `cut`; itself included.
Blocks reach(u32 from, const std::map<u32, std::vector<u32>> &edges, const Blocks &within, const Blocks &cut) {
    Blocks found = {from};
    std::vector<u32> work = {from};
    while (!work.empty()) {
        const u32 b = work.back();
        work.pop_back();
        const auto next = edges.find(b);
        if (next == edges.end()) continue;
        for (const u32 to : next->second)
            if (within.contains(to) && !cut.contains(to) && found.insert(to).second) work.push_back(to);
    }
    return found;
}

}  // namespace

Convergence::Convergence(const Graph &graph) {
    for (const u32 b : graph.blocks)
        for (const u32 next : graph.successors(b)) {
            auto &after = after_[b];
            if (std::ranges::find(after, next) != after.end()) continue;
            after.push_back(next);
            before_[next].push_back(b);
        }
    find_loops(Blocks(graph.blocks.begin(), graph.blocks.end()), {});
    for (const u32 entry : graph.entries) {
        const auto around = heads_of_.find(entry);
        if (around == heads_of_.end()) continue;
        for (std::size_t i = 0; i < around->second.size(); ++i) {
            const u32 head = around->second[i];
            if (head != entry) led_[head][entry] = i + 1 < around->second.size() ? around->second[i + 1] : entry;
        }
    }
    find_landings(graph);
}

u32 Convergence::way_in(u32 entry) const {
    const auto around = heads_of_.find(entry);
    return around == heads_of_.end() ? entry : around->second.front();
}

const std::map<u32, u32> *Convergence::led_from(u32 head) const {
    const auto found = led_.find(head);
    return found == led_.end() ? nullptr : &found->second;
}

std::optional<u32> Convergence::landing(u32 block) const {
    const auto found = landing_.find(block);
    return found == landing_.end() ? std::nullopt : std::optional(found->second);
}

/// The loops among `within`, and those in them. A component has a head if all ways into it lead there, or if there are none but
/// entries; a loop with several ways in stays as it is. `cut`: heads of the loops around, to which no edge counts any more.
void Convergence::find_loops(const Blocks &within, const Blocks &cut) {
    Blocks left = within;
    while (!left.empty()) {
        const u32 first = *left.begin();
        Blocks component;
        const Blocks forward = reach(first, after_, left, cut);
        // Backwards, an edge counts by where it leads to, which is where the walk is.
        Blocks backward = {first};
        std::vector<u32> work = {first};
        while (!work.empty()) {
            const u32 b = work.back();
            work.pop_back();
            if (cut.contains(b)) continue;
            for (const u32 from : before_[b])
                if (left.contains(from) && backward.insert(from).second) work.push_back(from);
        }
        std::ranges::set_intersection(forward, backward, std::inserter(component, component.end()));
        for (const u32 b : component) left.erase(b);
        const auto &after = after_[first];
        const bool circles = component.size() > 1 || (!cut.contains(first) && std::ranges::find(after, first) != after.end());
        if (!circles) continue;
        std::vector<u32> heads;
        for (const u32 b : component)
            if (std::ranges::any_of(before_[b], [&](u32 from) { return !component.contains(from); })) heads.push_back(b);
        if (heads.empty()) heads.push_back(*component.begin());
        if (heads.size() == 1)
            for (const u32 b : component) heads_of_[b].push_back(heads.front());
        Blocks inner_cut = cut;
        inner_cut.insert(heads.front());
        if (component.size() > 1) find_loops(component, inner_cut);
    }
}

/// A lane that stops between a branch and where its ways join, its immediate post-dominator, goes there: of several such branches,
/// to the nearest place. (Cooper, Harvey and Kennedy, "A simple, fast dominance algorithm", 2001, backwards from the end.)
void Convergence::find_landings(const Graph &graph) {
    constexpr u32 end = 0xffffffff;
    std::map<u32, std::vector<u32>> ways, back;
    for (const u32 b : graph.blocks) {
        ways[b] = after_[b];
        if (graph.leaves(b) || ways[b].empty()) ways[b].push_back(end);
        for (const u32 to : ways[b]) back[to].push_back(b);
    }
    // Numbered so that what is nearer to the end has the higher number; blocks without a way there have none.
    std::map<u32, std::size_t> number;
    std::vector<u32> order;
    std::vector<std::pair<u32, std::size_t>> walk = {{end, 0}};
    Blocks met = {end};
    while (!walk.empty()) {
        auto &[b, next] = walk.back();
        if (next < back[b].size()) {
            const u32 from = back[b][next++];
            if (met.insert(from).second) walk.emplace_back(from, 0);
            continue;
        }
        number[b] = order.size();
        order.push_back(b);
        walk.pop_back();
    }
    std::map<u32, u32> joins = {{end, end}};
    const auto common = [&](u32 a, u32 b) {
        while (a != b) (number[a] < number[b] ? a : b) = joins[number[a] < number[b] ? a : b];
        return a;
    };
    for (bool changed = true; changed;) {
        changed = false;
        for (auto b = order.rbegin() + 1; b < order.rend(); ++b) {
            std::optional<u32> place;
            for (const u32 to : ways[*b])
                if (joins.contains(to)) place = place ? common(*place, to) : to;
            const auto [known, is_new] = joins.emplace(*b, *place);
            changed |= is_new || known->second != *place;
            known->second = *place;
        }
    }
    std::map<u32, Blocks> places_of;
    const Blocks all(graph.blocks.begin(), graph.blocks.end());
    for (const u32 branch : all) {
        const auto place = joins.find(branch);
        if (ways[branch].size() < 2 || place == joins.end() || place->second == end) continue;
        for (const u32 next : after_[branch]) {
            if (next == place->second) continue;
            for (const u32 b : reach(next, after_, all, {place->second})) places_of[b].insert(place->second);
        }
    }
    for (const auto &[b, places] : places_of) {
        const u32 nearest = *std::ranges::min_element(places, {}, [&](u32 place) { return number[place]; });
        if (nearest == b) continue;
        landing_[b] = nearest;
        landings_.insert(nearest);
    }
}

}  // namespace mog
