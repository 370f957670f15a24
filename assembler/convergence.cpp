// convergence.cpp: loops by strongly connected components, within components, and so on; post-dominators by sets.
#include "assembler/convergence.hpp"

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

Convergence::Convergence(const Graph &graph) : entries_(graph.entries) {
    for (const u32 b : graph.blocks)
        for (const u32 next : graph.successors(b)) {
            auto &after = after_[b];
            if (std::ranges::find(after, next) != after.end()) continue;
            after.push_back(next);
            before_[next].push_back(b);
        }
    find_loops(Blocks(graph.blocks.begin(), graph.blocks.end()), {});
    for (const u32 entry : entries_) {
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
void Convergence::find_loops(const Blocks &within, Blocks cut) {
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

/// A lane that stops between a branch and where its ways join goes there: of several such branches, to the nearest place.
void Convergence::find_landings(const Graph &graph) {
    // By block, what all ways from it to the end lead through, itself included. `end` is such for all.
    constexpr u32 end = 0xffffffff;
    Blocks all(graph.blocks.begin(), graph.blocks.end());
    std::map<u32, Blocks> through;
    Blocks any = all;
    any.insert(end);
    for (const u32 b : all) through[b] = any;
    through[end] = {end};
    const auto ways_of = [&](u32 b) {
        std::vector<u32> ways = after_[b];
        if (graph.leaves(b) || ways.empty()) ways.push_back(end);
        return ways;
    };
    for (bool changed = true; changed;) {
        changed = false;
        for (auto b = graph.blocks.rbegin(); b != graph.blocks.rend(); ++b) {
            std::optional<Blocks> common;
            for (const u32 next : ways_of(*b)) {
                if (!common) {
                    common = through[next];
                    continue;
                }
                Blocks both;
                std::ranges::set_intersection(*common, through[next], std::inserter(both, both.end()));
                common = std::move(both);
            }
            common->insert(*b);
            if (*common == through[*b]) continue;
            through[*b] = *std::move(common);
            changed = true;
        }
    }
    // The nearest of them: the one that all the others are behind of.
    const auto joins_at = [&](u32 b) -> std::optional<u32> {
        for (const u32 place : through[b])
            if (place != b && place != end && through[place].size() + 1 == through[b].size()) return place;
        return std::nullopt;
    };
    std::map<u32, Blocks> places_of;
    for (const u32 branch : all) {
        if (ways_of(branch).size() < 2) continue;
        const std::optional<u32> place = joins_at(branch);
        if (!place) continue;
        for (const u32 next : after_[branch]) {
            if (next == *place) continue;
            for (const u32 b : reach(next, after_, all, {*place})) places_of[b].insert(*place);
        }
    }
    for (const auto &[b, places] : places_of) {
        // The nearest has the most still behind it.
        const u32 nearest = *std::ranges::max_element(places, {}, [&](u32 place) { return through[place].size(); });
        if (nearest == b) continue;
        landing_[b] = nearest;
        landings_.insert(nearest);
    }
}

}  // namespace mog
