// together_test.cpp: what is said to be the same in lanes that go through code together, against lanes that walk through random code, and
// against the analysis of kernels.
#include <doctest/doctest.h>

#include <array>

#include "assembler/divergence/analysis.hpp"
#include "assembler/divergence/together.hpp"
#include "tests/assembler/analysis_graphs.hpp"

using namespace mog;
using namespace mog::divergence;
using namespace mog::test;

namespace {

constexpr std::uint32_t variables = 5, lanes = 3;

RegisterSet random_set(Random &random) {
    RegisterSet set;
    for (std::uint32_t v = 0; v < variables; ++v) set[v] = random.below(4) == 0;
    return set;
}

LaneCode random_code(Random &random) {
    LaneCode code;
    code.graph = random_graph(random);
    code.entries = {0};
    if (random.below(3) == 0) code.entries.push_back(random.below(code.graph.size()));
    for (Node node = 0; node < code.graph.size(); ++node) {
        code.steps.emplace_back();
        for (std::uint32_t count = random.below(5); count != 0; --count) {
            LaneStep step;
            step.reads = random_set(random);
            step.writes.set(random.below(variables));
            step.is_own = random.below(6) == 0;
            if (random.below(3) == 0) step.wanted = step.reads;
            code.steps.back().push_back(step);
        }
        code.some.push_back(random.below(6) == 0);
    }
    return code;
}

/// By node and step: whether what is wanted is the same.
std::vector<bool> same_wanted(const LaneCode &code, const std::vector<RegisterSet> &differs) {
    std::vector<bool> same;
    for (Node node = 0; node < code.graph.size(); ++node) {
        RegisterSet now = differs[node];
        for (const LaneStep &step : code.steps[node]) {
            same.push_back(step.wanted.any() && (step.wanted & now).none());
            now = step.differ_behind(now, code.some[node]);
        }
    }
    return same;
}

}  // namespace

TEST_CASE("a loop over an array: its counter and pointer are needed, its sum is not") {
    // 0: before the loop. 1: ACC = [p]; sum += ACC; p += 4; ACC = p != end, branch.
    const std::uint32_t p = 0, sum = 1, end = 2, acc = 3;
    const auto set_of = [](std::initializer_list<std::uint32_t> of) {
        RegisterSet set;
        for (const std::uint32_t v : of) set.set(v);
        return set;
    };
    LaneCode code;
    code.graph = Graph(std::vector<Nodes>{{0}});
    code.entries = {0};
    code.some = {false};
    code.steps = {{{set_of({p}), set_of({acc}), true, set_of({p})},
                   {set_of({acc, sum}), set_of({sum}), false, {}},
                   {set_of({p}), set_of({p}), false, {}},
                   {set_of({p, end}), set_of({acc}), false, {}},
                   {set_of({acc}), {}, false, set_of({acc})}}};
    const auto most = differing(code, {RegisterSet()});
    CHECK(most[0] == set_of({sum}));
    CHECK(needed(code, most)[0] == set_of({p, end}));
    // Where only some lanes execute it, nothing that it writes is the same, from its beginning on.
    code.some = {true};
    CHECK(differing(code, {RegisterSet()})[0] == set_of({acc, sum, p}));
}

TEST_CASE("random code: lanes that walk together have the same in what does not differ") {
    Random random(11);
    for (int i = 0; i < random_graphs; ++i) {
        const LaneCode code = random_code(random);
        std::vector<RegisterSet> at_entries(code.graph.size());
        for (RegisterSet &set : at_entries) set = random_set(random);
        const std::vector<RegisterSet> differs = differing(code, at_entries);
        for (const Node entry : code.entries) {
            std::array<std::array<std::uint32_t, variables>, lanes> value{};
            for (std::uint32_t lane = 0; lane < lanes; ++lane)
                for (std::uint32_t v = 0; v < variables; ++v) value[lane][v] = v + (at_entries[entry][v] ? 100 * lane : 0);
            Node node = entry;
            for (int walked = 0; walked < 25; ++walked) {
                for (std::uint32_t v = 0; v < variables; ++v)
                    if (!differs[node][v]) REQUIRE((value[0][v] == value[1][v] && value[0][v] == value[2][v]));
                RegisterSet now = differs[node];
                std::uint32_t number = node * 16;
                for (const LaneStep &step : code.steps[node]) {
                    ++number;
                    for (std::uint32_t lane = 0; lane < lanes; ++lane) {
                        if (code.some[node] && lane == 1) continue;
                        std::uint32_t result = number + (step.is_own ? 1000 * lane : 0);
                        for (std::uint32_t v = 0; v < variables; ++v)
                            if (step.reads[v]) result = result * 31 + value[lane][v];
                        for (std::uint32_t v = 0; v < variables; ++v)
                            if (step.writes[v]) value[lane][v] = result;
                    }
                    now = step.differ_behind(now, code.some[node]);
                    for (std::uint32_t v = 0; v < variables; ++v)
                        if (!now[v]) REQUIRE((value[0][v] == value[1][v] && value[0][v] == value[2][v]));
                }
                if (code.graph.successors(node).empty()) break;
                node = code.graph.successors(node)[random.below(static_cast<std::uint32_t>(code.graph.successors(node).size()))];
            }
        }
    }
}

TEST_CASE("random code: what is needed is enough, and nothing of it can be left out") {
    Random random(12);
    for (int i = 0; i < random_graphs; ++i) {
        const LaneCode code = random_code(random);
        const std::vector<RegisterSet> most = differing(code, std::vector<RegisterSet>(code.graph.size()));
        const std::vector<bool> can_be = same_wanted(code, most);
        const std::vector<RegisterSet> need = needed(code, most);
        std::vector<RegisterSet> at_entries(code.graph.size());
        for (const Node entry : code.entries) at_entries[entry] = ~need[entry];
        REQUIRE(same_wanted(code, differing(code, at_entries)) == can_be);
        for (const Node entry : code.entries)
            for (std::uint32_t v = 0; v < variables; ++v) {
                if (!need[entry][v]) continue;
                std::vector<RegisterSet> fewer = at_entries;
                fewer[entry].set(v);
                REQUIRE(same_wanted(code, differing(code, fewer)) != can_be);
            }
    }
}

namespace {

/// The code as a kernel: at each entry, variables that may differ there are given something that differs; what only some of the lanes
/// execute gives them that, too; and all branches are of one mind.
Kernel kernel_of(const LaneCode &code, const std::vector<RegisterSet> &at_entries) {
    Kernel kernel;
    for (std::uint32_t v = 0; v < variables; ++v) kernel.add_variable("v" + std::to_string(v));
    kernel.blocks.resize(code.graph.size() + 1 + code.entries.size());
    const auto add = [&](BlockIndex block, Operation operation, Variable result, const RegisterSet &reads) {
        divergence::Instruction &instruction = kernel.blocks[block].code.emplace_back();
        instruction.operation = operation;
        instruction.result = result;
        for (std::uint32_t v = 0; v < variables; ++v)
            if (reads[v]) instruction.operands.push_back(Operand::of(v));
    };
    const auto lead = [&](BlockIndex block, std::vector<BlockIndex> targets) {
        divergence::End &end = kernel.blocks[block].end;
        end.kind = targets.empty()       ? divergence::End::Kind::stop
                   : targets.size() == 1 ? divergence::End::Kind::jump
                                         : divergence::End::Kind::choice;
        end.condition = Operand::number(0);
        end.targets = std::move(targets);
    };
    std::vector<BlockIndex> entries;
    for (const Node entry : code.entries) {
        const auto block = static_cast<BlockIndex>(code.graph.size() + 1 + entries.size());
        entries.push_back(block);
        for (std::uint32_t v = 0; v < variables; ++v)
            if (at_entries[entry][v]) add(block, Operation::opaque, v, {});
        lead(block, {entry + 1});
    }
    lead(0, entries);
    for (Node node = 0; node < code.graph.size(); ++node) {
        for (const LaneStep &step : code.steps[node])
            for (std::uint32_t v = 0; v < variables; ++v)
                if (step.writes[v])
                    add(node + 1, code.some[node] || (step.is_own && !step.is_confirmed) ? Operation::opaque : Operation::other, v,
                        step.reads);
        std::vector<BlockIndex> targets;
        for (const Node next : code.graph.successors(node)) targets.push_back(next + 1);
        lead(node + 1, targets);
    }
    return kernel;
}

}  // namespace

TEST_CASE("random code: the analysis of kernels says the same, where branches are of one mind") {
    Random random(13);
    std::size_t same = 0, apart = 0;
    for (int i = 0; i < random_graphs; ++i) {
        LaneCode code = random_code(random);
        // Control comes to all of it: what leads from elsewhere to a node is not nothing to data flow, as it is to kernels.
        for (Node node = 0; node < code.graph.size(); ++node)
            if (!is_way(code.graph, code.entries, node)) code.entries.push_back(node);
        for (std::vector<LaneStep> &steps : code.steps)
            for (LaneStep &step : steps) step.is_confirmed = step.is_own && random.below(3) == 0;
        std::vector<RegisterSet> at_entries(code.graph.size());
        for (RegisterSet &set : at_entries) set = random_set(random);
        const std::vector<RegisterSet> differs = differing(code, at_entries);
        const Kernel kernel = kernel_of(code, at_entries);
        const Analysis analysis(kernel, {.degree = 0, .shape = {}});
        for (Node node = 0; node < code.graph.size(); ++node) {
            RegisterSet now = differs[node];
            std::size_t index = 0;
            for (const LaneStep &step : code.steps[node]) {
                // What is written by some of the lanes differs all along: nothing is compared that the kernel has as one after the other.
                if (!code.some[node] && step.writes.any()) {
                    const bool is_uniform = analysis.fact(analysis.form().result_of(node + 1, index)).is_uniform();
                    REQUIRE(is_uniform == step.is_same(now));
                    ++(is_uniform ? same : apart);
                }
                index += step.writes.count();
                now = step.differ_behind(now, code.some[node]);
            }
        }
    }
    CHECK(same > 1000);
    CHECK(apart > 1000);
}
