// convergence.hpp: compiled blocks such that lanes of a warp that part in them meet again.
//
// A GPU's compiler lets lanes that part at a branch wait for each other where all their ways join, at the branch's immediate
// post-dominator, and those of a loop where it ends, if there is one way into it. Two things stand against that in a group
// of blocks. Control comes in at many places, in the middle of loops too, so a loop has many ways in; and any access to memory may
// stop a PE, and any question whether its slice is over, so that from each block a way leads to the group's end, and all
// ways join only there. (Lanes that left a loop one after the other stayed apart: of 32 lanes 1.1 executed, on an H100.) Here,
// first, control that comes in is led through the heads of the loops around its place. Second, a lane that stops goes to where the
// others meet, and from there to the next such place, as one that is only in step with them, until the end. Third, where lanes part in
// a loop and each side goes round or leaves the loop by a way of its own, as compilers write out the test at a loop's end for each, all
// those ways come together at the loop's bottom first, and part there again: else the sides would meet when the loop is over, and not in
// each round. (So a loop has one edge back and is left from one place, as in structured code: Zhang and D'Hollander, "Using hammock graphs
// to structure programs", 2004, do it to all loops.) Fourth, calls and returns between functions of the group, and ways out of it, go by
// its hub, from which control comes to functions' beginnings and to behind calls: there lanes meet that went different ways in between, of
// which nothing else is known: who returns goes to wherever it was called.
#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "assembler/analysis/loops.hpp"

namespace mog {

class Convergence {
public:
    /// A group as a graph. All numbers are of blocks.
    struct Graph {
        std::vector<std::uint32_t> blocks;                                    ///< ascending
        std::set<std::uint32_t> entries;                                      ///< where control comes in from elsewhere
        std::function<std::vector<std::uint32_t>(std::uint32_t)> successors;  ///< in the group
        std::function<bool(std::uint32_t)> leaves;  ///< a way leads out of the group, other than by stopping; or to the hub
        /// A call: control goes to its one successor by way of elsewhere, from which it comes in as an entry.
        std::function<bool(std::uint32_t)> calls;
        bool has_hub = false;  ///< ways out of the group lead there, too
    };
    explicit Convergence(const Graph &graph);

    /// Where control that comes in for `entry` is led to first: there, or to the head of the outermost loop around it.
    std::uint32_t way_in(std::uint32_t entry) const;
    /// Whether any entry is led by way of a head.
    bool leads() const { return !led_.empty(); }
    /// At the head of a loop: where control goes on to that came in for an entry inside: there, or to the head of a loop within.
    const std::map<std::uint32_t, std::uint32_t> *led_from(std::uint32_t head) const;

    /// A block, or the bottom of the loop whose head it is.
    struct Place {
        std::uint32_t block;
        bool is_bottom = false;
        auto operator<=>(const Place &) const = default;
    };
    /// Where calls and returns meet.
    static constexpr Place hub() { return {0xffffffff, true}; }
    /// A block, or out of the group, or to the hub.
    using Target = std::optional<std::uint32_t>;
    /// Where a lane that stops there waits for others; none: at the group's end, for the hub and where there is none.
    std::optional<Place> landing(Place place) const;
    std::optional<Place> landing(std::uint32_t block) const { return landing(Place{block}); }
    /// Whether some lane that has stopped may come to the beginning of this place.
    bool is_landing(Place place) const { return landings_.contains(place); }
    bool is_landing(std::uint32_t block) const { return is_landing(Place{block}); }

    /// The head of the loop by whose bottom a way leads that begins in a block, or at such a bottom, and ends at `to`; none: straight
    /// there. Loops whose heads are `passed` do not count.
    std::optional<std::uint32_t> by_bottom(Place from, Target to, const std::function<bool(std::uint32_t)> &passed = nullptr) const;
    /// The place by which such a way leads first: that bottom, or the hub; none: straight to `to`.
    std::optional<Place> first(Place from, Target to, const std::function<bool(std::uint32_t)> &passed = nullptr) const;
    /// By head: where ways lead that come together at that loop's bottom.
    const std::map<std::uint32_t, std::set<Target>> &bottoms() const { return bottoms_; }

private:
    // A node of graphs is a block's place in blocks_. `flow`: without the ways behind calls.
    std::uint32_t node_of(std::uint32_t block) const;
    mog::Graph graph_of(const Graph &graph, bool with_calls) const;
    void find_heads(const Graph &graph);
    void find_bottoms(const Graph &graph, const mog::Graph &flow, std::span<const std::uint32_t> exits);
    void find_landings(const Graph &graph, const mog::Graph &flow, std::span<const std::uint32_t> exits);

    std::vector<std::uint32_t> blocks_;
    bool has_hub_ = false;
    LoopForest loops_;
    std::map<std::uint32_t, std::uint32_t> way_in_;                        ///< by block in a loop: the outermost head
    std::map<std::uint32_t, std::map<std::uint32_t, std::uint32_t>> led_;  ///< by head
    std::map<std::uint32_t, std::set<Target>> bottoms_;
    std::map<Place, Place> landing_;
    std::set<Place> landings_;
};

}  // namespace mog
