// sync.hpp: what lanes that part at a branch may do to each other until they stand together again.
//
// A branch parts lanes, and where all its ways have come together, at its immediate post-dominator, at the latest they
// go on as one: that is its region's end. Two things follow, for graphs of any kind:
//
//   joins      a node that two ways out of the branch lead to which have no node in common but their ends. Lanes may
//              meet there that came in by different edges, so a phi there may have another value in each (a gamma, or a
//              mu in the header of a loop). This is said by the definition, as dominators see it: from the branch, a
//              node is reached by two such ways if nothing but the branch dominates it (Menger's theorem), so
//              irreducible graphs are no special case. Rosemann, Moll and Hack, "An abstract interpretation for SPMD
//              divergence on reducible control flow graphs", 2021, find them by labels. Lanes that leave a loop in
//              different rounds may do so by different edges of it, even by such as all lanes of a round agree on: the
//              whole loop is then the branch.
//   meetings   nodes where lanes may meet of which some have been through more of the region than others: its end, and what
//              a loop that holds the branch leads to. A value that is defined in the region, in a node that dominates the
//              branch, may then be of another time in each lane: an eta (temporal divergence). In loops with several
//              entries, whose rounds are not counted where all ways pass, joins are meetings as well.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "assembler/analysis/dominators.hpp"
#include "assembler/analysis/loops.hpp"

namespace mog::divergence {

/// What follows if lanes part at a branch.
struct Parting {
    static constexpr Graph::Node nowhere = 0xffffffff;
    Graph::Node end = nowhere;          ///< where its region ends; nowhere: lanes meet no more
    std::vector<Graph::Node> region;    ///< nodes that lanes may stand in between the branch and its end
    std::vector<Graph::Node> joins;     ///< ascending
    std::vector<Graph::Node> meetings;  ///< ascending
    std::vector<Graph::Node> again;     ///< nodes of the region that dominate the branch: some lanes may pass them again
    /// Whether all branches with the same innermost loop and the same end have the same meetings.
    bool is_of_loop = false;
};

class SyncDependence {
public:
    using Node = Graph::Node;

    /// Control begins at node 0. `dominators`: of the graph, from there. Both outlive this.
    SyncDependence(const Graph &graph, const DominatorTree &dominators);

    /// Where the region of a branch ends: its immediate post-dominator, or nowhere. Ways that never end count as if they
    /// ended somewhere on them (endless_exits()).
    Node end_of(Node branch) const;
    /// `branch`: a reached node with several successors.
    Parting part(Node branch);
    /// Readings of what is defined in a node of parting.again, after lanes have parted.
    struct Readings {
        Node defined = 0;
        std::vector<Node> meetings;                  ///< below `defined`
        std::uint32_t safe_loop = LoopForest::none;  ///< a loop around it in which lanes do not meet; none: there is none
        std::uint32_t walked = 0;                    ///< the turn in which what comes behind the meetings was marked; 0: none
    };
    Readings readings_of(const Parting &parting, Node defined) const;
    /// Whether lanes that read there, standing at `at`, may read values of different times. `defined` dominates `at`. No other part()
    /// comes between the calls for the same `readings`.
    bool is_temporal(Readings &readings, Node at);

    const LoopForest &loops() const { return loops_; }

private:
    /// What is the same for all branches in a loop whose regions end outside of it.
    struct Left {
        Node end;
        std::vector<Node> joins;
    };

    std::vector<Node> walk_from(std::span<const Node> parts, Node end);
    void add_joins(std::span<const Node> parts, const std::vector<Node> &order, Node end, std::vector<Node> &joins);
    const std::vector<Node> &joins_of_loop(std::uint32_t loop, Node end);

    const Graph &graph_;
    const DominatorTree &dominators_;
    LoopForest loops_;
    DominatorTree post_dominators_;
    bool is_reducible_;
    std::vector<std::vector<Node>> exits_;  // by loop: where edges out of it lead
    std::vector<std::vector<Left>> left_;   // by loop
    // Scratch, by node: in which turn it was marked, and as what; its number in a walk; its immediate dominator there.
    std::vector<std::uint32_t> mark_, part_, number_;
    std::vector<Node> parent_;
    std::uint32_t turn_ = 0;
};

}  // namespace mog::divergence
