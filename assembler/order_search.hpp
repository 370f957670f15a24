// order_search.hpp: a good order of subinterpreters for a program.
#pragma once

#include "assembler/evolve.hpp"
#include "assembler/ordering.hpp"
#include "assembler/profile.hpp"

namespace mog {

struct OrderOptions {
    std::uint64_t seed = 1;
    std::uint32_t generations = 800;
};

/// Searches for the order whose predicted mean span is least. The same image and options give the same order.
Order search_order(const Image &image, const OrderOptions &options);

/// The order problem for evolve(): genomes are slots, as kinds of the digrams; each kind has one at least.
class OrderProblem {
public:
    using Genome = std::vector<std::uint32_t>;

    explicit OrderProblem(const Digrams &digrams);

    /// One slot per kind; the slots beyond go to the frequent ones, by the square root of frequency.
    const Genome &allotment() const { return allotment_; }

    Genome random(Random &random) const;
    /// Each slot followed by its likeliest successor, as long as slots of it are left: a fair start.
    Genome chained() const;
    /// The slots of `a`, part of them in the places they have there, the others in the order of `b`.
    Genome mix(const Genome &a, const Genome &b, Random &random) const;
    /// One slot or a few neighbours moved, two exchanged, or a repeated one given to another kind.
    Genome mutate(Genome genome, Random &random) const;
    double cost(const Genome &genome) const;

private:
    const Digrams &digrams_;
    Genome allotment_;
};

}  // namespace mog
