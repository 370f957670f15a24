// pictures.hpp: the report's pictures, as SVG in a page: flame graphs, and how much each rank did.
#pragma once

#include <string>

#include "runtime_host/profile/report.hpp"

namespace mog::profile {

/// "1.23 G", "45.6 k", "12".
std::string short_count(double value);
/// "1.20 s", "3.4 ms".
std::string short_seconds(double seconds);
std::string in_percent(double share);

/// Stacks as rectangles, callers over what they call, as wide as `weight` says: B. Gregg, "The Flame Graph", CACM 59(6), 2016. `what` names
/// the weight. Empty: nothing has any.
struct Flames {
    std::string svg;
    std::size_t left_out = 0;  ///< frames that are too small to be seen
};
Flames flame_graph(const Report &report, double (*weight)(const Cost &cost), std::string (*amount)(double), std::string_view what);

/// Instructions by rank, and from the least on.
std::string ranks_in_order(const Report &report);
std::string ranks_sorted(const Report &report);
/// Seconds that ranks waited; empty: none did.
std::string ranks_waiting(const Report &report);

}  // namespace mog::profile
