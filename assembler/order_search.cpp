// order_search.cpp: the genome of the order search, and the search.
#include "assembler/order_search.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "assembler/cost_model.hpp"

namespace mog {
namespace {

/// How many slots a pass has: the paper's 64, fewer where the program uses few instructions, more where it uses many.
std::size_t slot_count(std::size_t kinds) {
    return std::max(kinds + 48, std::min<std::size_t>(64, 3 * kinds));
}

constexpr int random_orders = 32;  // how many random orders tell what a random order costs

}  // namespace

OrderProblem::OrderProblem(const Digrams &digrams) : digrams_(digrams) {
    const std::size_t kinds = digrams.kinds.size();
    std::vector<std::uint32_t> copies(kinds, 1);
    // A thing that is waited for is best offered in proportion to the square root of how often it is wanted.
    for (std::size_t slots = kinds; kinds > 1 && slots < slot_count(kinds); ++slots) {
        std::size_t neediest = 0;
        for (std::size_t k = 1; k < kinds; ++k)
            if (std::sqrt(digrams.frequency[k]) / copies[k] > std::sqrt(digrams.frequency[neediest]) / copies[neediest])
                neediest = k;
        ++copies[neediest];
    }
    for (std::uint32_t k = 0; k < kinds; ++k) allotment_.insert(allotment_.end(), copies[k], k);
}

OrderProblem::Genome OrderProblem::random(Random &random) const {
    Genome genome = allotment_;
    for (std::size_t i = genome.size(); i > 1; --i) std::swap(genome[i - 1], genome[random.below(i)]);
    return genome;
}

OrderProblem::Genome OrderProblem::chained() const {
    std::vector<std::uint32_t> left(digrams_.kinds.size());
    for (const std::uint32_t kind : allotment_) ++left[kind];
    Genome genome;
    while (genome.size() < allotment_.size()) {
        std::optional<std::uint32_t> best;
        double best_share = -1;
        if (!genome.empty())
            for (const auto &successor : digrams_.successors[genome.back()])
                if (left[successor.kind] != 0 && successor.share > best_share) {
                    best = successor.kind;
                    best_share = successor.share;
                }
        for (std::uint32_t kind = 0; !best && kind < left.size(); ++kind)
            if (left[kind] != 0) best = kind;
        --left[*best];
        genome.push_back(*best);
    }
    return genome;
}

OrderProblem::Genome OrderProblem::mix(const Genome &a, const Genome &b, Random &random) const {
    const std::size_t n = a.size();
    std::size_t first = random.below(n), last = random.below(n);
    if (first > last) std::swap(first, last);
    std::vector<std::uint32_t> needed(digrams_.kinds.size());
    for (std::size_t i = 0; i < n; ++i)
        if (i < first || i >= last) ++needed[a[i]];
    // In b's order as far as b has them, then in a's.
    Genome rest;
    for (const Genome *source : {&b, &a})
        for (const std::uint32_t kind : *source)
            if (needed[kind] != 0) {
                --needed[kind];
                rest.push_back(kind);
            }
    Genome child = a;
    auto next = rest.begin();
    for (std::size_t i = 0; i < n; ++i)
        if (i < first || i >= last) child[i] = *next++;
    return child;
}

OrderProblem::Genome OrderProblem::mutate(Genome genome, Random &random) const {
    const std::size_t n = genome.size();
    const auto at = [&](std::size_t i) { return genome.begin() + static_cast<std::ptrdiff_t>(i); };
    do {
        const std::size_t i = random.below(n), j = random.below(n);
        switch (random.below(4)) {
            case 0:
                std::swap(genome[i], genome[j]);
                break;
            case 1:  // slot i to place j
                if (i < j) std::rotate(at(i), at(i + 1), at(j + 1));
                if (j < i) std::rotate(at(j), at(i), at(i + 1));
                break;
            case 2: {  // a few neighbours
                const std::size_t length = 1 + random.below(std::min<std::size_t>(6, n));
                const std::size_t from = random.below(n - length + 1), to = random.below(n - length + 1);
                if (from < to) std::rotate(at(from), at(from + length), at(to + length));
                if (to < from) std::rotate(at(to), at(from), at(from + length));
                break;
            }
            default:
                if (std::count(genome.begin(), genome.end(), genome[i]) > 1) genome[i] = genome[j];
        }
    } while (random.below(3) == 0);
    return genome;
}

double OrderProblem::cost(const Genome &genome) const {
    return mean_span(digrams_, genome);
}

Order search_order(const Image &image, const OrderOptions &options) {
    const Digrams digrams = static_digrams(image);
    const OrderProblem problem(digrams);
    Order order = table_order(image);
    order.seed = options.seed;
    order.generations = options.generations;

    Random random(options.seed);
    order.random_span = 0;
    for (int i = 0; i < random_orders; ++i) order.random_span += problem.cost(problem.random(random)) / random_orders;
    if (options.generations == 0) return order;

    EvolveOptions evolution;
    evolution.seed = options.seed;
    evolution.generations = options.generations;
    const auto found = evolve(problem, problem.chained(), evolution);
    // Slots enough for every kind leave out no order of the table, but a short search may not have come that far.
    if (found.cost < order.span_before) {
        order.slots.clear();
        for (const std::uint32_t kind : found.best) order.slots.push_back(digrams.kinds[kind]);
        order.span_after = found.cost;
    }
    return order;
}

}  // namespace mog
