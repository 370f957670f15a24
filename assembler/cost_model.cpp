// cost_model.cpp: the interpreter run with masses. Called some hundred thousand times in a search, so it allocates
// nothing after the first call of a thread.
#include "assembler/cost_model.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace mog {

struct CostModel::Scratch {
    std::vector<Mass> nodes;           // `waited` counts from the beginning of the pass
    std::vector<double> came;          // by node: mass that was served in the pass, uncorrected
    std::vector<double> correct;       // by node: factor
    std::vector<double> at_node;       // by node of the kind at hand
    std::vector<double> served;        // by slot
    double arrived = 0, wait = 0;      // in the pass: mass that was served, and slots that it had waited
};

CostModel::Scratch &CostModel::scratch() {
    thread_local Scratch scratch;
    return scratch;
}

CostModel::CostModel(const Flow &flow, const DeviceCosts &costs) : flow_(flow), costs_(costs) {
    std::vector<std::uint32_t> order(flow.nodes()), place(flow.nodes());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return flow.kind_of[a] < flow.kind_of[b]; });
    first_node_.assign(flow.kinds.size() + 1, 0);
    for (std::uint32_t i = 0; i < order.size(); ++i) {
        place[order[i]] = i;
        ++first_node_[flow.kind_of[order[i]] + 1];
        frequency_.push_back(flow.frequency[order[i]]);
    }
    for (std::size_t k = 0; k < flow.kinds.size(); ++k) first_node_[k + 1] += first_node_[k];
    first_successor_.push_back(0);
    for (const std::uint32_t node : order) {
        for (const auto &successor : flow.successors[node]) {
            successor_.push_back(place[successor.node]);
            share_.push_back(successor.share);
        }
        first_successor_.push_back(static_cast<std::uint32_t>(successor_.size()));
    }
    for (const Kind &kind : flow.kinds) body_.push_back(costs.body_of(kind));
}

CostModel::Waiting CostModel::start() const {
    Waiting waiting;
    for (const double frequency : frequency_) waiting.masses.push_back({frequency, 0});
    waiting.came = frequency_;
    return waiting;
}

/// The chance that any lane is among the `part` of all PEs that takes a body.
double CostModel::shared(double part) const {
    if (costs_.lanes <= 1) return part;
    double none = 1, base = std::clamp(1 - part, 0.0, 1.0);
    for (std::uint32_t lanes = costs_.lanes; lanes != 0; lanes >>= 1, base *= base)
        if (lanes & 1) none *= base;
    return 1 - none;
}

/// One pass. Returns the mass executed, which `served` tells by slot.
double CostModel::pass(std::span<const std::uint32_t> slots, Scratch &s, bool correct) const {
    // Both numbers of a Mass at once: this loop is what a search spends its time in.
    using Both [[gnu::vector_size(16), gnu::may_alias]] = double;
    static_assert(sizeof(Mass) == sizeof(Both));
    const auto pass_on = [&](std::uint32_t node, double mass, double now) {
        const Both both{mass, -mass * now};
        for (std::uint32_t i = first_successor_[node]; i < first_successor_[node + 1]; ++i) {
            Mass &to = s.nodes[successor_[i]];
            const Both sum = Both{to.mass, to.waited} + both * share_[i];
            to = {sum[0], sum[1]};
        }
    };
    s.served.resize(slots.size());
    s.arrived = s.wait = 0;
    double executed = 0;
    for (std::size_t slot = 0; slot < slots.size(); ++slot) {
        const std::uint32_t first = first_node_[slots[slot]], end = first_node_[slots[slot] + 1];
        const double now = static_cast<double>(slot);
        double served = 0;
        if (end - first == 1) {  // as in digrams
            const Mass here = std::exchange(s.nodes[first], {});
            s.arrived += here.mass;
            s.wait += here.mass * now + here.waited;
            served = correct ? here.mass * s.correct[first] : here.mass;
            s.came[first] += here.mass;
            pass_on(first, served, now);
        } else {
            // Two rounds: what a node's successor of the same kind gets waits for the next slot.
            s.at_node.resize(std::max<std::size_t>(s.at_node.size(), end - first));
            for (std::uint32_t t = first; t < end; ++t) {
                const Mass here = std::exchange(s.nodes[t], {});
                s.arrived += here.mass;
                s.wait += here.mass * now + here.waited;
                const double mass = correct ? here.mass * s.correct[t] : here.mass;
                s.at_node[t - first] = mass;
                s.came[t] += here.mass;
                served += mass;
            }
            for (std::uint32_t t = first; t < end; ++t)
                if (s.at_node[t - first] > 0) pass_on(t, s.at_node[t - first], now);
        }
        s.served[slot] = served;
        executed += served;
    }
    const double turn = static_cast<double>(slots.size());
    for (Mass &node : s.nodes) node.waited += node.mass * turn;
    return executed;
}

/// What the bodies of a pass cost, if slots serve `scale` times `served` of a PE.
double CostModel::paid(std::span<const std::uint32_t> slots, const std::vector<double> &served, double scale) const {
    double sum = 0;
    for (std::size_t slot = 0; slot < slots.size(); ++slot) sum += body_[slots[slot]] * shared(served[slot] * scale);
    return sum;
}

Price CostModel::price(std::size_t slots, double executed, double paid) const {
    if (executed <= 0) return {static_cast<double>(slots), 0};
    executed *= flow_.instructions;
    const double attempts = static_cast<double>(slots);
    return {attempts / executed, (costs_.pass + costs_.attempt * attempts + paid) / executed};
}

Price CostModel::quick(std::span<const std::uint32_t> slots, Waiting &waiting, int passes) const {
    constexpr double most = 16;    // times too little; a node that was hardly reached yet says little
    constexpr double memory = 0.5;  // passes may differ in turn
    Scratch &s = scratch();
    const std::size_t nodes = frequency_.size();
    s.nodes = waiting.masses;
    s.came = waiting.came;
    s.correct.resize(nodes);
    double executed = 0, wait = 0, arrived = 0;
    for (int i = 0; i < passes; ++i) {
        double all = 0;
        for (const double came : s.came) all += came;
        for (std::size_t t = 0; t < nodes; ++t) {
            // Half of what is missing, on a logarithmic scale: all of it may swing.
            const double missing = s.came[t] > 0 ? frequency_[t] * all / s.came[t] : 1;
            s.correct[t] = std::sqrt(std::clamp(missing, 1 / most, most));
            s.came[t] *= memory;
        }
        executed = pass(slots, s, true);
        wait = s.wait + memory * wait;
        arrived = s.arrived + memory * arrived;
    }
    if (arrived <= 0 || executed <= 0) return price(slots.size(), 0, 0);
    // So many instructions PEs execute in a pass; corrected masses need not sum to 1.
    const double span = wait / arrived, in_pass = static_cast<double>(slots.size()) / span;
    const double scale = in_pass / executed;
    const double bodies = paid(slots, s.served, scale);
    double all = 0;
    for (const double came : s.came) all += came;
    waiting.deviation = 0;
    for (std::size_t t = 0; t < nodes; ++t) waiting.deviation += std::abs(s.came[t] / all - frequency_[t]);
    waiting.masses.resize(nodes);
    waiting.came.resize(nodes);
    for (std::size_t t = 0; t < nodes; ++t) {
        waiting.masses[t] = {s.nodes[t].mass * scale, s.nodes[t].waited * scale};
        waiting.came[t] = s.came[t] * scale;
    }
    return price(slots.size(), in_pass, bodies);
}

Price CostModel::exact(std::span<const std::uint32_t> slots) const {
    constexpr int first_block = 16, most_passes = 8192;
    constexpr double enough = 1e-7;
    Scratch &s = scratch();
    s.nodes = start().masses;
    s.came.assign(frequency_.size(), 0.0);
    Price last;
    int block = first_block;
    for (int passes = 0; passes < most_passes; passes += block, block += block / 2) {
        double executed = 0, bodies = 0;
        for (int i = 0; i < block; ++i) {
            executed += pass(slots, s, false);
            bodies += paid(slots, s.served, 1);
        }
        const Price now = price(slots.size(), executed / block, bodies / block);
        const bool stands = std::abs(now.span - last.span) < enough * now.span;
        last = now;
        if (stands) break;
    }
    return last;
}

}  // namespace mog
