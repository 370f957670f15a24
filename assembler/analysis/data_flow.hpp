// data_flow.hpp: the data-flow equations of the textbooks over a graph, and liveness as one use of them.
//
// A set is any type with |=, |, &, ~ and ==, such as a std::bitset over the registers of a front end. What control does
// beyond the graph (it leaves, or comes in) is given as sets of its own.
#pragma once

#include <cstdint>
#include <ranges>
#include <span>
#include <vector>

#include "assembler/analysis/graph.hpp"

namespace mog {

/// By node: what holds where control comes to it, and where control leaves it.
template <typename Set>
struct FlowSets {
    std::vector<Set> in, out;
};

/// The least solution of
///     in[n]  = outside[n] | out[p] of all predecessors p
///     out[n] = transfer(n, in[n])
/// `transfer` gives no less for more. `outside` may be empty. (Kildall, "A unified approach to global program
/// optimization", 1973; swept in reverse post-order.)
template <typename Set, typename Transfer>
FlowSets<Set> solve_forward(const Graph &graph, Transfer transfer, const std::vector<Set> &outside = {}) {
    FlowSets<Set> sets{std::vector<Set>(graph.size()), std::vector<Set>(graph.size())};
    const std::vector<Graph::Node> order = post_order(graph);
    std::vector<bool> waits(graph.size(), true);
    for (bool again = true; again;) {
        again = false;
        for (auto at = order.rbegin(); at != order.rend(); ++at) {
            const Graph::Node node = *at;
            if (!waits[node]) continue;
            waits[node] = false;
            Set in = outside.empty() ? Set() : outside[node];
            for (const Graph::Node from : graph.predecessors(node)) in |= sets.out[from];
            sets.in[node] = in;
            Set out = transfer(node, in);
            if (out == sets.out[node]) continue;
            sets.out[node] = std::move(out);
            for (const Graph::Node to : graph.successors(node)) waits[to] = true;
            again = true;
        }
    }
    return sets;
}

/// The same against the edges:
///     out[n] = outside[n] | in[s] of all successors s
///     in[n]  = transfer(n, out[n])
template <typename Set, typename Transfer>
FlowSets<Set> solve_backward(const Graph &graph, Transfer transfer, const std::vector<Set> &outside = {}) {
    FlowSets<Set> sets = solve_forward<Set>(graph.reversed(), std::move(transfer), outside);
    std::swap(sets.in, sets.out);
    return sets;
}

/// What a node does with variables.
template <typename Set>
struct Uses {
    Set read{};     ///< before it writes them, or without
    Set written{};  ///< whatever happens in it: after a write that may not be done, the old value may still be needed

    /// With an instruction behind those that are known already.
    void add(const Set &reads, const Set &writes) {
        read |= reads & ~written;
        written |= writes;
    }
};

/// What is live before an instruction, where `after` is behind it.
template <typename Set>
Set live_before(const Set &reads, const Set &writes, const Set &after) {
    return reads | (after & ~writes);
}

/// Live variables: those whose value may be read before they are written. `outside`: what is read where control leaves
/// the graph from a node; may be empty.
template <typename Set>
FlowSets<Set> solve_liveness(const Graph &graph, std::span<const Uses<Set>> uses, const std::vector<Set> &outside = {}) {
    return solve_backward<Set>(
        graph, [&](Graph::Node node, const Set &out) { return live_before(uses[node].read, uses[node].written, out); }, outside);
}

/// What one instruction does with variables, and whether it does anything else.
template <typename Set>
struct Step {
    Set read{}, written{};
    bool matters = true;  ///< even if nobody reads what it writes

    bool is_wanted(const Set &after) const { return matters || (written & after) != Set(); }
    /// Makes of what is strongly live behind it what is so before it: in place, for sets may be large and instructions many.
    void go_before(Set &live) const {
        if (is_wanted(live)) go_before_wanted(live);
    }
    /// The same of an instruction that is wanted.
    void go_before_wanted(Set &live) const {
        live &= ~written;
        live |= read;
    }
};

/// Strongly live variables: those whose value may be read, before they are written, by an instruction that matters or writes a
/// strongly live variable itself. The others are faint: what only feeds itself, such as a counter that nobody looks at, is live round
/// its loop but faint. The least solution, so that a circle of such instructions does not hold itself up. `steps_of(node)`: a range of
/// its steps in the order of execution, which may be worked out when they are asked for; `outside` as for liveness. (Giegerich,
/// Moencke and Wilhelm, "Invariance of approximate semantics with respect to program transformations", 1981.)
template <typename Set, typename StepsOf>
FlowSets<Set> solve_strong_liveness(const Graph &graph, StepsOf steps_of, const std::vector<Set> &outside = {}) {
    // A node is come to again and again, mostly with more variables that it does not write: those it lets pass, and all else is as before.
    std::vector<Set> written(graph.size()), after(graph.size()), before(graph.size());
    std::vector<bool> is_known(graph.size());
    return solve_backward<Set>(
        graph,
        [&](Graph::Node node, const Set &live) -> Set {
            const Set more = live & ~after[node];
            after[node] = live;
            if (is_known[node] && (more & written[node]) == Set()) return before[node] |= more;
            Set &now = before[node] = live;
            auto &&steps = steps_of(node);
            for (auto at = std::ranges::rbegin(steps); at != std::ranges::rend(steps); ++at) {
                const Step<Set> &step = *at;
                step.go_before(now);
                if (!is_known[node]) written[node] |= step.written;
            }
            is_known[node] = true;
            return now;
        },
        outside);
}

}  // namespace mog
