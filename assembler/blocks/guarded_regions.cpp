// guarded_regions.cpp: loops, from outside to inside, and the trial of each.
#include "assembler/blocks/guarded_regions.hpp"

#include <algorithm>

#include "assembler/analysis/data_flow.hpp"
#include "assembler/analysis/loops.hpp"
#include "assembler/image/constants.hpp"
#include "assembler/image/spaces.hpp"

namespace mog {
namespace {

using divergence::LaneCode;
using divergence::LaneStep;
using Node = Graph::Node;

/// MOG instructions in a region, in all regions of a group, and in a block that some of the lanes execute.
constexpr std::uint32_t most_in_region = 400, most_in_group = 800, most_for_some = 12;
/// A loop within has a copy of its own if it is small, and so much of what the region executes.
constexpr std::uint32_t most_in_inner = 60;
constexpr double least_of_outer = 0.1;
/// Of the instructions of a region that does not access memory at the same address in all lanes, so many of a hundred have to be
/// scalars.
constexpr std::uint32_t least_scalars = 25;
/// Instructions of the processor, about: what an access need not ask, and what entering a region and leaving it takes.
constexpr double saved_by_access = 4, price_of_entry = 6, price_of_question = 4;

/// What the instruction at a TEXT index is in a region that confirms nothing.
LaneStep lane_step(const GroupPlan &group, std::uint32_t at) {
    const OpInfo &row = info(op_at(group.image, at));
    const std::uint32_t operand = group.image.text[at] & 0xffu;
    LaneStep step;
    step.reads = reads_of(row, operand, group.image.roles);
    step.writes = writes_of(row, operand, group.image.roles);
    const bool floats = (row.reads & (D | Pair | Floats)) != 0 || (row.writes & (D | Pair | Fpu)) != 0;
    const bool half = row.operand == OperandKind::Reg && (row.writes & Reg) != 0 && group.in_pair(operand);
    step.is_own = row.access || floats || half;
    const AddressIn address = row.access.address;
    if (address == AddressIn::acc || address == AddressIn::sum) step.wanted.set(acc_variable);
    if (address == AddressIn::reg || address == AddressIn::sum) step.wanted.set(operand);
    if (is_branch(row.op)) step.wanted.set(acc_variable);
    return step;
}

/// Whether a region can have it: it neither jumps through a register nor always stops, nor asks for the heap's end.
bool is_allowed(const Image &image, std::uint32_t at) {
    const OpInfo &row = info(op_at(image, at));
    if (jumps_to_address(row.op) || always_stops(row.op)) return false;
    if ((row.reads | row.writes) & Fcsr) return false;
    return row.access || ((row.reads | row.writes) & Mem) == 0;
}

/// Numbers of lanes that some of the lanes write are kept for the others by the writer, if they are integers.
bool is_allowed_for_some(const Image &image, std::uint32_t at) {
    const OpInfo &row = info(op_at(image, at));
    return ((row.reads | row.writes) & (D | Pair | Floats | Fpu)) == 0 && !is_branch(row.op);
}

/// A way that is taken at most so often, and with which no more is lost, is not worth a place in a region.
constexpr double rare_way = 0.4, least_kept = 0.85;

class RegionFinder {
public:
    RegionFinder(const GroupPlan &group, CopiesFor whom) : group_(group), image_(group.image), blocks_(group.group.blocks), whom_(whom) {}

    std::vector<GuardedRegion> run() {
        std::vector<GuardedRegion> found;
        // Where lanes share what they write, nothing is known of what they load.
        if (!std::ranges::all_of(spaces_of(image_), &Space::is_constants)) return found;
        const Graph flow(static_cast<Node>(blocks_.size()), [&](Node node) { return successors(blocks_[node]); });
        const LoopForest forest(flow);
        std::vector<bool> covered(flow.size());
        std::uint32_t instructions = 0;
        for (const LoopOf &loop : forest.loops()) {
            if (!loop.is_reducible() || covered[loop.header]) continue;
            std::uint32_t size = 0;
            for (const Node node : loop.nodes) size += group_.end(blocks_[node]) - group_.begin(blocks_[node]);
            if (size > most_in_region || instructions + size > most_in_group) continue;
            std::optional<GuardedRegion> region = try_loop(loop, forest);
            if (!region) continue;
            instructions += size;
            for (const Node node : loop.nodes) covered[node] = true;
            found.push_back(*std::move(region));
        }
        if (whom_ == CopiesFor::lanes) add_inner(found, forest, instructions);
        return found;
    }

private:
    Node node_of(std::uint32_t block) const { return static_cast<Node>(std::ranges::lower_bound(blocks_, block) - blocks_.begin()); }

    bool calls(std::uint32_t block) const { return is_call(image_, group_.end(block) - 1); }

    /// Nodes of the group that come next within a function, as if a call were over at once.
    std::vector<Node> successors(std::uint32_t block) const {
        const std::uint32_t last = group_.end(block) - 1;
        std::vector<Node> next;
        if (calls(block)) {
            if (group_.here(block + 1)) next.push_back(node_of(block + 1));
            return next;
        }
        if (const auto named = named_block(image_, group_.plan.code, last); named && group_.here(*named)) next.push_back(node_of(*named));
        if (!ends_block(op_at(image_, last)) && group_.here(block + 1)) next.push_back(node_of(block + 1));
        return next;
    }

    /// Innermost loops of regions that take most of their time and could be together more often than all of the region: what lanes of
    /// different rows, or ranks, have to agree on is less.
    void add_inner(std::vector<GuardedRegion> &found, const LoopForest &forest, std::uint32_t instructions) const {
        for (std::size_t outer = 0, count = found.size(); outer < count; ++outer) {
            const double all = executed_in(found[outer]);
            for (const LoopOf &loop : forest.loops()) {
                const GuardedRegion::Block *const head = found[outer].find(blocks_[loop.header]);
                const auto has_no_loops = [&](Node node) { return forest.depth(node) == loop.depth; };
                if (head == nullptr || head == &found[outer].blocks.front() || !loop.is_reducible()) continue;
                if (!std::ranges::all_of(loop.nodes, has_no_loops)) continue;
                const std::optional<GuardedRegion> inner = try_loop(loop, forest);
                if (!inner || executed_in(*inner) < least_of_outer * all) continue;
                std::uint32_t size = 0;
                for (const GuardedRegion::Block &block : inner->blocks) size += group_.end(block.block) - group_.begin(block.block);
                const GuardedRegion::Block *const inner_head = inner->find(head->block);
                if (size > most_in_inner || instructions + size > most_in_group || inner_head == nullptr) continue;
                if ((inner_head->asked & ~head->asked).any() || inner_head->asked == head->asked) continue;
                instructions += size;
                found.push_back(*inner);
            }
        }
    }

    double executed_in(const GuardedRegion &region) const {
        double executed = 0;
        for (const GuardedRegion::Block &block : region.blocks)
            executed += heat(block.block) * (group_.end(block.block) - group_.begin(block.block));
        return executed;
    }

    /// Code of a loop, as it is in a region.
    struct Loop {
        std::vector<std::uint32_t> blocks;  ///< ascending; nodes are their positions
        LaneCode code;
        std::vector<bool> leaves;  ///< by node: a way leads out
        bool parts = false;        ///< by a branch that need not come out the same

        std::optional<Node> node_of(std::uint32_t block) const {
            const auto found = std::ranges::lower_bound(blocks, block);
            if (found == blocks.end() || *found != block) return std::nullopt;
            return static_cast<Node>(found - blocks.begin());
        }
        bool is_entry(Node node) const { return std::ranges::find(code.entries, node) != code.entries.end(); }
    };

    std::optional<GuardedRegion> try_loop(const LoopOf &of, const LoopForest &forest) const {
        std::vector<std::uint32_t> blocks;
        for (const Node node : of.nodes) blocks.push_back(blocks_[node]);
        for (;;) {
            std::optional<Loop> loop = code_of(blocks, blocks_[of.header], forest);
            if (!loop) return std::nullopt;
            const std::optional<Node> parting = find_parting(*loop);
            if (!parting) return region_of(*loop);
            blocks = without_cold_way(*loop, *parting);
            if (blocks.empty()) return std::nullopt;
        }
    }

    std::optional<Loop> code_of(const std::vector<std::uint32_t> &blocks, std::uint32_t header, const LoopForest &forest) const {
        Loop loop;
        loop.blocks = blocks;
        LaneCode &code = loop.code;
        code.graph = Graph(static_cast<Node>(blocks.size()), [&](Node node) {
            std::vector<Node> next;
            if (calls(blocks[node])) return next;
            for (const Node to : successors(blocks[node]))
                if (const auto there = loop.node_of(blocks_[to])) next.push_back(*there);
            return next;
        });
        code.some.resize(blocks.size());
        code.entries = {*loop.node_of(header)};
        RegisterSet changed;
        for (const std::uint32_t block : blocks)
            for (std::uint32_t at = group_.begin(block); at < group_.end(block); ++at) changed |= lane_step(group_, at).writes;
        changed.reset(acc_variable);
        for (Node node = 0; node < blocks.size(); ++node) {
            code.steps.emplace_back();
            bool acc_changes = true;
            for (std::uint32_t at = group_.begin(blocks[node]); at < group_.end(blocks[node]); ++at) {
                if (!is_allowed(image_, at)) return std::nullopt;
                LaneStep step = lane_step(group_, at);
                const bool changes = (step.reads & changed).any() || (step.reads[acc_variable] && acc_changes);
                step.is_confirmed = whom_ == CopiesFor::lanes && !changes && is_load(at);
                if (step.writes[acc_variable]) acc_changes = changes || step.is_own;
                code.steps.back().push_back(step);
            }
            const auto add_entry = [&](std::optional<Node> entry) {
                if (entry && !loop.is_entry(*entry)) code.entries.push_back(*entry);
            };
            if (forest.is_header(node_of(blocks[node]))) add_entry(node);
            if (calls(blocks[node])) add_entry(loop.node_of(blocks[node] + 1));
            const Op last = op_at(image_, group_.end(blocks[node]) - 1);
            loop.leaves.push_back(code.graph.successors(node).size() < (is_branch(last) ? 2u : 1u));
        }
        return loop;
    }

    /// Whether it is a load whose result nothing but ACC gets, and that reads nothing but its address. If that does not change in a loop,
    /// it is that of a variable, as a bound or a pointer that had no register: likely to be the same, and for little to be confirmed.
    bool is_load(std::uint32_t at) const {
        const OpInfo &row = info(op_at(image_, at));
        const bool in_acc = row.access.address == AddressIn::acc || row.access.address == AddressIn::sum;
        return in_acc && (row.writes & ~static_cast<std::uint32_t>(Stop)) == Acc;
    }

    /// With as much as possible the same at the entries, all branches are to come out the same, but for those around a few instructions,
    /// and those out of the loop: as long as no lane goes out, all stay together. A block whose branch is none of these.
    std::optional<Node> find_parting(Loop &loop) const {
        LaneCode &code = loop.code;
        for (bool again = true; again;) {
            again = loop.parts = false;
            const std::vector<RegisterSet> differs = most_the_same(code);
            for (Node node = 0; node < loop.blocks.size(); ++node) {
                if (!is_branch(op_at(image_, group_.end(loop.blocks[node]) - 1))) continue;
                RegisterSet now = differs[node];
                for (const LaneStep &step : code.steps[node]) now = step.differ_behind(now, code.some[node]);
                if (!now.test(acc_variable)) continue;
                const auto passed = loop.node_of(loop.blocks[node] + 1);
                if (passed && is_passed(loop, node, *passed)) {
                    again |= !code.some[*passed];
                    code.some[*passed] = true;
                } else if (loop.leaves[node] && !code.graph.successors(node).empty()) {
                    loop.parts = true;
                } else {
                    return node;
                }
            }
        }
        return std::nullopt;
    }

    /// The blocks without what the rarer way of a block's branch leads to, if that is rare: lanes that go there leave the region. Empty:
    /// there is no such way.
    std::vector<std::uint32_t> without_cold_way(const Loop &loop, Node branch) const {
        const auto ways = loop.code.graph.successors(branch);
        if (ways.size() != 2 || ways[0] == ways[1]) return {};
        const Node cold = heat(loop.blocks[ways[0]]) < heat(loop.blocks[ways[1]]) ? ways[0] : ways[1];
        const Node header = loop.code.entries.front();
        const Graph left(loop.code.graph.size(), [&](Node node) {
            std::vector<Node> next;
            for (const Node to : loop.code.graph.successors(node))
                if (node != branch || to != cold) next.push_back(to);
            return next;
        });
        const std::vector<bool> from = reached_from(left, {&header, 1}), to = reached_from(left.reversed(), {&header, 1});
        std::vector<std::uint32_t> blocks;
        double kept = 0, all = 0;
        for (Node node = 0; node < loop.blocks.size(); ++node) {
            const double executed = heat(loop.blocks[node]) * (group_.end(loop.blocks[node]) - group_.begin(loop.blocks[node]));
            all += executed;
            if (!from[node] || !to[node]) continue;
            kept += executed;
            blocks.push_back(loop.blocks[node]);
        }
        const bool is_rare = heat(loop.blocks[cold]) <= rare_way * heat(loop.blocks[branch]) && kept >= least_kept * all;
        if (!is_rare || (from[cold] && to[cold]) || !from[branch] || !to[branch]) return {};
        return blocks;
    }

    std::vector<RegisterSet> most_the_same(const LaneCode &code) const {
        return differing(code, std::vector<RegisterSet>(code.graph.size(), never_same()));
    }

    std::optional<GuardedRegion> region_of(Loop &loop) const {
        confirm_what_is_needed(loop.code, most_the_same(loop.code));
        const LaneCode &code = loop.code;
        const std::vector<std::uint32_t> &blocks = loop.blocks;
        // As little is asked at the entries as the same scalars take.
        std::vector<RegisterSet> at_entries = needed(code, most_the_same(code));
        for (RegisterSet &need : at_entries) need = ~need | never_same();
        const std::vector<RegisterSet> differs = differing(code, at_entries);

        GuardedRegion region;
        std::uint32_t instructions = 0, scalars = 0, accesses = 0;
        double saved = 0;  // an estimate in instructions of the processor
        std::vector<Uses<RegisterSet>> uses(blocks.size());
        std::vector<RegisterSet> outside(blocks.size());
        for (Node node = 0; node < blocks.size(); ++node) {
            GuardedRegion::Block block;
            block.block = blocks[node];
            block.differs = differs[node];
            RegisterSet now = differs[node];
            for (const LaneStep &step : code.steps[node]) {
                uses[node].add(step.reads, code.some[node] ? RegisterSet() : step.writes);
                region.written |= step.writes;
                ++instructions;
                if (step.is_confirmed) {
                    region.confirmed.push_back(group_.begin(blocks[node]) + static_cast<std::uint32_t>(&step - code.steps[node].data()));
                    saved -= price_of_question * heat(blocks[node]);
                }
                block.scalars += step.is_same(now) && !step.is_confirmed && !code.some[node];
                if (step.is_own && step.wanted.any() && (step.wanted & now).none()) {
                    ++accesses;
                    saved += saved_by_access * heat(blocks[node]);
                }
                now = step.differ_behind(now, code.some[node]);
            }
            scalars += block.scalars;
            saved += block.scalars * heat(blocks[node]);
            if (code.some[node]) block.joins = blocks[code.graph.successors(node).front()];
            block.is_head = loop.is_entry(node);
            if (block.is_head) block.asked = ~differs[node];
            if (loop.leaves[node]) outside[node].set();
            region.blocks.push_back(block);
        }
        if (accesses == 0 && (loop.parts || scalars * 100 < least_scalars * instructions)) return std::nullopt;
        const auto live = solve_liveness<RegisterSet>(code.graph, uses, outside).in;
        for (Node node = 0; node < blocks.size(); ++node) {
            region.blocks[node].live = live[node];
            // It is left at each call and entered behind it.
            if (node > 0 && calls(blocks[node] - 1) && loop.is_entry(node))
                saved -= heat(blocks[node]) * (price_of_entry + price_of_question * static_cast<double>(region.blocks[node].asked.count()));
        }
        if (saved <= 0) return std::nullopt;
        return region;
    }

    double heat(std::uint32_t block) const { return group_.plan.executed[block]; }

    /// Variables that have no scalar: what the group does not use, doubles, and registers that are kept as their halves.
    RegisterSet never_same() const {
        RegisterSet own;
        own.set(d_variable);
        for (std::uint32_t r = 0; r < 256; ++r)
            if (!group_.used[r] || group_.in_pair(r)) own.set(r);
        return own;
    }

    /// Whether the branch of one block leads to behind the next one, which is short and nothing else leads to.
    bool is_passed(const Loop &loop, Node branch, Node passed) const {
        const LaneCode &code = loop.code;
        const auto over = code.graph.successors(passed), ways = code.graph.successors(branch);
        if (code.some[branch] || over.size() != 1 || over.front() == passed || ways.size() != 2) return false;
        if (code.graph.predecessors(passed).size() != 1 || (ways[0] != over.front() && ways[1] != over.front())) return false;
        const std::uint32_t first = group_.begin(loop.blocks[passed]), end = group_.end(loop.blocks[passed]);
        for (std::uint32_t at = first; at < end; ++at)
            if (!is_allowed_for_some(image_, at)) return false;
        return end - first <= most_for_some;
    }

    const GroupPlan &group_;
    const Image &image_;
    const std::vector<std::uint32_t> &blocks_;  ///< of the group
    const CopiesFor whom_;
};

}  // namespace

const GuardedRegion::Block *GuardedRegion::find(std::uint32_t block) const {
    const auto found = std::ranges::lower_bound(blocks, block, {}, &Block::block);
    return found == blocks.end() || found->block != block ? nullptr : &*found;
}

bool GuardedRegion::has_some() const {
    return std::ranges::any_of(blocks, [](const Block &block) { return block.joins.has_value(); });
}

divergence::LaneStep GuardedRegion::step(const GroupPlan &group, std::uint32_t at) const {
    LaneStep step = lane_step(group, at);
    step.is_confirmed = std::ranges::binary_search(confirmed, at);
    return step;
}

std::vector<GuardedRegion> find_guarded_regions(const GroupPlan &group, CopiesFor whom) { return RegionFinder(group, whom).run(); }

}  // namespace mog
