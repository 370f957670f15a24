// order_page.cpp: the report as a page. The text of the page stands in report_page.html; here its holes are filled.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "assembler/order/order_baselines.hpp"
#include "assembler/report/order_report.hpp"
#include "interp_templates/templates.hpp"
#include "support/text.hpp"

namespace mog {
namespace {

/// Bars on a logarithmic scale: costs differ by tens.
std::string comparison(const OrderReport &report) {
    double most = 1;
    const bool span = report.order.objective == Objective::span;
    for (const auto &row : report.rows) most = std::max(most, row.price.of(report.order.objective));
    std::string rows;
    for (const auto &row : report.rows) {
        const double value = row.price.of(report.order.objective);
        rows += fmt::format(
            "<tr class=\"{}\"><th>{}</th><td class=n>{}</td><td class=\"n{}\">{:.2f}</td><td class=\"n{}\">{:.2f}</td>"
            "<td class=bar><i style=\"width:{:.1f}%\"></i></td></tr>\n",
            row.is_ours    ? "ours"
            : row.is_bound ? "bound"
                           : "",
            escape_html(row.name), row.slots ? std::to_string(row.slots) : "", span ? " main" : "", row.price.span, span ? "" : " main",
            row.price.cost, 100 * value / most);
    }
    return rows;
}

/// Superinstructions by their first part and the number of the others: there is little room beside the map.
std::string short_name(const Kind &kind) {
    return kind.parts.size() < 3 ? kind.name : fmt::format("{}+{}", info(kind.parts.front()).name, kind.parts.size() - 1);
}

/// The kinds that come often, as a grid: a row follows, a column is followed.
std::string heat_map(const OrderReport &report) {
    constexpr std::size_t most_kinds = 40;
    constexpr int cell = 17, left = 54, top = 54;
    auto kinds = frequency_order(report.digrams);
    const auto frequency = report.digrams.kind_frequency();
    while (!kinds.empty() && (kinds.size() > most_kinds || frequency[kinds.back()] <= 0)) kinds.pop_back();
    std::vector<int> place(frequency.size(), -1);
    for (std::size_t i = 0; i < kinds.size(); ++i) place[kinds[i]] = static_cast<int>(i);
    const int size = static_cast<int>(kinds.size()) * cell;
    std::string svg = fmt::format("<svg viewBox=\"0 0 {} {}\" style=\"max-width:{}px\" role=img aria-label=\"digram heat map\">\n",
                                  left + size + 2, top + size + 2, left + size + 2);
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        const std::string name = escape_html(short_name(report.digrams.kinds[kinds[i]]));
        const int at = static_cast<int>(i) * cell;
        svg += fmt::format("<text x={} y={} class=row>{}</text><text transform=\"translate({} {}) rotate(-60)\">{}</text>\n", left - 6,
                           top + at + 12, name, left + at + 11, top - 6, name);
    }
    double most = 0;
    for (const std::uint32_t a : kinds)
        for (const auto &[b, share] : report.digrams.successors[a]) most = std::max(most, frequency[a] * share);
    svg += fmt::format("<rect x={} y={} width={} height={} class=field />\n", left, top, size, size);
    for (const std::uint32_t a : kinds)
        for (const auto &[b, share] : report.digrams.successors[a]) {
            const double part = frequency[a] * share;
            if (place[b] < 0 || part < most * 1e-5) continue;
            const double strength = std::clamp(1 + std::log10(part / most) / 4, 0.06, 1.0);
            svg += fmt::format(
                "<rect x={} y={} width={} height={} class=heat style=\"opacity:{:.2f}\"><title>{} then {}: {:.3f} %</title></rect>\n",
                left + place[b] * cell, top + place[a] * cell, cell - 1, cell - 1, strength, escape_html(report.digrams.kinds[a].name),
                escape_html(report.digrams.kinds[b].name), 100 * part);
        }
    return svg + "</svg>";
}

std::string curves(const OrderReport &report) {
    constexpr int width = 640, height = 240, left = 46, bottom = 26, top = 8;
    const double bound = report.order.bound.of(report.order.objective);
    std::vector<double> ours(report.order.curve.begin() + (report.order.curve.empty() ? 0 : 1), report.order.curve.end());
    if (ours.empty()) return "<p>The order was not searched.</p>";
    double high = std::max(ours.front(), report.climb.empty() ? 0 : report.climb[report.climb.size() / 20]), low = ours.back();
    if (!report.climb.empty()) low = std::min(low, report.climb.back());
    const double room = std::max(1e-9, high - low) * 0.08;
    high += room;
    low -= room;
    const auto y = [&](double value) { return top + (height - top - bottom) * std::clamp((high - value) / (high - low), 0.0, 1.0); };
    const auto line = [&](const std::vector<double> &curve, std::string_view name) {
        std::string points;
        for (std::size_t i = 0; i < curve.size(); ++i)
            points += fmt::format(
                "{:.1f},{:.1f} ",
                left + (width - left - 8) * static_cast<double>(i) / static_cast<double>(std::max<std::size_t>(1, curve.size() - 1)),
                y(curve[i]));
        return fmt::format("<polyline points=\"{}\" class={} />\n", points, name);
    };
    std::string svg = fmt::format("<svg viewBox=\"0 0 {} {}\" style=\"max-width:{}px\" role=img aria-label=\"curve of the search\">\n",
                                  width, height, width);
    for (int i = 0; i <= 4; ++i) {
        const double value = low + (high - low) * i / 4;
        svg += fmt::format("<line x1={} x2={} y1={:.1f} y2={:.1f} class=grid /><text x={} y={:.1f} class=row>{:.1f}</text>\n", left,
                           width - 8, y(value), y(value), left - 6, y(value) + 4, value);
    }
    svg += fmt::format("<text x={} y={}>start</text><text x={} y={} class=row>end of the budget</text>\n", left, height - 8, width - 8,
                       height - 8);
    svg += line(report.climb, "climb") + line(ours, "search") + "</svg>";
    return svg +
           fmt::format(
               "<p class=key><b class=search></b> this search &nbsp; <b class=climb></b> hill climbing &nbsp; lower bound: {:.2f}</p>",
               bound);
}

std::string frequencies(const OrderReport &report) {
    const auto frequency = report.digrams.kind_frequency();
    const auto kinds = frequency_order(report.digrams);
    const auto slots = to_kinds(report.digrams, report.order.slots);
    const double most = kinds.empty() ? 1 : std::max(1e-12, frequency[kinds.front()]);
    std::string rows;
    for (const std::uint32_t kind : kinds)
        rows += fmt::format(
            "<tr><th class=op>{}</th><td class=n>{:.3f} %</td><td class=n>{}</td><td class=bar><i style=\"width:{:.1f}%\"></i></td></tr>\n",
            escape_html(report.digrams.kinds[kind].name), 100 * frequency[kind], std::count(slots.begin(), slots.end(), kind),
            100 * frequency[kind] / most);
    return rows;
}

std::string ngrams(const OrderReport &report) {
    std::string rows;
    for (const Ngram &ngram : report.ngrams)
        rows += fmt::format("<tr><td class=n>{}</td><td class=n>{:.3f} %</td><th class=op>{}</th></tr>\n", ngram.kinds.size(),
                            100 * ngram.frequency, escape_html(ngram_names(report, ngram)));
    return rows;
}

std::string sequence(const OrderReport &report) {
    const auto frequency = report.digrams.kind_frequency();
    const double most = *std::max_element(frequency.begin(), frequency.end());
    std::string text;
    for (const std::uint32_t kind : to_kinds(report.digrams, report.order.slots))
        text += fmt::format("<span style=\"--f:{:.0f}%\">{}</span>", most > 0 ? 12 + 70 * std::sqrt(frequency[kind] / most) : 12,
                            escape_html(report.digrams.kinds[kind].name));
    return text;
}

std::string superinstructions(const OrderReport &report) {
    const auto has = [](const FusionTrial &engine) {
        return fmt::format("{} superinstructions, which make {:.2f} instructions for a dispatch", engine.superinstructions,
                           engine.instructions);
    };
    std::string text = fmt::format("<p>The sequence has {}. The switch has {}.", has(report.fused), has(report.fused_switch));
    if (report.order.trials.empty()) return text + "</p>";
    text +=
        " What a short search found for the sequence with other numbers of them:</p>\n<table><thead><tr><th>number</th>"
        "<th class=n>instructions for a dispatch</th><th class=n>span</th><th class=n>cost</th></tr></thead><tbody>\n";
    for (const FusionTrial &trial : report.order.trials)
        text += fmt::format("<tr class=\"{}\"><th>{}</th><td class=n>{:.2f}</td><td class=n>{:.2f}</td><td class=n>{:.2f}</td></tr>\n",
                            trial.superinstructions == report.fused.superinstructions ? "ours" : "", trial.superinstructions,
                            trial.instructions, trial.price.span, trial.price.cost);
    return text + "</tbody></table>";
}

std::string traced(const OrderReport &report) {
    if (!report.predicted || !report.estimated)
        return "<p>Frequencies were estimated from the program alone. <code>mogrun --profile=FILE</code> counts "
               "them, and <code>mogcc --profile-use=FILE</code> uses the counts.</p>";
    return fmt::format(
        "<p>Priced by the counts of the runs, instruction by instruction: the order found with the counts has a span of <b>{:.2f}</b> and "
        "costs <b>{:.2f}</b>; one found with estimated frequencies {:.2f} and {:.2f}.</p>",
        report.predicted->span, report.predicted->cost, report.estimated->span, report.estimated->cost);
}

}  // namespace

std::string report_as_html(const OrderReport &report) {
    std::string page(template_text("report_page.html"));
    const double gap = report.order.found.of(report.order.objective) / report.order.bound.of(report.order.objective);
    replace_all(page, "@PROGRAM@", escape_html(report.program));
    replace_all(page, "@SPAN@", fmt::format("{:.2f}", report.order.found.span));
    replace_all(page, "@COST@", fmt::format("{:.2f}", report.order.found.cost));
    replace_all(
        page, "@BETTER@",
        fmt::format("{:.1f}", report.rows.front().price.of(report.order.objective) / report.order.found.of(report.order.objective)));
    replace_all(page, "@GAP@", fmt::format("{:.2f}", gap));
    replace_all(page, "@SLOTS@", std::to_string(report.order.slots.size()));
    replace_all(page, "@KINDS@", std::to_string(report.digrams.kinds.size()));
    replace_all(
        page, "@SETTINGS@",
        fmt::format("{} frequencies; objective {}; costs of {}, {} lanes; seed {}; {} s{}", report.order.traced ? "traced" : "static",
                    report.order.objective == Objective::span ? "span" : "cost", escape_html(report.costs.device), report.costs.lanes,
                    report.order.seed, report.order.seconds, report.order.converged ? ", converged" : ""));
    replace_all(page, "@COMPARISON@", comparison(report));
    replace_all(page, "@CURVES@", curves(report));
    replace_all(page, "@HEAT@", heat_map(report));
    replace_all(page, "@SEQUENCE@", sequence(report));
    replace_all(page, "@FREQUENCIES@", frequencies(report));
    replace_all(page, "@NGRAMS@", ngrams(report));
    replace_all(page, "@SUPERINSTRUCTIONS@", superinstructions(report));
    replace_all(page, "@TRACED@", traced(report));
    return page;
}

}  // namespace mog
