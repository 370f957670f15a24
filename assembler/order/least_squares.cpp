// least_squares.cpp: algorithm NNLS on the normal equations; there are some hundred unknowns at most.
#include "assembler/order/least_squares.hpp"

#include <algorithm>
#include <cmath>

namespace mog {
namespace {

/// Solves the normal equations for the unknowns in `chosen` by Cholesky's factorisation; the others are 0.
std::vector<double> solve(const std::vector<std::vector<double>> &gram, const std::vector<double> &right,
                          const std::vector<std::size_t> &chosen) {
    constexpr double ridge = 1e-11;  // unknowns that cannot be told apart share what they have
    const std::size_t n = chosen.size();
    std::vector<std::vector<double>> lower(n, std::vector<double>(n));
    std::vector<double> y(n), x(right.size());
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t j = 0; j <= i; ++j) {
            double sum = gram[chosen[i]][chosen[j]] + (i == j ? ridge : 0);
            for (std::size_t k = 0; k < j; ++k) sum -= lower[i][k] * lower[j][k];
            lower[i][j] = i == j ? std::sqrt(std::max(sum, ridge)) : sum / lower[j][j];
        }
        double sum = right[chosen[i]];
        for (std::size_t k = 0; k < i; ++k) sum -= lower[i][k] * y[k];
        y[i] = sum / lower[i][i];
    }
    for (std::size_t i = n; i-- > 0;) {
        double sum = y[i];
        for (std::size_t k = i + 1; k < n; ++k) sum -= lower[k][i] * x[chosen[k]];
        x[chosen[i]] = sum / lower[i][i];
    }
    return x;
}

std::vector<double> nnls(const std::vector<std::vector<double>> &gram, const std::vector<double> &right) {
    constexpr double tolerance = 1e-10;
    const std::size_t n = right.size();
    std::vector<double> x(n);
    std::vector<std::size_t> chosen;
    for (std::size_t step = 0; step < 3 * n; ++step) {
        // The unknown at 0 that would gain most by growing.
        std::size_t best = n;
        double most = tolerance;
        for (std::size_t i = 0; i < n; ++i) {
            if (gram[i][i] <= 0 || std::find(chosen.begin(), chosen.end(), i) != chosen.end()) continue;
            double gain = right[i];
            for (const std::size_t k : chosen) gain -= gram[i][k] * x[k];
            if (gain > most) {
                most = gain;
                best = i;
            }
        }
        if (best == n) break;
        chosen.push_back(best);
        for (;;) {
            const std::vector<double> wanted = solve(gram, right, chosen);
            // As far towards it as all stay positive; what reaches 0 is left out again.
            double way = 1;
            for (const std::size_t i : chosen)
                if (wanted[i] <= 0) way = std::min(way, x[i] / (x[i] - wanted[i] + 1e-300));
            for (const std::size_t i : chosen) x[i] += way * (wanted[i] - x[i]);
            if (way >= 1) break;
            std::erase_if(chosen, [&](std::size_t i) {
                if (wanted[i] > 0 || x[i] > tolerance) return false;
                x[i] = 0;
                return true;
            });
            if (chosen.empty()) break;
        }
    }
    return x;
}

/// What makes an equation's deviation a relative one.
double scale(const Equation &equation) { return equation.weight / equation.value; }

}  // namespace

CostFit fit_costs(const std::vector<Equation> &equations) {
    constexpr double far = 4;  // times the median deviation: hardly any of a normal distribution
    CostFit fit;
    if (equations.empty()) return fit;
    const std::size_t n = equations.front().factors.size();
    std::vector<bool> counts(equations.size(), true);
    for (int round = 0; round < 3; ++round) {
        // Columns scaled to length 1, so that the tolerances fit all.
        std::vector<double> length(n);
        for (std::size_t e = 0; e < equations.size(); ++e)
            for (std::size_t i = 0; counts[e] && i < n; ++i) length[i] += std::pow(scale(equations[e]) * equations[e].factors[i], 2);
        for (double &l : length) l = std::sqrt(l);
        std::vector<std::vector<double>> gram(n, std::vector<double>(n));
        std::vector<double> right(n), row(n);
        for (std::size_t e = 0; e < equations.size(); ++e) {
            if (!counts[e]) continue;
            for (std::size_t i = 0; i < n; ++i) row[i] = length[i] > 0 ? scale(equations[e]) * equations[e].factors[i] / length[i] : 0;
            for (std::size_t i = 0; i < n; ++i) {
                right[i] += equations[e].weight * row[i];
                for (std::size_t j = 0; row[i] != 0 && j < n; ++j) gram[i][j] += row[i] * row[j];
            }
        }
        fit.x = nnls(gram, right);
        for (std::size_t i = 0; i < n; ++i) fit.x[i] = length[i] > 0 ? fit.x[i] / length[i] : 0;

        std::vector<double> off(equations.size()), sorted;
        double sum = 0;
        std::size_t counted = 0;
        for (std::size_t e = 0; e < equations.size(); ++e) {
            for (std::size_t i = 0; i < n; ++i) off[e] += equations[e].factors[i] * fit.x[i];
            off[e] = std::abs(off[e] / equations[e].value - 1);
            if (equations[e].weight < 1) continue;
            sorted.push_back(off[e]);
            if (!counts[e]) continue;
            sum += off[e] * off[e];
            ++counted;
        }
        fit.deviation = std::sqrt(sum / static_cast<double>(std::max<std::size_t>(1, counted)));
        fit.outliers = sorted.size() - counted;
        if (sorted.empty()) break;
        std::nth_element(sorted.begin(), sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2), sorted.end());
        const double limit = far * sorted[sorted.size() / 2] + 1e-9;
        for (std::size_t e = 0; e < equations.size(); ++e) counts[e] = equations[e].weight < 1 || off[e] <= limit;
    }
    return fit;
}

}  // namespace mog
