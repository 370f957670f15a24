// order_search.cpp: the search: starts, budget, result.
#include "assembler/order/order_search.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "assembler/order/order_bound.hpp"

namespace mog {
namespace {

constexpr int random_orders = 32, few_random_orders = 8;  // how many random orders tell what a random order costs, exactly and about
constexpr double work_rate = 800e6;                       // successors followed in a second
constexpr std::uint32_t most_slots = 320;
constexpr double rounds_of_a_search = 3;

/// Successors followed when an order is priced.
double work_of(const MarkovChain &digrams, const std::vector<std::uint32_t> &slots) {
    double work = 0;
    for (const std::uint32_t kind : slots) work += 4 + static_cast<double>(digrams.successors[kind].size());
    return 3 * work + 300;
}

/// The best of some ways through the flow.
OrderProblem::Genome best_walk(const OrderProblem &problem, Random &random) {
    constexpr int walks = 32;
    const auto [least, most] = problem.limits();
    std::optional<OrderProblem::Genome> best;
    double best_cost = 0;
    for (int i = 0; i < walks; ++i) {
        auto genome = problem.walked(least + random.below(most - least + 1), random);
        const double cost = problem.cost(genome);
        if (best && cost >= best_cost) continue;
        best = std::move(genome);
        best_cost = cost;
    }
    return *best;
}

/// The search itself, for as long as the options say.
Evolved<OrderProblem::Genome> run_search(const OrderProblem &problem, const MarkovChain &frequent, const OrderOptions &options,
                                         Random &random) {
    EvolveOptions evolution;
    evolution.seed = options.seed;
    evolution.threads = options.threads;
    std::vector<OrderProblem::Genome> starts;
    const auto [least, most] = problem.limits();
    const double children = options.seconds * work_rate / work_of(frequent, problem.allotment((least + most) / 2));
    // A member needs some thousand children to come to anything; only long searches can afford many.
    evolution.islands = children < 200e3 ? 2 : children < 1e6 ? 4 : 8;
    evolution.members = children < 1e6 ? 1 : 2;
    evolution.heat = 0.0025;
    const std::size_t members = std::size_t{evolution.islands} * evolution.members;
    for (std::size_t i = 0; i < members; ++i)
        starts.push_back(i % 2 == 0 ? problem.chained(least + (most - least) * (i + 1) / (members + 2)) : best_walk(problem, random));
    evolution.steps = static_cast<std::uint32_t>(std::clamp(children / (rounds_of_a_search * static_cast<double>(members)), 10.0, 20000.0));
    evolution.rounds = static_cast<std::uint32_t>(std::max(1.0, children / (static_cast<double>(members) * evolution.steps)));
    if (options.watch) evolution.watch = [&](std::uint32_t round, double) { options.watch((round + 1.0) / evolution.rounds); };
    return evolve(problem, starts, evolution);
}

}  // namespace

OrderProblem::Limits slot_limits(std::size_t kinds, const OrderOptions &options) {
    if (options.slots != 0) return {options.slots, options.slots};
    return {kinds, std::max<std::size_t>(kinds, std::clamp<std::size_t>(4 * kinds, 64, most_slots))};
}

Execution execution_for(const Image &image, const OrderOptions &options) {
    const Execution *const known = options.known();
    return known ? *known : static_execution(image);
}

MarkovChain digrams_for(const Image &image, const OrderOptions &options) {
    const Execution *const known = options.known();
    return known ? digrams_of(image, *known) : digrams_of(image, static_execution(image));
}

FusionTrial preview_order(const Image &image, const OrderOptions &options) {
    const MarkovChain digrams = digrams_for(image, options);
    const CostModel model(digrams, options.costs);
    FusionTrial trial{superinstructions_of(image, Shape::sequence).size(), {}, digrams.instructions};
    if (options.seconds <= 0) {
        trial.price = model.exact(to_kinds(digrams, served_ops(image)));
        return trial;
    }
    const MarkovChain frequent = without_rare(digrams, rare_digrams);
    const CostModel quick_model(frequent, options.costs);
    const OrderProblem problem(frequent, quick_model, options.objective, slot_limits(digrams.kinds.size(), options));
    Random random(options.seed);
    trial.price = model.exact(run_search(problem, frequent, options, random).best.slots);
    return trial;
}

Result<Order> search_order(const Image &image, const OrderOptions &options) {
    const MarkovChain digrams = digrams_for(image, options);
    const CostModel model(digrams, options.costs);
    if (options.slots != 0 && options.slots < digrams.kinds.size())
        return Error{
            fmt::format("--slots={}: the program has {} kinds of instruction, and each needs a slot", options.slots, digrams.kinds.size())};
    const MarkovChain frequent = without_rare(digrams, rare_digrams);
    const CostModel quick_model(frequent, options.costs);
    const OrderProblem problem(frequent, quick_model, options.objective, slot_limits(digrams.kinds.size(), options));

    Order order = table_order(image);
    order.seed = options.seed;
    order.seconds = options.seconds;
    order.objective = options.objective;
    order.traced = options.traced.has_value();
    order.bound = lower_bound(digrams, options.costs);
    order.table = order.found = model.exact(to_kinds(digrams, order.slots));
    order.curve = {order.table.of(options.objective)};
    Random random(options.seed);
    const int orders = options.traced ? random_orders : few_random_orders;
    for (int i = 0; i < orders; ++i) {
        const Price price =
            model.exact(problem.shuffled(std::clamp<std::size_t>(64, problem.limits().least, problem.limits().most), random));
        order.random.span += price.span / orders;
        order.random.cost += price.cost / orders;
    }
    if (options.seconds <= 0) return order;

    auto found = run_search(problem, frequent, options, random);
    const Price price = model.exact(found.best.slots);
    order.curve.insert(order.curve.end(), found.history.begin(), found.history.end());
    order.converged = found.converged;
    // A short search may not have come as far as the table.
    if (options.slots != 0 || price.of(options.objective) < order.found.of(options.objective)) {
        order.searched = true;
        order.slots = to_ops(digrams, found.best.slots);
        order.found = price;
    }
    return order;
}

}  // namespace mog
