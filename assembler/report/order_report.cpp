// order_report.cpp: the comparison, as text and as JSON. The page is made in order_page.cpp.
#include "assembler/report/order_report.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

#include "assembler/order/fusion.hpp"
#include "assembler/order/order_baselines.hpp"
#include "support/files/files.hpp"

namespace mog {
namespace {

constexpr int random_orders = 1000;
constexpr std::size_t longest_ngram = 8, ngrams_of_a_length = 5;
constexpr double pricings_per_second = 100000;  // of the search, for the same budget

}  // namespace

OrderReport make_order_report(const Image &image, const Order &order, const OrderOptions &options, std::string program) {
    OrderReport report{std::move(program), order, options.costs, digrams_for(image, options), {}, {}, {}, {}, {}, {}, {}};
    const Execution execution = execution_for(image, options);
    report.fused = {superinstructions_of(image, Shape::sequence).size(), order.found, report.digrams.instructions};
    report.fused_switch = {
        superinstructions_of(image, Shape::switch_).size(), {}, instructions_per_dispatch(image, execution, Shape::switch_)};
    const CostModel model(report.digrams, options.costs);
    const MarkovChain frequent = without_rare(report.digrams, rare_digrams);
    const CostModel quick_model(frequent, options.costs);
    const OrderProblem problem(frequent, quick_model, options.objective, slot_limits(report.digrams.kinds.size(), options));

    // The paper's 64 slots where they suffice.
    const std::size_t count = std::clamp<std::size_t>(64, problem.limits().least, problem.limits().most);
    Random random(options.seed);
    Price mean, best;
    for (int i = 0; i < random_orders; ++i) {
        CostModel::Shares shares;
        const Price price = quick_model.quick(problem.shuffled(count, random), shares, 8);
        mean.span += price.span / random_orders;
        mean.cost += price.cost / random_orders;
        if (i == 0 || price.of(options.objective) < best.of(options.objective)) best = price;
    }
    report.rows.push_back({"random orders, mean of 1000", count, mean});
    report.rows.push_back({"random orders, best of 1000", count, best});
    report.rows.push_back({"the instruction table's order", report.digrams.kinds.size(), order.table});
    const auto by_frequency = frequency_order(report.digrams);
    report.rows.push_back({"order by frequency", by_frequency.size(), model.exact(by_frequency)});
    const ClimbBudget budget{static_cast<std::uint64_t>(options.seconds * pricings_per_second), options.climb_seconds};
    const Climb climb = hill_climb(problem, std::max(count, order.slots.size()), budget, random);
    report.climb = climb.curve;
    const std::string how_long = budget.seconds > 0 ? fmt::format("{} s", budget.seconds) : "as long";
    report.rows.push_back({"hill climbing, " + how_long, climb.slots.size(), model.exact(climb.slots)});
    report.rows.push_back({"this search", order.slots.size(), order.found, true, false});
    report.rows.push_back({"lower bound", 0, order.bound, false, true});
    const MarkovChain flow = flow_of(image, options.traced ? *options.traced : static_execution(image));
    for (std::size_t length = 2; length <= longest_ngram; ++length)
        for (Ngram &ngram : frequent_ngrams(flow, length, ngrams_of_a_length)) report.ngrams.push_back(std::move(ngram));
    if (options.traced) {
        const CostModel exact(flow, options.costs);
        report.predicted = exact.exact(to_kinds(flow, order.slots));
        OrderOptions without = options;
        without.traced.reset();
        without.watch = {};
        if (const auto other = search_order(image, without)) report.estimated = exact.exact(to_kinds(flow, other->slots));
    }
    return report;
}

std::string ngram_names(const OrderReport &report, const Ngram &ngram) {
    std::string text;
    for (const std::uint32_t kind : ngram.kinds) text += (text.empty() ? "" : " ") + report.digrams.kinds[kind].name;
    return text;
}

std::string report_as_text(const OrderReport &report) {
    std::string text =
        fmt::format("{}: order of subinterpreters\n\n{:<32}{:>7}{:>10}{:>10}\n", report.program, "", "slots", "span", "cost");
    for (const auto &row : report.rows)
        text += fmt::format("{:<32}{:>7}{:>10.3f}{:>10.3f}\n", row.name, row.slots != 0 ? std::to_string(row.slots) : "", row.price.span,
                            row.price.cost);
    if (report.predicted)
        text += fmt::format("{:<32}{:>7}{:>10.3f}{:>10.3f}\n", "this search, as runs will show", report.order.slots.size(),
                            report.predicted->span, report.predicted->cost);
    if (report.estimated)
        text += fmt::format("{:<32}{:>7}{:>10.3f}{:>10.3f}\n", "with estimated frequencies, so", "", report.estimated->span,
                            report.estimated->cost);
    text += fmt::format("\n{} superinstructions in the sequence, {:.2f} instructions for a dispatch; {} in the switch, {:.2f}\n",
                        report.fused.superinstructions, report.fused.instructions, report.fused_switch.superinstructions,
                        report.fused_switch.instructions);
    text += fmt::format(
        "frequencies {}, seed {}, {} s, objective {}, costs of {}, {} lanes{}\n\nsequence:", report.order.traced ? "traced" : "static",
        report.order.seed, report.order.seconds, report.order.objective == Objective::span ? "span" : "cost", report.costs.device,
        report.costs.lanes, report.order.converged ? ", converged" : "");
    const auto slots = to_kinds(report.digrams, report.order.slots);
    for (std::size_t i = 0; i < slots.size(); ++i)
        text += fmt::format("{}{:<5} ", i % 16 == 0 ? "\n  " : "", report.digrams.kinds[slots[i]].name);
    if (!report.order.trials.empty()) {
        text += "\n\nnumbers of superinstructions, as a short search found each:\n";
        for (const FusionTrial &trial : report.order.trials)
            text += fmt::format("  {:>4}{:>8.2f} instructions for a dispatch{:>10.3f} span{:>10.3f} cost\n", trial.superinstructions,
                                trial.instructions, trial.price.span, trial.price.cost);
    }
    text += "\n\nfrequencies:\n";
    const auto frequency = report.digrams.kind_frequency();
    for (const std::uint32_t kind : frequency_order(report.digrams))
        text += fmt::format("  {:<32}{:>8.3f} %{:>4} slots\n", report.digrams.kinds[kind].name, 100 * frequency[kind],
                            std::count(slots.begin(), slots.end(), kind));
    text += "\nmost frequent sequences of 2 to 8 instructions:\n";
    for (const Ngram &ngram : report.ngrams) text += fmt::format("  {:>8.3f} %  {}\n", 100 * ngram.frequency, ngram_names(report, ngram));
    return text;
}

std::string report_as_json(const OrderReport &report) {
    using Json = nlohmann::ordered_json;
    const auto price = [](const Price &p) { return Json{{"span", p.span}, {"cost", p.cost}}; };
    Json json = {
        {"program", report.program},
        {"frequencies", report.order.traced ? "traced" : "static"},
        {"objective", report.order.objective == Objective::span ? "span" : "cost"},
        {"seed", report.order.seed},
        {"seconds", report.order.seconds},
        {"converged", report.order.converged},
        {"device",
         {{"name", report.costs.device}, {"lanes", report.costs.lanes}, {"pass", report.costs.pass}, {"attempt", report.costs.attempt}}}};
    Json rows = Json::array();
    for (const auto &row : report.rows)
        rows.push_back({{"name", row.name}, {"slots", row.slots}, {"span", row.price.span}, {"cost", row.price.cost}});
    json["orders"] = rows;
    const auto trial_as_json = [&](const FusionTrial &trial, bool priced) {
        Json entry = {{"superinstructions", trial.superinstructions}, {"instructions_per_dispatch", trial.instructions}};
        if (priced) entry.update(price(trial.price));
        return entry;
    };
    json["sequence_has"] = trial_as_json(report.fused, false);
    json["switch_has"] = trial_as_json(report.fused_switch, false);
    Json trials = Json::array();
    for (const FusionTrial &trial : report.order.trials) trials.push_back(trial_as_json(trial, true));
    json["trials"] = trials;
    if (report.predicted) json["predicted"] = price(*report.predicted);
    if (report.estimated) json["with_estimated_frequencies"] = price(*report.estimated);
    const auto slots = to_kinds(report.digrams, report.order.slots);
    Json sequence = Json::array(), kinds = Json::array(), digrams = Json::array();
    for (const std::uint32_t kind : slots) sequence.push_back(report.digrams.kinds[kind].name);
    const auto frequency = report.digrams.kind_frequency();
    for (std::uint32_t k = 0; k < frequency.size(); ++k) {
        kinds.push_back({{"name", report.digrams.kinds[k].name},
                         {"frequency", frequency[k]},
                         {"slots", std::count(slots.begin(), slots.end(), k)},
                         {"cost", report.costs.body_of(report.digrams.kinds[k])}});
        for (const auto &successor : report.digrams.successors[k])
            digrams.push_back(
                Json::array({report.digrams.kinds[k].name, report.digrams.kinds[successor.node].name, frequency[k] * successor.share}));
    }
    Json ngrams = Json::array();
    for (const Ngram &ngram : report.ngrams) {
        Json names = Json::array();
        for (const std::uint32_t kind : ngram.kinds) names.push_back(report.digrams.kinds[kind].name);
        ngrams.push_back({{"instructions", names}, {"frequency", ngram.frequency}});
    }
    json["ngrams"] = ngrams;
    json["sequence"] = sequence;
    json["kinds"] = kinds;
    json["digrams"] = digrams;
    json["curve"] = report.order.curve;
    json["hill_climbing_curve"] = report.climb;
    return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<void> write_order_report(const Image &image, const Order &order, const OrderOptions &options, const std::string &program,
                                const std::string &file) {
    const OrderReport report = make_order_report(image, order, options, program);
    return write_text_file(file, file.ends_with(".html")   ? report_as_html(report)
                                 : file.ends_with(".json") ? report_as_json(report)
                                                           : report_as_text(report));
}

}  // namespace mog
