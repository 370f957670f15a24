// order_test.cpp: flows, cost model, bound and order search.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "assembler/assemble.hpp"
#include "assembler/image/encode.hpp"
#include "assembler/order/cost_model.hpp"
#include "assembler/order/ngrams.hpp"
#include "assembler/order/order_bound.hpp"
#include "assembler/order/order_search.hpp"
#include "tests/assembler/image_of.hpp"
#include "tests/assembler/random_program.hpp"

using namespace mog;
using mog::test::image_of;

namespace {

/// Digrams of `n` kinds that isa.def knows nothing of, from weights[a * n + b]. Kind k costs k + 1.
MarkovChain make_digrams(std::size_t n, const std::vector<double> &weights) {
    std::vector<Kind> kinds;
    for (std::size_t k = 0; k < n; ++k)
        kinds.push_back({static_cast<Op>(0xa0 + k), "kind" + std::to_string(k), static_cast<double>(k + 1)});
    return flow_of_counts(std::move(kinds), weights);
}

/// Every kind may follow every other, some more likely.
MarkovChain random_digrams(std::size_t n, Random &random) {
    std::vector<double> weights(n * n);
    for (double &weight : weights) weight = random.below(3) == 0 ? random.unit() : 0.01;
    return make_digrams(n, weights);
}

/// Rings of a few kinds that are left after so many rounds: as loops are once superinstructions do most of them.
MarkovChain loops(std::size_t n, double rounds, Random &random) {
    std::vector<double> weights(n * n);
    for (std::size_t from = 0; from < n;) {
        const std::size_t length = std::min<std::size_t>(n - from, 1 + random.below(5));
        for (std::size_t k = 0; k < length; ++k) weights[(from + k) * n + from + (k + 1) % length] = rounds;
        weights[(from + length - 1) * n + (from + length) % n] += 1;
        from += length;
    }
    return make_digrams(n, weights);
}

/// The same with two nodes for each kind, which nothing tells apart.
MarkovChain with_twins(const MarkovChain &flow) {
    MarkovChain twins = flow;
    const auto n = static_cast<std::uint32_t>(flow.nodes());
    for (auto &frequency : twins.frequency) frequency /= 2;
    for (auto &successors : twins.successors)
        for (std::size_t i = successors.size(); i-- > 0;) {
            successors[i].share /= 2;
            successors.push_back({successors[i].node + n, successors[i].share});
        }
    for (std::uint32_t t = 0; t < n; ++t) {
        twins.kind_of.push_back(twins.kind_of[t]);
        twins.frequency.push_back(twins.frequency[t]);
        twins.successors.push_back(twins.successors[t]);
    }
    return twins;
}

std::vector<std::uint32_t> random_slots(std::size_t kinds, std::size_t more, Random &random) {
    std::vector<std::uint32_t> slots;
    for (std::uint32_t k = 0; k < kinds; ++k) slots.push_back(k);
    for (std::size_t i = 0; i < more; ++i) slots.push_back(random.below(kinds));
    for (std::size_t i = slots.size(); i > 1; --i) std::swap(slots[i - 1], slots[random.below(i)]);
    return slots;
}

/// A PE's way through the slots, by chance: what the model must predict.
struct Walk {
    double span = 0, cost = 0;
};
Walk walk(const MarkovChain &flow, const DeviceCosts &costs, const std::vector<std::uint32_t> &slots, int steps, Random &random) {
    std::uint32_t node = 0;
    std::size_t slot = 0;
    double attempts = 0, bodies = 0, passes = 0;
    for (int i = 0; i < steps; ++i) {
        for (;; slot = slot + 1 == slots.size() ? 0 : slot + 1) {
            attempts += 1;
            passes += slot == 0 ? 1 : 0;
            if (slots[slot] == flow.kind_of[node]) break;
        }
        bodies += costs.body_of(flow.kinds[flow.kind_of[node]]);
        slot = slot + 1 == slots.size() ? 0 : slot + 1;
        double x = random.unit();
        for (const auto &successor : flow.successors[node])
            if ((x -= successor.share) < 0) {
                node = successor.node;
                break;
            }
    }
    return {attempts / steps, (passes * costs.pass + attempts * costs.attempt + bodies) / steps};
}

DeviceCosts one_lane() {
    DeviceCosts costs;
    costs.lanes = 1;
    return costs;
}

}  // namespace

TEST_CASE("the span counts slots from an instruction to its successor, cyclically") {
    const DeviceCosts costs = one_lane();
    const auto span = [&](const MarkovChain &flow, const std::vector<std::uint32_t> &slots) {
        return CostModel(flow, costs).exact(slots).span;
    };
    // a b a b ...
    const MarkovChain pair = make_digrams(2, {0, 1, 1, 0});
    CHECK(span(pair, {0, 1}) == doctest::Approx(1));
    CHECK(span(pair, {0, 1, 0, 1}) == doctest::Approx(1));
    CHECK(span(pair, {0, 0, 1}) == doctest::Approx(1.5));  // the first of the two a's serves: 2 to b, 1 back
    // a a a ...: once round
    CHECK(span(make_digrams(1, {1}), {0}) == doctest::Approx(1));
    // a b c a b c, ordered against it: 2 each
    const MarkovChain ring = make_digrams(3, {0, 1, 0, 0, 0, 1, 1, 0, 0});
    CHECK(span(ring, {0, 1, 2}) == doctest::Approx(1));
    CHECK(span(ring, {0, 2, 1}) == doctest::Approx(2));
}

TEST_CASE("the model predicts what PEs do that walk by chance, repeated kinds included") {
    Random random(11);
    const DeviceCosts costs = one_lane();
    for (int round = 0; round < 12; ++round) {
        const std::size_t n = 3 + random.below(12);
        const MarkovChain flow = random_digrams(n, random);
        const CostModel model(flow, costs);
        const auto slots = random_slots(n, random.below(3 * n), random);
        const Price price = model.exact(slots);
        const Walk seen = walk(flow, costs, slots, 400000, random);
        CHECK(price.span == doctest::Approx(seen.span).epsilon(0.01));
        CHECK(price.cost == doctest::Approx(seen.cost).epsilon(0.01));
    }
}

TEST_CASE("the model predicts PEs that stay in tight loops for long") {
    Random random(14);
    const DeviceCosts costs = one_lane();
    for (int round = 0; round < 12; ++round) {
        const std::size_t n = 4 + random.below(20);
        const MarkovChain flow = loops(n, 1000, random);
        const auto slots = random_slots(n, random.below(3 * n), random);
        CHECK(CostModel(flow, costs).exact(slots).span == doctest::Approx(walk(flow, costs, slots, 2000000, random).span).epsilon(0.02));
    }
}

TEST_CASE("sweeps come to the price that masses come to, also from another order's shares") {
    Random random(12);
    const DeviceCosts costs;
    for (int round = 0; round < 100; ++round) {
        CAPTURE(round);
        const std::size_t n = 2 + random.below(30);
        const MarkovChain flow = round % 2 == 0 ? random_digrams(n, random) : loops(n, 20, random);
        const CostModel model(flow, costs);
        const MarkovChain twins = with_twins(flow);  // more than one node for a kind: the masses' case
        const CostModel masses(twins, costs);
        CostModel::Shares shares;
        auto slots = random_slots(n, random.below(60), random);
        // In rings the PEs of a kind may go separate ways for long, slot by slot: then it takes many sweeps.
        CHECK(model.quick(slots, shares, 64).cost == doctest::Approx(masses.exact(slots).cost).epsilon(0.02));
        CHECK(model.exact(slots).cost == doctest::Approx(masses.exact(slots).cost).epsilon(1e-3));
        std::swap(slots.front(), slots.back());
        CHECK(model.quick(slots, shares, 2).cost == doctest::Approx(masses.exact(slots).cost).epsilon(0.2));
        CHECK(model.quick(slots, shares, 64).cost == doctest::Approx(masses.exact(slots).cost).epsilon(0.02));
    }
}

TEST_CASE("lanes pay for bodies together, and an instruction's cost falls with what it shares") {
    const MarkovChain pair = make_digrams(2, {0.5, 0.5, 0.5, 0.5});
    DeviceCosts costs = one_lane();
    costs.pass = 0;
    const double alone = CostModel(pair, costs).exact(std::vector<std::uint32_t>{0, 1}).cost;
    // Each PE: an attempt for each slot, its own bodies. Span 1.5, mean body 1.5.
    CHECK(alone == doctest::Approx(1.5 * costs.attempt + 1.5));
    costs.lanes = 1000;  // some lane needs every body
    const double crowd = CostModel(pair, costs).exact(std::vector<std::uint32_t>{0, 1}).cost;
    CHECK(crowd == doctest::Approx(1.5 * (costs.attempt + 1.5)).epsilon(1e-3));
}

TEST_CASE("nothing is below the bound") {
    Random random(13);
    const DeviceCosts costs;
    for (int round = 0; round < 200; ++round) {
        const std::size_t n = 1 + random.below(8);
        const MarkovChain flow = random_digrams(n, random);
        const CostModel model(flow, costs);
        const Price bound = lower_bound(flow, costs);
        const Price price = model.exact(random_slots(n, random.below(20), random));
        CHECK(bound.span <= price.span * (1 + 1e-6));
        CHECK(bound.cost <= price.cost * (1 + 1e-6));
    }
    const MarkovChain ring = make_digrams(3, {0, 1, 0, 0, 0, 1, 1, 0, 0});
    CHECK(lower_bound(ring, costs).span == doctest::Approx(1));
    const MarkovChain even = make_digrams(2, {0.5, 0.5, 0.5, 0.5});
    CHECK(lower_bound(even, costs).span == doctest::Approx(1.5));
}

TEST_CASE("the search finds the best of all sequences of a tiny set") {
    Random random(5);
    const DeviceCosts costs;
    for (int round = 0; round < 12; ++round) {
        const std::size_t n = 2 + random.below(3), slots = n + random.below(5 - n + 2);
        const MarkovChain flow = random_digrams(n, random);
        const CostModel model(flow, costs);
        double best = 1e9;
        std::vector<std::uint32_t> sequence(slots);
        for (bool more = true; more;) {
            bool complete = true;
            for (std::uint32_t k = 0; k < n; ++k) complete &= std::find(sequence.begin(), sequence.end(), k) != sequence.end();
            if (complete) best = std::min(best, model.exact(sequence).cost);
            std::size_t digit = 0;
            while (digit < slots && ++sequence[digit] == n) sequence[digit++] = 0;
            more = digit < slots;
        }
        const OrderProblem problem(flow, model, Objective::cost, {slots, slots});
        EvolveOptions options;
        options.seed = static_cast<std::uint64_t>(round);
        options.steps = 300;
        const auto found = evolve(problem, {problem.chained(slots)}, options);
        CHECK(model.exact(found.best.slots).cost == doctest::Approx(best).epsilon(1e-4));
    }
}

TEST_CASE("genomes keep every kind and the limits, whatever is done to them") {
    Random random(6);
    const DeviceCosts costs;
    for (int round = 0; round < 50; ++round) {
        const std::size_t n = 1 + random.below(40);
        const MarkovChain flow = random_digrams(n, random);
        const CostModel model(flow, costs);
        const OrderProblem problem(flow, model, Objective::cost, {n, n + random.below(60)});
        const auto complete = [&](const OrderProblem::Genome &genome) {
            for (std::uint32_t k = 0; k < n; ++k)
                if (std::find(genome.slots.begin(), genome.slots.end(), k) == genome.slots.end()) return false;
            return genome.slots.size() >= problem.limits().least && genome.slots.size() <= problem.limits().most;
        };
        CHECK(complete(problem.chained(problem.limits().most)));
        for (const std::size_t slots : {problem.limits().least, problem.limits().most}) {
            CHECK(complete(problem.walked(slots, random)));
            CHECK(problem.walked(slots, random).slots.size() == slots);
        }
        auto a = problem.random(random), b = problem.random(random);
        for (int i = 0; i < 200; ++i) {
            b = problem.mutate(std::move(b), random);
            REQUIRE(complete(b));
            a = problem.mix(a, b, random);
            REQUIRE(complete(a));
        }
    }
}

TEST_CASE("a search never becomes worse, and depends on the seed but not on threads") {
    Random random(7);
    const auto image = encode(test::random_program(random, 60));
    REQUIRE(bool(image));
    OrderOptions options;
    options.seed = 9;
    options.seconds = 0.1;
    options.threads = 1;
    const auto order = search_order(*image, options);
    options.threads = 3;
    const auto again = search_order(*image, options);
    options.seed = 10;
    const auto other = search_order(*image, options);
    REQUIRE((order && again && other));
    CHECK(order->slots == again->slots);
    CHECK(order->slots != other->slots);
    CHECK(covers(*order, *image));
    CHECK(std::is_sorted(order->curve.rbegin(), order->curve.rend()));
    CHECK(order->found.cost <= order->table.cost);
    CHECK(order->found.cost >= order->bound.cost);
    const MarkovChain digrams = digrams_for(*image, options);
    CHECK(CostModel(digrams, options.costs).exact(to_kinds(digrams, order->slots)).cost == doctest::Approx(order->found.cost));
}

TEST_CASE("without time the order is the table's; slots are as many as asked for") {
    Random random(8);
    const auto image = encode(test::random_program(random, 40));
    REQUIRE(bool(image));
    OrderOptions options;
    options.seconds = 0;
    const auto table = search_order(*image, options);
    REQUIRE(bool(table));
    CHECK(table->slots == used_ops(*image));
    options.seconds = 0.02;
    options.slots = static_cast<std::uint32_t>(used_ops(*image).size()) + 7;
    const auto more = search_order(*image, options);
    REQUIRE(bool(more));
    CHECK(more->slots.size() == options.slots);
    options.slots = 1;
    const auto few = search_order(*image, options);
    REQUIRE(!few);
    CHECK(few.error().message.find("each needs a slot") != std::string::npos);
}

TEST_CASE("static digrams follow the flow of control, and loops weigh more") {
    const Image image = image_of(R"(
        li 1
loop:   lr $x
        sub $y
        jt loop
        sr $x
        li back
        j
back:   .map
        brk 0
)");
    const MarkovChain digrams = digrams_for(image, {});
    const auto kind = [&](Op op) { return to_kinds(digrams, {op})[0]; };
    const auto share = [&](Op a, Op b) {
        for (const auto &successor : digrams.successors[kind(a)])
            if (successor.node == kind(b)) return successor.share;
        return 0.0;
    };
    CHECK(share(Op::lr_, Op::sub_) == doctest::Approx(1));
    CHECK(share(Op::jt_, Op::lr_) == doctest::Approx(0.88));  // Ball and Larus: loop branches
    CHECK(share(Op::jt_, Op::sr_) == doctest::Approx(0.12));
    CHECK(share(Op::j_, Op::brk_) == doctest::Approx(1));
    CHECK(share(Op::brk_, Op::li_) == doctest::Approx(1));  // the next PE begins
    CHECK(digrams.frequency[kind(Op::lr_)] == doctest::Approx(1 / 0.12 * digrams.frequency[kind(Op::sr_)]).epsilon(0.01));
    double sum = 0;
    for (const double frequency : digrams.frequency) sum += frequency;
    CHECK(sum == doctest::Approx(1));
}

TEST_CASE("static estimates weigh functions by their calls") {
    const Image image = image_of(R"(
start:  .at 0x400000
        li 3
        sr $s0
loop:   .at 0x400010
        li back
        sr $ra
        ja f
back:   .map 0x400020
        .at 0x400020
        lr $s0
        addi -1
        sr $s0
        jt loop
        brk 0
f:      .at 0x400100
        neg
        lr $ra
        j
        .symbol start, 0x400000, 64, code
        .symbol f, 0x400100, 16, code
)");
    const Execution execution = static_execution(image);
    const auto count_of = [&](Op op) {
        for (std::size_t i = 0; i < image.text.size(); ++i)
            if (op_at(image, i) == op) return execution.count[i];
        return 0.0;
    };
    CHECK(count_of(Op::neg_) == doctest::Approx(1 / 0.12).epsilon(0.01));  // as often as the loop around the call
    CHECK(count_of(Op::brk_) == doctest::Approx(1).epsilon(0.01));
}

TEST_CASE("a loop around a system call that does not come back weighs no more than one pass of it") {
    const Image image = image_of(R"(
        li 1
loop:   lr $x
        sub $y
        jt loop
exit:   li 4001
        sr $v0
        sys 0
        ja exit
)");
    const Execution execution = static_execution(image);
    for (std::size_t i = 0; i < image.text.size(); ++i) {
        if (op_at(image, i) == Op::sys_) CHECK(execution.count[i] == doctest::Approx(1).epsilon(0.01));
        if (op_at(image, i) == Op::sub_) CHECK(execution.count[i] == doctest::Approx(1 / 0.12).epsilon(0.01));
    }
    // One that is left by a branch keeps its weight: the host answers there.
    const Image asks = image_of(R"(
again:  sys 0
        lr $x
        jf out
        ja again
out:    brk 0
)");
    CHECK(static_execution(asks).count[0] > 1.5);
}

TEST_CASE("frequent sequences follow from the flow") {
    // a b c a b d: after b either.
    MarkovChain flow;
    flow.kinds = {{Op::lr_, "a"}, {Op::sr_, "b"}, {Op::add_, "c"}, {Op::sub_, "d"}};
    flow.kind_of = {0, 1, 2, 3};
    flow.frequency = {1 / 3.0, 1 / 3.0, 1 / 4.0, 1 / 12.0};
    flow.successors = {{{1, 1}}, {{2, 0.75}, {3, 0.25}}, {{0, 1}}, {{0, 1}}};
    const auto pairs = frequent_ngrams(flow, 2, 10);
    REQUIRE(pairs.size() == 5);
    CHECK(pairs[0].kinds == std::vector<std::uint32_t>{0, 1});
    CHECK(pairs[0].frequency == doctest::Approx(1 / 3.0));
    const auto triples = frequent_ngrams(flow, 3, 2);
    REQUIRE(triples.size() == 2);
    CHECK(triples[0].kinds.size() == 3);
    CHECK(triples[0].frequency == doctest::Approx(0.25));
    double sum = 0;
    for (const Ngram &ngram : frequent_ngrams(flow, 8, 1000)) sum += ngram.frequency;
    CHECK(sum == doctest::Approx(1));
}
