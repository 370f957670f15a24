// lane_uniformity.cpp: forward, what differs; backward, what had to be the same.
#include "assembler/blocks/lane_uniformity.hpp"

#include "assembler/analysis/data_flow.hpp"

namespace mog {
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

std::vector<RegisterSet> needed(const LaneCode &code, const std::vector<RegisterSet> &differs) {
    return solve_backward<RegisterSet>(code.graph,
                                       [&](Graph::Node node, RegisterSet now) {
                                           const std::vector<LaneStep> &steps = code.steps[node];
                                           std::vector<RegisterSet> before = {differs[node]};
                                           for (const LaneStep &step : steps)
                                               before.push_back(step.differ_behind(before.back(), code.some[node]));
                                           for (std::size_t i = steps.size(); i-- > 0;) {
                                               if ((steps[i].writes & now).any()) now = (now & ~steps[i].writes) | steps[i].reads;
                                               if ((steps[i].wanted & before[i]).none()) now |= steps[i].wanted;
                                           }
                                           return now;
                                       })
        .in;
}

}  // namespace mog
