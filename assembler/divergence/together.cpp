// together.cpp: forward, what differs; backward, what had to be the same.
#include "assembler/divergence/together.hpp"

#include "assembler/analysis/data_flow.hpp"

namespace mog::divergence {
namespace {

RegisterSet written_in(const std::vector<LaneStep> &steps) {
    RegisterSet written;
    for (const LaneStep &step : steps) written |= step.writes;
    return written;
}

}  // namespace

std::vector<RegisterSet> differing(const LaneCode &code, const std::vector<RegisterSet> &at_entries) {
    std::vector<RegisterSet> outside(code.graph.size());
    for (const Graph::Node entry : code.entries) outside[entry] = at_entries[entry];
    std::vector<RegisterSet> in = solve_forward<RegisterSet>(
                                      code.graph,
                                      [&](Graph::Node node, RegisterSet now) {
                                          for (const LaneStep &step : code.steps[node]) now = step.differ_behind(now, code.some[node]);
                                          return now;
                                      },
                                      outside)
                                      .in;
    for (Graph::Node node = 0; node < code.graph.size(); ++node)
        if (code.some[node]) in[node] |= written_in(code.steps[node]);
    return in;
}

namespace {

/// What has to be the same before each step of a node, where `now` has to be behind it. `at_step` is told of each what has to be the same
/// behind it, and what may differ before it.
template <typename F>
RegisterSet needed_before(const LaneCode &code, const std::vector<RegisterSet> &differs, Graph::Node node, RegisterSet now, F at_step) {
    const std::vector<LaneStep> &steps = code.steps[node];
    std::vector<RegisterSet> before = {differs[node]};
    for (const LaneStep &step : steps) before.push_back(step.differ_behind(before.back(), code.some[node]));
    for (std::size_t i = steps.size(); i-- > 0;) {
        at_step(i, now, before[i]);
        if ((steps[i].writes & now).any()) now = (now & ~steps[i].writes) | steps[i].reads;
        if ((steps[i].wanted & before[i]).none()) now |= steps[i].wanted;
    }
    return now;
}

constexpr auto at_no_step = [](std::size_t, const RegisterSet &, const RegisterSet &) {};

}  // namespace

std::vector<RegisterSet> needed(const LaneCode &code, const std::vector<RegisterSet> &differs) {
    return solve_backward<RegisterSet>(
               code.graph, [&](Graph::Node node, const RegisterSet &now) { return needed_before(code, differs, node, now, at_no_step); })
        .in;
}

void confirm_what_is_needed(LaneCode &code, const std::vector<RegisterSet> &differs) {
    const std::vector<RegisterSet> need = needed(code, differs);
    for (Graph::Node node = 0; node < code.graph.size(); ++node) {
        RegisterSet behind;
        for (const Graph::Node next : code.graph.successors(node)) behind |= need[next];
        needed_before(code, differs, node, behind, [&](std::size_t i, const RegisterSet &now, const RegisterSet &before) {
            LaneStep &step = code.steps[node][i];
            step.is_confirmed = step.is_confirmed && !code.some[node] && (step.writes & now).any() && step.is_same(before);
        });
    }
}

}  // namespace mog::divergence
