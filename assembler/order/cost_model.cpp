// cost_model.cpp: the interpreter run with masses. Called some hundred thousand times in a search, so it allocates
// nothing after the first call of a thread.
#include "assembler/order/cost_model.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>
#include <utility>

// Where the processor has them, by vectors of four. No AVX2 processor adds and multiplies in one step by that alone, so prices are the same
// everywhere.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define MOG_FOR_AVX2_TOO [[gnu::target_clones("avx2", "default")]]
#else
#define MOG_FOR_AVX2_TOO
#endif

namespace mog {
namespace {

constexpr std::size_t vector_length = 4;
typedef double Vector __attribute__((vector_size(vector_length * sizeof(double))));
constexpr std::size_t most_in_rows = 512;  // kinds; what may have more is no flow of kinds
constexpr std::size_t dense_part = 6;      // a row is worth it for one successor in so many kinds, counted in instructions

}  // namespace

struct CostModel::Scratch {
    std::vector<double> waits;                  // by node: the mass that waits for it
    std::vector<double> at_node;                // by node of the kind at hand
    std::vector<double> served;                 // by slot
    std::vector<double> part;                   // by slot, of all executed instructions
    std::vector<double> sum;                    // by kind: of its slots in a sweep
    std::vector<std::uint32_t> copies;          // by kind: its slots
    std::vector<std::uint32_t> place;           // by kind: where in Shares::parts that of its next slot is
    double executed = 0, wait = 0, change = 0;  // of a sweep

    void begin_places(const std::vector<std::uint32_t> &copies_of) {
        place.resize(copies_of.size());
        std::exclusive_scan(copies_of.begin(), copies_of.end(), place.begin(), 0u);
    }
};

CostModel::Scratch &CostModel::scratch() {
    thread_local Scratch scratch;
    return scratch;
}

CostModel::CostModel(const MarkovChain &flow, const DeviceCosts &costs) : flow_(flow), costs_(costs) {
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

    const std::size_t kinds = flow.kinds.size();
    row_.assign(kinds, sparse);
    row_width_ = (kinds + vector_length - 1) / vector_length * vector_length;
    if (flow.nodes() != kinds || kinds > most_in_rows) return;
    for (std::uint32_t kind = 0; kind < kinds; ++kind) {
        const std::uint32_t begin = first_successor_[kind], end = first_successor_[kind + 1];
        if ((end - begin) * dense_part < row_width_) continue;
        row_[kind] = static_cast<std::uint32_t>(rows_.size());
        rows_.resize(rows_.size() + row_width_);
        for (std::uint32_t i = begin; i < end; ++i) rows_[row_[kind] + successor_[i]] += share_[i];
    }
}

/// The chance that any lane is among the `part` of all PEs that takes a body.
inline double CostModel::shared(double part) const {
    if (costs_.lanes <= 1) return part;
    double none = 1, base = std::clamp(1 - part, 0.0, 1.0);
    for (std::uint32_t lanes = costs_.lanes; lanes != 0; lanes >>= 1, base *= base)
        if (lanes & 1) none *= base;
    return 1 - none;
}

/// What a node has executed waits for its successors.
inline void CostModel::pass_on(std::uint32_t node, double mass, Scratch &s) const {
    for (std::uint32_t i = first_successor_[node]; i < first_successor_[node + 1]; ++i) s.waits[successor_[i]] += mass * share_[i];
}

/// The same in a sweep, whose `waits` are as long as a row. What is added to where nobody goes is 0, which changes nothing.
inline void CostModel::pass_on_by_rows(std::uint32_t kind, double mass, Scratch &s) const {
    if (row_[kind] == sparse) return pass_on(kind, mass, s);
    double *const waits = s.waits.data();
    const double *const row = rows_.data() + row_[kind];
    for (std::size_t i = 0; i < row_width_; i += vector_length) {
        Vector to, share;
        std::memcpy(&to, waits + i, sizeof to);
        std::memcpy(&share, row + i, sizeof share);
        to += share * mass;
        std::memcpy(waits + i, &to, sizeof to);
    }
}

/// One pass. Returns the mass executed, which `served` tells by slot.
double CostModel::pass(std::span<const std::uint32_t> slots, Scratch &s) const {
    s.served.resize(slots.size());
    double executed = 0;
    for (std::size_t slot = 0; slot < slots.size(); ++slot) {
        const std::uint32_t first = first_node_[slots[slot]], end = first_node_[slots[slot] + 1];
        double served = 0;
        if (end - first == 1) {
            served = std::exchange(s.waits[first], 0.0);
            pass_on(first, served, s);
        } else {
            // Two rounds: what a node's successor of the same kind gets waits for the next slot.
            s.at_node.resize(std::max<std::size_t>(s.at_node.size(), end - first));
            for (std::uint32_t t = first; t < end; ++t) served += s.at_node[t - first] = std::exchange(s.waits[t], 0.0);
            for (std::uint32_t t = first; t < end; ++t)
                if (s.at_node[t - first] > 0) pass_on(t, s.at_node[t - first], s);
        }
        s.served[slot] = served;
        executed += served;
    }
    return executed;
}

/// What the bodies of a pass cost, if slots serve `scale` times `served` of a PE.
MOG_FOR_AVX2_TOO double CostModel::paid(std::span<const std::uint32_t> slots, const std::vector<double> &served, double scale) const {
    double sum = 0;
    std::size_t slot = 0;
    // shared() for several slots at once, where lanes are a power of two, as they mostly are.
    if (std::has_single_bit(costs_.lanes) && costs_.lanes > 1)
        for (; slot + vector_length <= slots.size(); slot += vector_length) {
            Vector none = {};
            for (std::size_t i = 0; i < vector_length; ++i) none[i] = std::clamp(1 - served[slot + i] * scale, 0.0, 1.0);
            for (std::uint32_t lanes = costs_.lanes; lanes > 1; lanes >>= 1) none *= none;
            for (std::size_t i = 0; i < vector_length; ++i) sum += body_[slots[slot + i]] * (1 - none[i]);
        }
    for (; slot < slots.size(); ++slot) sum += body_[slots[slot]] * shared(served[slot] * scale);
    return sum;
}

Price CostModel::price(std::size_t slots, double executed, double paid) const {
    if (executed <= 0) return {static_cast<double>(slots), 0};
    executed *= flow_.instructions;
    const double attempts = static_cast<double>(slots);
    return {attempts / executed, (costs_.pass + costs_.attempt * attempts + paid) / executed};
}

/// What a similar order left, or that all slots of a kind have the same part.
void CostModel::begin(std::span<const std::uint32_t> slots, const Shares &shares, Scratch &s) const {
    const std::size_t kinds = frequency_.size();
    s.copies.assign(kinds, 0);
    for (const std::uint32_t kind : slots) ++s.copies[kind];
    const bool known = shares.copies.size() == kinds;
    if (known) s.begin_places(shares.copies);
    s.part.resize(slots.size());
    for (std::size_t slot = 0; slot < slots.size(); ++slot) {
        const std::uint32_t kind = slots[slot];
        s.part[slot] = known && shares.copies[kind] == s.copies[kind] ? shares.parts[s.place[kind]++] : frequency_[kind] / s.copies[kind];
    }
}

/// One sweep: what comes to each slot from those before it, in the sweep, and from those behind it, in the last one.
MOG_FOR_AVX2_TOO void CostModel::sweep(std::span<const std::uint32_t> slots, Scratch &s) const {
    const std::size_t count = slots.size();
    s.waits.assign(row_width_, 0.0);
    for (std::size_t slot = 0; slot < count; ++slot) {
        s.waits[slots[slot]] = 0;
        pass_on_by_rows(slots[slot], s.part[slot], s);
    }
    s.sum.assign(frequency_.size(), 0.0);
    s.served.resize(count);
    s.executed = s.wait = 0;
    for (std::size_t slot = 0; slot < count; ++slot) {
        const std::uint32_t kind = slots[slot];
        const double part = s.served[slot] = std::exchange(s.waits[kind], 0.0);
        s.sum[kind] += part;
        s.executed += part;
        pass_on_by_rows(kind, part, s);
    }
    // A PE that goes on from slot r to slot s waits s - r, and one that has to come round waits a whole turn more. So many
    // leave each slot as came to it: what is left are the turns.
    for (const double part : s.waits) s.wait += part;
    s.wait *= static_cast<double>(count);
    s.change = 0;
    for (std::size_t slot = 0; slot < count; ++slot) {
        const std::uint32_t kind = slots[slot];
        const double scaled = s.sum[kind] > 0 ? s.served[slot] * frequency_[kind] / s.sum[kind] : frequency_[kind] / s.copies[kind];
        s.change += std::abs(scaled - s.part[slot]);
        s.part[slot] = scaled;
    }
}

Price CostModel::quick(std::span<const std::uint32_t> slots, Shares &shares, int sweeps) const {
    Scratch &s = scratch();
    begin(slots, shares, s);
    for (int i = 0; i < sweeps; ++i) sweep(slots, s);
    s.begin_places(s.copies);
    shares.parts.resize(slots.size());
    for (std::size_t slot = 0; slot < slots.size(); ++slot) shares.parts[s.place[slots[slot]]++] = s.part[slot];
    shares.copies = s.copies;
    shares.change = s.change;
    if (s.wait <= 0) return price(slots.size(), 0, 0);
    const double in_pass = static_cast<double>(slots.size()) * s.executed / s.wait;
    return price(slots.size(), in_pass, paid(slots, s.part, in_pass));
}

/// The price of a flow with one node for each kind by sweeps, if they come to an end.
std::optional<Price> CostModel::settled(std::span<const std::uint32_t> slots) const {
    constexpr int sweeps = 8, most_rounds = 64;
    constexpr double enough = 1e-9;
    Shares shares;
    for (int round = 0; round < most_rounds; ++round)
        if (const Price now = quick(slots, shares, sweeps); shares.change < enough) return now;
    return {};
}

Price CostModel::exact(std::span<const std::uint32_t> slots) const {
    if (flow_.nodes() == flow_.kinds.size())
        if (const auto settled = this->settled(slots)) return *settled;
    constexpr int first_block = 16, most_passes = 8192;
    constexpr double enough = 1e-7;
    Scratch &s = scratch();
    s.waits = frequency_;
    Price last;
    int block = first_block;
    for (int passes = 0; passes < most_passes; passes += block, block += block / 2) {
        double executed = 0, bodies = 0;
        for (int i = 0; i < block; ++i) {
            executed += pass(slots, s);
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
