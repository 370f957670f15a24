// least_squares.hpp: what pieces cost, from what wholes cost.
#pragma once

#include <vector>

namespace mog {

/// One equation: the sum over i of factors[i] * x[i] is `value`.
struct Equation {
    std::vector<double> factors;
    double value = 0;   ///< more than 0
    double weight = 1;  ///< less than 1: a guess, which measurements overrule; never an outlier, and not in `deviation`
};

struct CostFit {
    std::vector<double> x;
    double deviation = 0;      ///< root mean square of (predicted - value) / value, over the equations that count
    std::size_t outliers = 0;  ///< equations left out
};

/// The x, none below 0, for which the relative deviations are least in the mean square (Lawson and Hanson, "Solving Least
/// Squares Problems", 1974, algorithm NNLS). Measurements far off the others are then left out and all is solved anew, for a
/// disturbed measurement says nothing. All equations have as many factors; what occurs in none has x = 0.
CostFit fit_costs(const std::vector<Equation> &equations);

}  // namespace mog
