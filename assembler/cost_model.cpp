// cost_model.cpp: the mean span of an order. Called some ten thousand times in a search, so it allocates nothing after
// the first call.
#include "assembler/cost_model.hpp"

#include <algorithm>

namespace mog {
namespace {

constexpr int rounds = 3;

/// What mean_span works in; kept between calls of a thread.
struct Scratch {
    std::vector<std::uint32_t>
        next;  ///< by kind: the nearest slot of it behind the slot looked at (beyond the end: cyclic)
    std::vector<double> here, there;          ///< by slot: how often it serves
    std::vector<std::uint32_t> span, target;  ///< by slot and successor, in the order of Digrams::successors
    std::vector<double> copies;
};

}  // namespace

double mean_span(const Digrams &digrams, const std::vector<std::uint32_t> &slots) {
    thread_local Scratch s;
    const auto n = static_cast<std::uint32_t>(slots.size());
    const std::size_t kinds = digrams.kinds.size();

    // From the back: the first slot of each kind, one turn later, then nearer and nearer ones.
    s.next.assign(kinds, 0);
    s.copies.assign(kinds, 0);
    for (std::uint32_t i = n; i-- > 0;) {
        s.next[slots[i]] = i + n;
        s.copies[slots[i]] += 1;
    }
    s.span.clear();
    s.target.clear();
    s.here.resize(n);
    for (std::uint32_t i = n; i-- > 0;) {
        for (const auto &successor : digrams.successors[slots[i]]) {
            const std::uint32_t to = s.next[successor.kind];
            s.span.push_back(to - i);
            s.target.push_back(to >= n ? to - n : to);
        }
        s.next[slots[i]] = i;
        s.here[i] = digrams.frequency[slots[i]] / s.copies[slots[i]];
    }

    double mean = 0;
    for (int round = 0; round < rounds; ++round) {
        double weight = 0;
        mean = 0;
        s.there.assign(n, 0);
        std::size_t k = 0;
        for (std::uint32_t i = n; i-- > 0;) {
            for (const auto &successor : digrams.successors[slots[i]]) {
                const double flow = s.here[i] * successor.share;
                mean += flow * s.span[k];
                weight += flow;
                s.there[s.target[k]] += flow;
                ++k;
            }
        }
        mean = weight > 0 ? mean / weight : 1;
        // Frequencies of kinds are the profile's; only the shares of their slots are new.
        s.copies.assign(kinds, 0);
        for (std::uint32_t i = 0; i < n; ++i) s.copies[slots[i]] += s.there[i];
        for (std::uint32_t i = 0; i < n; ++i)
            if (s.copies[slots[i]] > 0) s.here[i] = s.there[i] * digrams.frequency[slots[i]] / s.copies[slots[i]];
    }
    return mean;
}

}  // namespace mog
