// lifetimes.cpp: liveness at borders of blocks, then each block from its end to its begin.
#include "assembler/registers/lifetimes.hpp"

#include <algorithm>

#include "assembler/analysis/data_flow.hpp"

namespace mog::registers {

using namespace divergence;

bool overlap(const LiveRanges &a, const LiveRanges &b) {
    for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
        if (a[i].from < b[j].to && b[j].from < a[i].to) return true;
        if (a[i].to <= b[j].to) ++i;
        else ++j;
    }
    return false;
}

std::uint32_t length(const LiveRanges &ranges) {
    std::uint32_t sum = 0;
    for (const LiveRange &range : ranges) sum += range.to - range.from;
    return sum;
}

void Lifetimes::Set::add(std::size_t at) {
    if (at / 64 >= words.size()) words.resize(at / 64 + 1);
    words[at / 64] |= std::uint64_t{1} << at % 64;
}

Lifetimes::Set &Lifetimes::Set::operator|=(const Set &other) {
    if (other.words.size() > words.size()) words.resize(other.words.size());
    for (std::size_t w = 0; w < other.words.size(); ++w) words[w] |= other.words[w];
    return *this;
}

Lifetimes::Set Lifetimes::Set::without(const Set &other) const {
    Set left = *this;
    for (std::size_t w = 0; w < std::min(words.size(), other.words.size()); ++w) left.words[w] &= ~other.words[w];
    while (!left.words.empty() && left.words.back() == 0) left.words.pop_back();
    return left;
}

Lifetimes::Lifetimes(const Kernel &kernel) : ranges_(kernel.variables.size()) {
    const Graph graph = kernel.graph();
    const std::size_t blocks = kernel.blocks.size();
    std::vector<Set> read(blocks), written(blocks);
    std::uint32_t count = 0;
    for (BlockIndex b = 0; b < blocks; ++b) {
        first_of_.push_back(static_cast<std::uint32_t>(numbers_.size()));
        for (const Instruction &instruction : kernel.blocks[b].code) {
            numbers_.push_back(count);
            if (!instruction.goes_on) ++count;
        }
        numbers_.push_back(count++);
        const auto reads = [&](const Operand &operand) {
            if (!operand.is_constant() && !written[b].holds(operand.variable)) read[b].add(operand.variable);
        };
        for (const Instruction &instruction : kernel.blocks[b].code) {
            for (const Operand &operand : instruction.operands) reads(operand);
            if (instruction.result != no_variable) written[b].add(instruction.result);
        }
        reads(kernel.blocks[b].end.condition);
    }
    FlowSets<Set> live = solve_backward<Set>(graph, [&](Graph::Node node, const Set &out) {
        Set in = out.without(written[node]);
        in |= read[node];
        return in;
    });
    // By variable: where the range ends that is being followed towards the block's begin.
    std::vector<std::uint32_t> ends(kernel.variables.size());
    const auto close = [&](Variable variable, std::uint32_t from) {
        LiveRanges &ranges = ranges_[variable];
        if (!ranges.empty() && ranges.back().from == ends[variable]) ranges.back().from = from;
        else ranges.push_back({from, ends[variable]});
        ends[variable] = 0;
    };
    for (BlockIndex b = static_cast<BlockIndex>(blocks); b-- > 0;) {
        const Block &block = kernel.blocks[b];
        const auto live_at_end = live.out[b];
        std::vector<Variable> open;
        const auto extend = [&](Variable variable, std::uint32_t to) {
            if (ends[variable] != 0) return;
            ends[variable] = to;
            open.push_back(variable);
        };
        const std::uint32_t behind = point(b, block.code.size()) + points_of_instruction;
        for (Variable variable = 0; variable < kernel.variables.size(); ++variable)
            if (live_at_end.holds(variable)) extend(variable, behind);
        if (!block.end.condition.is_constant()) extend(block.end.condition.variable, point(b, block.code.size()) + writes_at);
        for (std::size_t end = block.code.size(); end > 0;) {
            std::size_t begin = end - 1;
            while (begin > 0 && block.code[begin - 1].goes_on) --begin;
            const std::uint32_t here = point(b, begin);
            for (std::size_t i = begin; i < end; ++i)
                if (const Variable result = block.code[i].result; result != no_variable) {
                    extend(result, here + stores_at);  // what nobody reads is written all the same
                    close(result, here + writes_at);
                }
            for (std::size_t i = begin; i < end; ++i)
                for (const Operand &operand : block.code[i].operands)
                    if (!operand.is_constant()) extend(operand.variable, here + writes_at);
            end = begin;
        }
        for (const Variable variable : open)
            if (ends[variable] != 0) close(variable, point(b, 0));
    }
    for (LiveRanges &ranges : ranges_) std::ranges::reverse(ranges);
    in_ = std::move(live.in);
}

}  // namespace mog::registers
