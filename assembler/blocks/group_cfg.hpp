// group_cfg.hpp: where control goes within a group of compiled blocks, as far as the program tells.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "assembler/analysis/graph.hpp"
#include "assembler/blocks/block_plan.hpp"
#include "assembler/blocks/known_targets.hpp"
#include "assembler/image/image.hpp"

namespace mog {

class GroupCfg {
public:
    /// Of a group (from 1) of a plan that has its groups; entries are not asked for.
    GroupCfg(const Image &image, const BlockPlan &plan, std::uint32_t group);

    /// What may follow a block within the group by the ways that are asked for. No block stands there twice.
    enum class Ways : std::uint8_t {
        in_function,  ///< as if a call were over at once
        calls,        ///< these and calls
        calls_only,   ///< but not behind a call: as lanes of a warp go that are in step
        all,          ///< calls, and returns to behind them
    };
    std::vector<std::uint32_t> successors(std::uint32_t block, Ways ways) const;
    /// The same for analyses: nodes are the positions of the group's blocks.
    const Graph &graph(Ways ways) const { return graphs_[static_cast<std::size_t>(ways)]; }

    /// Every way round leads through one of these: heads of loops, beginnings of functions that call themselves, and where
    /// the caller goes on in such functions.
    const std::set<std::uint32_t> &heads() const { return heads_; }
    /// All blocks, each before those that follow it by any way, but for ways to heads.
    const std::vector<std::uint32_t> &order() const { return order_; }
    /// The places that the jump through a register at the end of a block is likely to lead to.
    const std::vector<CodeAddress> &known_targets(std::uint32_t block) const;

private:
    bool here(std::uint32_t block) const { return block < plan_.group_of.size() && plan_.group_of[block] == group_; }
    std::vector<std::uint32_t> find_successors(std::uint32_t block, Ways ways) const;
    std::uint32_t node_of(std::uint32_t block) const;
    void walk(Ways ways);

    const Image &image_;
    const BlockPlan &plan_;
    std::uint32_t group_;
    const std::vector<std::uint32_t> &blocks_;
    std::array<Graph, 4> graphs_;                              ///< by Ways
    std::map<std::uint32_t, std::vector<CodeAddress>> jumps_;  ///< by block, those with known targets
    std::set<std::uint32_t> heads_;
    std::vector<std::uint32_t> order_;
};

}  // namespace mog
