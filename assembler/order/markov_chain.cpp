// markov_chain.cpp: chains from counts.
#include "assembler/order/markov_chain.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "assembler/image/constants.hpp"
#include "assembler/order/fusion.hpp"

namespace mog {
namespace {

/// Makes the frequencies those of the chain: iterated from what they are, every step half of the chain's, for a chain
/// that goes in a circle would swing for ever. Counts of a run are stationary already, up to what its end cut off.
/// Of an estimate, which may have very many nodes, no more is asked than is done quickly.
void settle(MarkovChain &flow, bool is_guess = false) {
    const double work = is_guess ? 4e5 : 4e6, enough = is_guess ? 1e-6 : 1e-9;
    const int most_rounds = static_cast<int>(std::clamp(work / static_cast<double>(flow.nodes() + 1), 3.0, 400.0));
    std::vector<double> next(flow.nodes());
    for (int round = 0; round < most_rounds; ++round) {
        std::fill(next.begin(), next.end(), 0.0);
        for (std::size_t t = 0; t < flow.nodes(); ++t)
            for (const auto &[node, share] : flow.successors[t]) next[node] += flow.frequency[t] * share;
        double change = 0;
        for (std::size_t t = 0; t < flow.nodes(); ++t) {
            change += std::abs(next[t] - flow.frequency[t]);
            flow.frequency[t] = (flow.frequency[t] + next[t]) / 2;
        }
        if (change < enough) break;
    }
    double total = 0;
    for (const double frequency : flow.frequency) total += frequency;
    if (total > 0)
        for (double &frequency : flow.frequency) frequency /= total;
}

}  // namespace

std::vector<double> MarkovChain::kind_frequency() const {
    std::vector<double> result(kinds.size());
    for (std::size_t t = 0; t < nodes(); ++t) result[kind_of[t]] += frequency[t];
    return result;
}

std::vector<Kind> kinds_of(const Image &image) {
    bool used[256] = {};
    for (const std::uint16_t word : image.text) used[word >> 8] = true;
    std::vector<Kind> kinds;
    for (const OpInfo &row : isa)
        if (used[static_cast<std::uint8_t>(row.op)]) kinds.push_back({row.op, std::string(row.name), static_cast<double>(row.cost)});
    for (const Superinstruction &super : superinstructions_of(image, Shape::sequence)) {
        double cost = 0;
        for (const Op part : super.parts) cost += info(part).cost;
        kinds.push_back({super.code, op_name(image, super.code), cost, super.parts});
    }
    return kinds;
}

namespace {

/// The flow of dispatches, from that of instructions, where node k is at TEXT index at[k].
MarkovChain flow_of_dispatches(const Image &image, const Execution &execution, MarkovChain plain, const std::vector<std::uint32_t> &node_at,
                               const std::vector<std::uint32_t> &at) {
    const std::vector<std::uint16_t> text = fused_text(image, Shape::sequence);
    const std::vector<double> dispatched = dispatches(image, execution, Shape::sequence);
    const std::vector<std::uint32_t> next = static_successors(image);
    const std::vector<std::uint8_t> parts = part_counts(image);
    std::uint32_t kind[256] = {};
    for (std::uint32_t k = 0; k < plain.kinds.size(); ++k) kind[static_cast<std::uint8_t>(plain.kinds[k].op)] = k;

    // Rounding, and jumps into the middle that nothing counted, may lead where no dispatch was found: any place that is
    // executed has a node.
    MarkovChain flow;
    flow.kinds = std::move(plain.kinds);
    flow.successors.resize(at.size());
    std::vector<double> executes(at.size());
    for (std::size_t n = 0; n < at.size(); ++n) {
        flow.kind_of.push_back(kind[text[at[n]] >> 8]);
        flow.frequency.push_back(dispatched[at[n]]);
        double reach = 1;
        std::size_t node = n;
        auto &list = flow.successors[n];
        for (std::size_t left = parts[text[at[n]] >> 8]; left != 0; --left) {
            executes[n] += reach;
            const std::uint32_t inside = left > 1 ? next[at[node]] : unknown_index;
            double goes_on = 0;
            for (const auto &[to, share] : plain.successors[node]) {
                if (inside != unknown_index && at[to] == inside) goes_on += share;
                else list.push_back({to, reach * share});
            }
            reach *= goes_on;
            if (goes_on <= 0) break;
            node = node_at[inside];
        }
        // Each node once.
        std::sort(list.begin(), list.end(), [](const auto &a, const auto &b) { return a.node < b.node; });
        std::size_t kept = 0;
        for (std::size_t k = 0; k < list.size(); ++k)
            if (kept != 0 && list[kept - 1].node == list[k].node) list[kept - 1].share += list[k].share;
            else list[kept++] = list[k];
        list.resize(kept);
    }
    settle(flow, execution.is_guess);
    flow.instructions = 0;
    for (std::size_t n = 0; n < at.size(); ++n) flow.instructions += flow.frequency[n] * executes[n];
    return flow;
}

/// Where what is executed leads, instruction by instruction.
class InstructionFlow {
public:
    static constexpr std::uint32_t none = 0xffffffff;

    InstructionFlow(const Image &image, const Execution &execution)
        : image_(image), execution_(execution), node_at_(image.text.size(), none) {
        for (std::size_t i = 0; i < image.text.size(); ++i) {
            if (execution.count[i] <= 0) continue;
            node_at_[i] = static_cast<std::uint32_t>(at_.size());
            at_.push_back(static_cast<std::uint32_t>(i));
        }
    }

    const std::vector<std::uint32_t> &node_at() const { return node_at_; }  ///< by TEXT index; none: it is not executed
    const std::vector<std::uint32_t> &at() const { return at_; }            ///< TEXT index, by node

    /// Calls f(node, successors) of each node, ascending, for a moment.
    template <typename F>
    void for_each(F f) const {
        // A profile may have lost the function where PEs start.
        const std::uint32_t begin = node_at_[image_.entry] != none ? node_at_[image_.entry] : 0;
        auto jump = execution_.jumps.begin();
        std::vector<MarkovChain::Successor> next;
        for (std::size_t i = 0; i < image_.text.size(); ++i) {
            next.clear();
            double gone = 0;
            for (; jump != execution_.jumps.end() && jump->from == i; ++jump) {
                gone += jump->count;
                if (node_at_[jump->to] != none && jump->count > 0) next.push_back({node_at_[jump->to], jump->count});
            }
            if (node_at_[i] == none) continue;
            const bool falls = !ends_block(op_at(image_, i)) && i + 1 < image_.text.size();
            double left = std::max(0.0, execution_.count[i] - gone);
            if (falls && left > 0 && node_at_[i + 1] != none) {
                const double on = std::min(left, execution_.count[i + 1]);
                next.push_back({node_at_[i + 1], on});
                left -= on;
            }
            // PEs that ended here: in a machine that is always full others begin.
            if (next.empty() || left > 1e-6 * execution_.count[i]) next.push_back({begin, next.empty() ? 1 : left});
            double sum = 0;
            for (const auto &successor : next) sum += successor.share;
            for (auto &successor : next) successor.share /= sum;
            f(node_at_[i], std::as_const(next));
        }
    }

private:
    const Image &image_;
    const Execution &execution_;
    std::vector<std::uint32_t> node_at_, at_;
};

/// By opcode: which of the kinds it is.
std::array<std::uint32_t, 256> numbers_of(const std::vector<Kind> &kinds) {
    std::array<std::uint32_t, 256> number{};
    for (std::uint32_t k = 0; k < kinds.size(); ++k) number[static_cast<std::uint8_t>(kinds[k].op)] = k;
    return number;
}

}  // namespace

MarkovChain flow_of(const Image &image, const Execution &execution) {
    MarkovChain flow;
    flow.kinds = kinds_of(image);
    const auto number = numbers_of(flow.kinds);
    const InstructionFlow instructions(image, execution);
    for (const std::uint32_t i : instructions.at()) {
        flow.kind_of.push_back(number[image.text[i] >> 8]);
        flow.frequency.push_back(execution.count[i]);
    }
    flow.successors.resize(flow.nodes());
    instructions.for_each([&](std::uint32_t node, const std::vector<MarkovChain::Successor> &next) { flow.successors[node] = next; });
    double total = 0;
    for (const double frequency : flow.frequency) total += frequency;
    if (total > 0)
        for (double &frequency : flow.frequency) frequency /= total;
    if (image.fused_sequence.empty()) return flow;
    return flow_of_dispatches(image, execution, std::move(flow), instructions.node_at(), instructions.at());
}

MarkovChain digrams_of(const Image &image, const Execution &execution) {
    if (!image.fused_sequence.empty()) return digrams_of(flow_of(image, execution));
    // What flow_of() would say, counted as it is found: a list for each instruction takes longer than all else that is done with them.
    std::vector<Kind> kinds = kinds_of(image);
    const std::size_t n = kinds.size();
    const auto number = numbers_of(kinds);
    const InstructionFlow instructions(image, execution);
    double total = 0;
    std::vector<std::uint32_t> kind_of;
    for (const std::uint32_t i : instructions.at()) {
        total += execution.count[i];
        kind_of.push_back(number[image.text[i] >> 8]);
    }
    std::vector<double> counts(n * n);
    instructions.for_each([&](std::uint32_t node, const std::vector<MarkovChain::Successor> &next) {
        const double executed = execution.count[instructions.at()[node]], frequency = total > 0 ? executed / total : executed;
        for (const auto &[to, share] : next) counts[kind_of[node] * n + kind_of[to]] += frequency * share;
    });
    return flow_of_counts(std::move(kinds), counts);
}

MarkovChain flow_of_counts(std::vector<Kind> kinds, const std::vector<double> &counts) {
    MarkovChain flow;
    const std::size_t n = kinds.size();
    flow.kinds = std::move(kinds);
    flow.successors.resize(n);
    double total = 0;
    for (const double count : counts) total += count;
    for (std::uint32_t a = 0; a < n; ++a) {
        flow.kind_of.push_back(a);
        double sum = 0;
        for (std::size_t b = 0; b < n; ++b) sum += counts[a * n + b];
        flow.frequency.push_back(total > 0 ? sum / total : 0);
        for (std::uint32_t b = 0; b < n; ++b)
            if (counts[a * n + b] > 0) flow.successors[a].push_back({b, counts[a * n + b] / sum});
    }
    settle(flow);
    return flow;
}

MarkovChain digrams_of(const MarkovChain &flow) {
    const std::size_t n = flow.kinds.size();
    std::vector<double> counts(n * n);
    for (std::size_t t = 0; t < flow.nodes(); ++t)
        for (const auto &[node, share] : flow.successors[t]) counts[flow.kind_of[t] * n + flow.kind_of[node]] += flow.frequency[t] * share;
    MarkovChain digrams = flow_of_counts(flow.kinds, counts);
    digrams.instructions = flow.instructions;
    return digrams;
}

MarkovChain without_rare(const MarkovChain &flow, double least) {
    MarkovChain result = flow;
    for (std::size_t t = 0; t < flow.nodes(); ++t) {
        auto &successors = result.successors[t];
        double kept = 0;
        std::erase_if(successors, [&](const auto &s) { return flow.frequency[t] * s.share < least; });
        if (successors.empty()) successors = flow.successors[t];
        for (const auto &successor : successors) kept += successor.share;
        for (auto &successor : successors) successor.share /= kept;
    }
    settle(result);
    return result;
}

}  // namespace mog
