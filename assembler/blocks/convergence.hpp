// convergence.hpp: compiled blocks such that lanes of a warp that part in them meet again.
//
// A GPU's compiler lets lanes that part at a branch wait for each other where all their ways join, at the branch's immediate
// post-dominator, and those of a loop where it ends, if there is one way into it. Two things stand against that in a group
// of blocks. Control comes in at many places, in the middle of loops too, so a loop has many ways in; and any access to memory may
// stop a PE, and any question whether its slice is over, so that from each block a way leads to the group's end, and all
// ways join only there. (Lanes that left a loop one after the other stayed apart: of 32 lanes 1.1 executed, on an H100.) Here,
// first, control that comes in is led through the heads of the loops around its place. Second, a lane that stops goes to where the
// others meet, and from there to the next such place, as one that is only in step with them, until the end.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace mog {

class Graph;

class Convergence {
public:
    /// A group as a graph. All numbers are of blocks.
    struct Graph {
        std::vector<std::uint32_t> blocks;                                    ///< ascending
        std::set<std::uint32_t> entries;                                      ///< where control comes in from elsewhere
        std::function<std::vector<std::uint32_t>(std::uint32_t)> successors;  ///< in the group
        std::function<bool(std::uint32_t)> leaves;                            ///< a way leads out of the group, other than by stopping
    };
    explicit Convergence(const Graph &graph);

    /// Where control that comes in for `entry` is led to first: there, or to the head of the outermost loop around it.
    std::uint32_t way_in(std::uint32_t entry) const;
    /// Whether any entry is led by way of a head.
    bool leads() const { return !led_.empty(); }
    /// At the head of a loop: where control goes on to that came in for an entry inside: there, or to the head of a loop within.
    const std::map<std::uint32_t, std::uint32_t> *led_from(std::uint32_t head) const;
    /// Where a lane that stops in this block waits for others; none: at the group's end.
    std::optional<std::uint32_t> landing(std::uint32_t block) const;
    /// Whether some lane that has stopped may come to the beginning of this block.
    bool is_landing(std::uint32_t block) const { return landings_.contains(block); }

private:
    void find_heads(const Graph &graph, const mog::Graph &flow);
    void find_landings(const Graph &graph, const mog::Graph &flow);

    std::map<std::uint32_t, std::uint32_t> way_in_;                        ///< by block in a loop: the outermost head
    std::map<std::uint32_t, std::map<std::uint32_t, std::uint32_t>> led_;  ///< by head
    std::map<std::uint32_t, std::uint32_t> landing_;
    std::set<std::uint32_t> landings_;
};

}  // namespace mog
