// group_flow.cpp: successors, and heads by depth-first search: a way back to a block that is not yet done goes round.
#include "assembler/blocks/group_flow.hpp"

#include <algorithm>

#include "assembler/image/constants.hpp"

namespace mog {

GroupFlow::GroupFlow(const Image &image, const BlockPlan &plan, std::uint32_t group) : image_(image), plan_(plan), group_(group) {
    for (const std::uint32_t b : plan.groups[group - 1].blocks) {
        const std::uint32_t last = plan.code.end(image, b) - 1;
        if (!jumps_to_address(op_at(image, last))) continue;
        std::vector<CodeAddress> targets = mog::known_targets(image, plan, group, last);
        if (!targets.empty()) jumps_[b] = std::move(targets);
    }
    // Step by step, for the head of a loop is found from the beginning of its function, not from behind a call in it, and a recursion
    // is better asked about where it begins than where it ends.
    walk(Ways::in_function);
    walk(Ways::calls);
    walk(Ways::all);
}

const std::vector<CodeAddress> &GroupFlow::known_targets(std::uint32_t block) const {
    static const std::vector<CodeAddress> none;
    const auto found = jumps_.find(block);
    return found == jumps_.end() ? none : found->second;
}

std::vector<std::uint32_t> GroupFlow::successors(std::uint32_t block, Ways ways) const {
    const std::uint32_t last = plan_.code.end(image_, block) - 1;
    std::vector<std::uint32_t> found;
    const auto add = [&](std::uint32_t to) {
        if (here(to) && std::ranges::find(found, to) == found.end()) found.push_back(to);
    };
    const bool calls = is_call(image_, plan_.code, last), returns = is_return(image_, last);
    if (const auto named = named_block(image_, plan_.code, last); named && (!calls || ways != Ways::in_function)) add(*named);
    const bool is_over = calls && (ways == Ways::in_function || ways == Ways::calls);
    if ((!ends_block(op_at(image_, last)) || is_over) && block + 1 < plan_.code.start.size()) add(block + 1);
    if (ways == Ways::all || (!returns && (!calls || ways != Ways::in_function)))
        for (const CodeAddress &target : known_targets(block)) add(plan_.code.block_of[target.to]);
    return found;
}

/// Makes heads of blocks until no way goes round without one; and the order.
void GroupFlow::walk(Ways ways) {
    enum class State : std::uint8_t { untouched, open, done };
    const std::vector<std::uint32_t> &blocks = plan_.groups[group_ - 1].blocks;
    const std::uint32_t first = blocks.front();
    std::vector<State> state(blocks.back() - first + 1);
    std::vector<std::pair<std::uint32_t, std::vector<std::uint32_t>>> path;  // a block, and what follows it and is not yet seen
    std::vector<std::uint32_t> done;
    const auto begin = [&](std::uint32_t b) {
        if (state[b - first] != State::untouched) return;
        const auto enter = [&](std::uint32_t at) {
            state[at - first] = State::open;
            std::vector<std::uint32_t> next = successors(at, ways);
            std::ranges::reverse(next);
            path.emplace_back(at, std::move(next));
        };
        enter(b);
        while (!path.empty()) {
            auto &[at, left] = path.back();
            if (left.empty()) {
                state[at - first] = State::done;
                done.push_back(at);
                path.pop_back();
                continue;
            }
            const std::uint32_t next = left.back();
            left.pop_back();
            if (heads_.contains(next)) continue;
            if (state[next - first] == State::open) heads_.insert(next);
            else if (state[next - first] == State::untouched) enter(next);
        }
    };
    for (const std::uint32_t b : blocks)
        if (plan_.code.functions[plan_.code.function[b]].first_block == b) begin(b);
    for (const std::uint32_t b : blocks) begin(b);
    order_.assign(done.rbegin(), done.rend());
}

}  // namespace mog
