// group_cfg.cpp: successors, and heads by depth-first search: a way back to a block that is not yet done goes round.
#include "assembler/blocks/group_cfg.hpp"

#include <algorithm>

#include "assembler/image/constants.hpp"

namespace mog {

GroupCfg::GroupCfg(const Image &image, const BlockPlan &plan, std::uint32_t group)
    : image_(image), plan_(plan), group_(group), blocks_(plan.groups[group - 1].blocks) {
    for (const std::uint32_t b : blocks_) {
        const std::uint32_t last = plan.code.end(image, b) - 1;
        if (!jumps_to_address(op_at(image, last))) continue;
        std::vector<CodeAddress> targets = mog::known_targets(image, plan, group, last);
        if (!targets.empty()) jumps_[b] = std::move(targets);
    }
    for (const Ways ways : {Ways::in_function, Ways::calls, Ways::calls_only, Ways::all})
        graphs_[static_cast<std::size_t>(ways)] = Graph(static_cast<std::uint32_t>(blocks_.size()), [&](std::uint32_t node) {
            std::vector<std::uint32_t> next = find_successors(blocks_[node], ways);
            for (std::uint32_t &block : next) block = node_of(block);
            return next;
        });
    // Step by step, for the head of a loop is found from the beginning of its function, not from behind a call in it, and a recursion
    // is better asked about where it begins than where it ends.
    walk(Ways::in_function);
    walk(Ways::calls);
    walk(Ways::all);
}

const std::vector<CodeAddress> &GroupCfg::known_targets(std::uint32_t block) const {
    static const std::vector<CodeAddress> none;
    const auto found = jumps_.find(block);
    return found == jumps_.end() ? none : found->second;
}

std::uint32_t GroupCfg::node_of(std::uint32_t block) const {
    return static_cast<std::uint32_t>(std::ranges::lower_bound(blocks_, block) - blocks_.begin());
}

std::vector<std::uint32_t> GroupCfg::successors(std::uint32_t block, Ways ways) const {
    std::vector<std::uint32_t> found;
    for (const std::uint32_t node : graph(ways).successors(node_of(block))) found.push_back(blocks_[node]);
    return found;
}

std::vector<std::uint32_t> GroupCfg::find_successors(std::uint32_t block, Ways ways) const {
    const std::uint32_t last = plan_.code.end(image_, block) - 1;
    std::vector<std::uint32_t> found;
    const auto add = [&](std::uint32_t to) {
        if (here(to) && std::ranges::find(found, to) == found.end()) found.push_back(to);
    };
    const bool calls = is_call(image_, last), returns = is_return(image_, last);
    if (const auto named = named_block(image_, plan_.code, last); named && (!calls || ways != Ways::in_function)) add(*named);
    const bool is_over = calls && (ways == Ways::in_function || ways == Ways::calls);
    if ((!ends_block(op_at(image_, last)) || is_over) && block + 1 < plan_.code.start.size()) add(block + 1);
    if (ways == Ways::all || (!returns && (!calls || ways != Ways::in_function)))
        for (const CodeAddress &target : known_targets(block)) add(plan_.code.block_of[target.to]);
    return found;
}

/// Makes heads of blocks until no way goes round without one; and the order.
void GroupCfg::walk(Ways ways) {
    enum class State : std::uint8_t { untouched, open, done };
    const Graph &flow = graph(ways);
    std::vector<State> state(flow.size());
    std::vector<std::pair<std::uint32_t, std::size_t>> path;  // a node, and which of its successors comes next
    std::vector<std::uint32_t> done;
    const auto enter = [&](std::uint32_t node) {
        state[node] = State::open;
        path.emplace_back(node, 0);
    };
    const auto begin = [&](std::uint32_t root) {
        if (state[root] != State::untouched) return;
        enter(root);
        while (!path.empty()) {
            auto &[node, next] = path.back();
            if (next == flow.successors(node).size()) {
                state[node] = State::done;
                done.push_back(blocks_[node]);
                path.pop_back();
                continue;
            }
            const std::uint32_t to = flow.successors(node)[next++];
            if (heads_.contains(blocks_[to])) continue;
            if (state[to] == State::open) heads_.insert(blocks_[to]);
            else if (state[to] == State::untouched) enter(to);
        }
    };
    for (std::uint32_t node = 0; node < flow.size(); ++node)
        if (plan_.code.functions[plan_.code.function[blocks_[node]]].first_block == blocks_[node]) begin(node);
    for (std::uint32_t node = 0; node < flow.size(); ++node) begin(node);
    order_.assign(done.rbegin(), done.rend());
}

}  // namespace mog
