// order_test.cpp: profile, cost model and order search.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "assembler/assemble.hpp"
#include "assembler/cost_model.hpp"
#include "assembler/encode.hpp"
#include "assembler/order_search.hpp"
#include "assembler/parse.hpp"
#include "tests/assembler/random_program.hpp"

using namespace mog;

namespace {

/// Digrams of `n` kinds from weights[a * n + b].
Digrams make_digrams(std::size_t n, const std::vector<double> &weights) {
    Digrams digrams;
    double total = 0;
    for (const double weight : weights) total += weight;
    digrams.successors.resize(n);
    for (std::size_t a = 0; a < n; ++a) {
        digrams.kinds.push_back((isa.begin() + a)->op);
        double sum = 0;
        for (std::size_t b = 0; b < n; ++b) sum += weights[a * n + b];
        digrams.frequency.push_back(sum / total);
        for (std::size_t b = 0; b < n; ++b)
            if (weights[a * n + b] > 0)
                digrams.successors[a].push_back({static_cast<std::uint32_t>(b), weights[a * n + b] / sum});
    }
    return digrams;
}

Image image_of(std::string_view text) {
    const auto program = parse(text, "test.mog");
    REQUIRE_MESSAGE(bool(program), (program ? "" : program.error().text()));
    const auto image = encode(*program);
    REQUIRE(bool(image));
    return *image;
}

/// The permutations of each kind once, for evolve().
class Permutations {
public:
    using Genome = std::vector<std::uint32_t>;
    explicit Permutations(const Digrams &digrams) : order_(digrams), digrams_(digrams) {}
    Genome first() const {
        Genome genome;
        for (std::uint32_t k = 0; k < digrams_.kinds.size(); ++k) genome.push_back(k);
        return genome;
    }
    Genome random(Random &random) const {
        Genome genome = first();
        for (std::size_t i = genome.size(); i > 1; --i) std::swap(genome[i - 1], genome[random.below(i)]);
        return genome;
    }
    Genome mix(const Genome &a, const Genome &b, Random &random) const { return order_.mix(a, b, random); }
    Genome mutate(Genome genome, Random &random) const { return order_.mutate(std::move(genome), random); }
    double cost(const Genome &genome) const { return mean_span(digrams_, genome); }

private:
    OrderProblem order_;
    const Digrams &digrams_;
};

}  // namespace

TEST_CASE("the span counts slots from an instruction to its successor, cyclically") {
    // a b a b ...
    const Digrams pair = make_digrams(2, {0, 1, 1, 0});
    CHECK(mean_span(pair, {0, 1}) == doctest::Approx(1));
    CHECK(mean_span(pair, {0, 1, 0, 1}) == doctest::Approx(1));
    CHECK(mean_span(pair, {0, 0, 1}) == doctest::Approx(1.5));  // the first of the two a's serves: 2 to b, 1 back
    // a a a ...: once round
    CHECK(mean_span(make_digrams(1, {1}), {0}) == doctest::Approx(1));
    // a b c a b c, ordered against it: 2 each
    const Digrams ring = make_digrams(3, {0, 1, 0, 0, 0, 1, 1, 0, 0});
    CHECK(mean_span(ring, {0, 1, 2}) == doctest::Approx(1));
    CHECK(mean_span(ring, {0, 2, 1}) == doctest::Approx(2));
}

TEST_CASE("the search finds the best permutation of a tiny set") {
    Random random(5);
    for (int round = 0; round < 20; ++round) {
        const std::size_t n = 3 + random.below(4);
        std::vector<double> weights(n * n);
        for (double &weight : weights) weight = random.below(3) == 0 ? random.unit() : 0.01;
        const Digrams digrams = make_digrams(n, weights);
        const Permutations problem(digrams);
        auto permutation = problem.first();
        double best = 1e9;
        do best = std::min(best, problem.cost(permutation));
        while (std::next_permutation(permutation.begin(), permutation.end()));
        const auto found = evolve(problem, problem.first(), {static_cast<std::uint64_t>(round), 200, 12, 0.15});
        CHECK(found.cost == doctest::Approx(best));
    }
}

TEST_CASE("genomes keep every kind, whatever is done to them") {
    Random random(6);
    for (int round = 0; round < 50; ++round) {
        const std::size_t n = 1 + random.below(40);
        std::vector<double> weights(n * n);
        for (double &weight : weights) weight = random.unit() * random.unit();
        const Digrams digrams = make_digrams(n, weights);
        const OrderProblem problem(digrams);
        const auto complete = [&](const OrderProblem::Genome &genome) {
            for (std::uint32_t k = 0; k < n; ++k)
                if (std::find(genome.begin(), genome.end(), k) == genome.end()) return false;
            return genome.size() == problem.allotment().size();
        };
        CHECK(complete(problem.chained()));
        auto a = problem.random(random), b = problem.random(random);
        for (int i = 0; i < 200; ++i) {
            b = problem.mutate(std::move(b), random);
            REQUIRE(complete(b));
            a = problem.mix(a, b, random);
            REQUIRE(complete(a));
        }
    }
}

TEST_CASE("the best of a population never becomes worse, and a seed repeats the search") {
    Random random(7);
    const auto image = encode(test::random_program(random, 60));
    REQUIRE(bool(image));
    const Digrams digrams = static_digrams(*image);
    const OrderProblem problem(digrams);
    const auto found = evolve(problem, problem.chained(), {9, 100, 12, 0.15});
    CHECK(std::is_sorted(found.history.rbegin(), found.history.rend()));
    CHECK(found.history.size() == 101);
    CHECK(found.history.back() == found.cost);

    const Order order = search_order(*image, {9, 60}), again = search_order(*image, {9, 60}),
                other = search_order(*image, {10, 60});
    CHECK(order.slots == again.slots);
    CHECK(order.slots != other.slots);
    CHECK(covers(order, *image));
    CHECK(order.span_after <= order.span_before);
    CHECK(order.span_after < order.random_span);
    CHECK(mean_span(digrams, digrams.to_kinds(order.slots)) == doctest::Approx(order.span_after));
    CHECK(search_order(*image, {9, 0}).slots == used_ops(*image));
}

TEST_CASE("a fixed seed gives a fixed order") {
    const Image image = image_of(R"(
loop:   lr $x
        addi -1
        sr $x
        jt loop
        li 3
        sr $y
        brk 0
)");
    std::string names;
    for (const Op op : search_order(image, {1, 200}).slots) names += std::string(info(op).name) + ' ';
    CHECK(names ==
          "lr lr lr li lr sr addi sr jt brk li sr jt lr jt addi sr sr sr addi addi jt sr sr li jt lr addi sr jt li sr "
          "lr sr brk addi "
          "addi sr sr jt lr addi li jt lr sr jt lr li jt lr jt brk lr ");
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
    const Digrams digrams = static_digrams(image);
    const auto kind = [&](Op op) { return digrams.to_kinds({op})[0]; };
    const auto share = [&](Op a, Op b) {
        for (const auto &successor : digrams.successors[kind(a)])
            if (successor.kind == kind(b)) return successor.share;
        return 0.0;
    };
    CHECK(share(Op::lr_, Op::sub_) == doctest::Approx(1));
    CHECK(share(Op::jt_, Op::lr_) == doctest::Approx(0.5));
    CHECK(share(Op::jt_, Op::sr_) == doctest::Approx(0.5));
    CHECK(share(Op::j_, Op::brk_) == doctest::Approx(1));
    CHECK(digrams.successors[kind(Op::brk_)].empty());
    CHECK(digrams.frequency[kind(Op::lr_)] == doctest::Approx(8 * digrams.frequency[kind(Op::sr_)]));
    double sum = 0;
    for (const double frequency : digrams.frequency) sum += frequency;
    CHECK(sum == doctest::Approx(1));
}
