// costs_test.cpp: what pieces cost is found from what wholes cost, and files of costs are read as they were written or
// refused.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>

#include "assembler/order/costs_file.hpp"
#include "assembler/order/least_squares.hpp"
#include "support/files/hash.hpp"
#include "support/random.hpp"

using namespace mog;

namespace {

/// Times of random mixtures of pieces with known costs, each off by up to `noise`; every `outlier`-th is 60 % too long.
std::vector<Equation> timings(const std::vector<double> &costs, std::size_t count, double noise, std::size_t outlier) {
    Random random(7);
    std::vector<Equation> equations;
    for (std::size_t e = 0; e < count; ++e) {
        Equation equation;
        for (const double cost : costs) {
            const double factor = random.below(2) ? random.unit() : 4 * random.unit();
            equation.factors.push_back(factor);
            equation.value += factor * cost;
        }
        equation.value *= 1 + noise * (2 * random.unit() - 1);
        if (outlier != 0 && e % outlier == 0) equation.value *= 1.6;
        equations.push_back(std::move(equation));
    }
    return equations;
}

MeasuredCosts example() {
    MeasuredCosts costs{"opencl:0", "a device", "driver 1", 32, EngineCosts{3, 2, 1e-9, 0.01, {{"lr", 1.5}, {"lw", 30}}}, {}};
    costs.dispatch = EngineCosts{0, 0, 2e-9, 0.02, {{"lr", 1}}};
    return costs;
}

}  // namespace

TEST_CASE("exact times give exact costs, also those that are nothing") {
    const std::vector<double> costs = {3, 0.5, 0, 12, 1, 0, 7};
    const CostFit fit = fit_costs(timings(costs, 40, 0, 0));
    REQUIRE(fit.x.size() == costs.size());
    for (std::size_t i = 0; i < costs.size(); ++i) CHECK(fit.x[i] == doctest::Approx(costs[i]).epsilon(1e-4));
    CHECK(fit.deviation < 1e-5);
}

TEST_CASE("noise of some hundredths and disturbed measurements leave costs right by as much") {
    std::vector<double> costs;
    for (int i = 0; i < 60; ++i) costs.push_back(1 + i % 9);
    const CostFit fit = fit_costs(timings(costs, 600, 0.02, 20));
    CHECK(fit.outliers >= 25);
    CHECK(fit.deviation < 0.03);
    double worst = 0;
    for (std::size_t i = 0; i < costs.size(); ++i) worst = std::max(worst, std::abs(fit.x[i] - costs[i]));
    CHECK(worst < 0.5);
}

TEST_CASE("a guess holds where measurements say nothing, and nowhere else") {
    std::vector<Equation> equations = {{{2, 0}, 10}, {{4, 0}, 20}};
    equations.push_back({{1, 0}, 1, 0.01});
    equations.push_back({{0, 1}, 3, 0.01});
    const CostFit fit = fit_costs(equations);
    CHECK(fit.x[0] == doctest::Approx(5).epsilon(0.01));
    CHECK(fit.x[1] == doctest::Approx(3));
}

TEST_CASE("costs are read as they were written") {
    const auto read = read_costs(write_costs(example()));
    REQUIRE(read);
    CHECK(read->device == "opencl:0");
    CHECK(read->lanes == 32);
    CHECK(read->sequence->attempt == 2);
    CHECK(read->dispatch->bodies.at("lr") == 1);
    const DeviceCosts costs = search_costs(*read);
    CHECK(costs.device.find("a device") != std::string::npos);
    CHECK(costs.attempt == 2);
    CHECK(costs.pass == 3);
    CHECK(costs.lanes == 32);
    CHECK(costs.body_of({Op::lw_, "lw", 1}) == 30);
    CHECK(costs.body_of({Op::div_, "div", 20}) == 20);  // nobody measured it
}

TEST_CASE("costs of a switch alone leave attempts as they are estimated, and say so") {
    MeasuredCosts measured = example();
    measured.sequence.reset();
    const DeviceCosts costs = search_costs(measured);
    CHECK(costs.attempt == DeviceCosts().attempt);
    CHECK(costs.device.find("estimate") != std::string::npos);
}

TEST_CASE("files that are no costs are refused with a sentence") {
    const std::string good = write_costs(example());
    const auto refused = [](const std::string &text, const char *why) {
        const auto read = read_costs(text);
        REQUIRE_FALSE(read);
        CHECK_MESSAGE(read.error().message.find(why) != std::string::npos, read.error().message);
    };
    refused("", "empty");
    refused("mog-profile 1\n", "no costs of a device");
    refused("{}", "no costs of a device");
    refused("[1, 2]", "no costs of a device");
    refused(good.substr(0, good.size() / 2), "damaged or cut off");
    std::string changed = good;
    changed.replace(changed.find("30.0"), 4, "31.0");
    refused(changed, "damaged or changed");
    std::string newer = good;
    newer.replace(newer.find("\"version\": 1"), 12, "\"version\": 9");
    refused(newer, "version 9");
}

TEST_CASE("costs measured with other instructions are refused") {
    // A file that is whole but for the table's hash: the checksum is made anew, as another version would have.
    std::string text = write_costs(example());
    const std::size_t table = text.find("\"table\": \"") + 10;
    text.replace(table, 16, "0123456789abcdef");
    const std::size_t sum = text.find(",\n \"checksum\"");
    std::string compact;
    bool quoted = false;
    for (const char c : text.substr(0, sum) + "}") {
        if (c == '"') quoted = !quoted;
        if (quoted || (c != ' ' && c != '\n')) compact += c;
    }
    text = text.substr(0, sum) + ",\n \"checksum\": \"" + hex16(fnv1a(compact)) + "\"\n}\n";
    const auto read = read_costs(text);
    REQUIRE_FALSE(read);
    CHECK(read.error().message.find("another version") != std::string::npos);
}

TEST_CASE("whatever a single byte becomes, nothing is taken for right that is not") {
    const std::string good = write_costs(example());
    for (std::size_t i = 0; i < good.size(); ++i) {
        std::string text = good;
        text[i] = static_cast<char>(text[i] ^ 1);
        if (const auto read = read_costs(text)) CHECK(write_costs(*read) == good);
    }
}
