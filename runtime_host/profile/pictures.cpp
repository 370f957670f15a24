// pictures.cpp: see pictures.hpp.
#include "runtime_host/profile/pictures.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include <fmt/format.h>

#include "support/text.hpp"

namespace mog::profile {

namespace {

// ---- flame graphs

constexpr double least_share = 0.0005;  ///< of a frame that is shown
constexpr std::size_t most_frames_shown = 4000, deepest = 96;
constexpr int row_height = 18;

struct Node {
    double weight = 0;
    std::map<std::uint32_t, std::unique_ptr<Node>> calls;  // by function
};

/// The same colour in each report.
unsigned hue_of(std::string_view name) {
    std::uint32_t hash = 0x811c9dc5u;
    for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x01000193u;
    return hash % 360;
}

struct Writer {
    const Report &report;
    std::string (*amount)(double);
    std::string_view what;
    double all = 0;
    std::size_t shown = 0, left_out = 0, depth = 0;
    std::string svg;

    void frame(const std::string &name, double at, double weight, std::size_t level) {
        if (weight < least_share * all || shown >= most_frames_shown || level >= deepest) {
            left_out++;
            return;
        }
        shown++;
        depth = std::max(depth, level + 1);
        const std::string text = escape_html(name);
        svg += fmt::format(
            "<svg class=f x=\"{0:.4f}%\" width=\"{1:.4f}%\" y={2} height={3} data-x={0:.4f} data-w={1:.4f} data-l={8} "
            "style=\"--u:{4}\"><title>{5}: {6} {9}, {7}</title><rect width=\"100%\" height=\"100%\"/>"
            "<text x=4 y=12>{5}</text></svg>\n",
            100 * at / all, 100 * weight / all, level * row_height, row_height - 1, hue_of(name), text, amount(weight),
            in_percent(weight / all), level, what);
    }
    void children(const Node &node, double at, std::size_t level) {
        std::vector<std::pair<std::uint32_t, const Node *>> calls;
        for (const auto &[function, call] : node.calls) calls.emplace_back(function, call.get());
        std::ranges::stable_sort(calls, [](const auto &a, const auto &b) { return a.second->weight > b.second->weight; });
        for (const auto &[function, call] : calls) {
            const std::size_t before = shown;
            frame(report.functions[function].name, at, call->weight, level);
            if (shown != before) children(*call, at, level + 1);
            at += call->weight;
        }
    }
};

// ---- ranks

constexpr int width = 560, height = 190, left = 62, bottom = 24, top = 10, right = 8;

std::string axes(double most, std::string (*amount)(double), std::string_view first, std::string_view last) {
    std::string svg;
    for (int i = 0; i <= 2; ++i) {
        const double y = top + (height - top - bottom) * (1 - i / 2.0);
        svg += fmt::format("<line x1={} x2={} y1={:.1f} y2={:.1f} class=grid /><text x={} y={:.1f} class=end>{}</text>\n", left,
                           width - right, y, y, left - 6, y + 4, amount(most * i / 2));
    }
    return svg + fmt::format("<text x={} y={}>{}</text><text x={} y={} class=end>{}</text>\n", left, height - 6, first, width - right,
                             height - 6, last);
}

std::string begin_picture(std::string_view what) {
    return fmt::format("<svg viewBox=\"0 0 {} {}\" role=img aria-label=\"{}\">\n", width, height, what);
}

double y_of(double value, double most) { return top + (height - top - bottom) * (1 - (most > 0 ? std::min(1.0, value / most) : 0)); }

/// Between ranks, from left to right.
double x_of(double part) { return left + (width - left - right) * part; }

std::string last_rank(const Report &report) { return fmt::format("rank {}", report.run.ranks - 1); }

}  // namespace

std::string short_count(double value) {
    constexpr std::string_view units[] = {"", " k", " M", " G", " T", " P"};
    std::size_t unit = 0;
    for (; value >= 999.5 && unit + 1 < std::size(units); ++unit) value /= 1000;
    if (unit == 0) return fmt::format("{:.0f}", value);
    return fmt::format("{:.{}f}{}", value, value < 9.995 ? 2 : value < 99.95 ? 1 : 0, units[unit]);
}

std::string short_seconds(double seconds) {
    if (seconds == 0) return "0 s";
    if (seconds < 0.9995e-3) return fmt::format("{:.0f} us", 1e6 * seconds);
    if (seconds < 0.9995) return fmt::format("{:.1f} ms", 1e3 * seconds);
    if (seconds < 600) return fmt::format("{:.2f} s", seconds);
    constexpr double minute = 60, hour = 3600;
    return seconds < 10 * hour ? fmt::format("{:.1f} min", seconds / minute) : fmt::format("{:.1f} h", seconds / hour);
}

std::string in_percent(double share) { return fmt::format("{:.{}f} %", 100 * share, share < 0.0995 ? 2 : 1); }

Flames flame_graph(const Report &report, double (*weight)(const Cost &cost), std::string (*amount)(double), std::string_view what) {
    Node root;
    for (const StackOf &stack : report.stacks) {
        const double own = weight(stack.cost);
        if (own <= 0) continue;
        Node *node = &root;
        node->weight += own;
        for (auto frame = stack.frames.rbegin(); frame != stack.frames.rend(); ++frame) {
            std::unique_ptr<Node> &next = node->calls[frame->function];
            if (!next) next = std::make_unique<Node>();
            node = next.get();
            node->weight += own;
        }
    }
    if (root.weight <= 0) return {};
    Writer writer{report, amount, what, root.weight, 0, 0, 0, {}};
    writer.frame("all", 0, root.weight, 0);
    writer.children(root, 0, 1);
    return {fmt::format("<svg class=flames width=\"100%\" height={} role=img aria-label=\"flame graph, {}\">\n{}</svg>\n",
                        writer.depth * row_height, what, writer.svg),
            writer.left_out};
}

std::string ranks_in_order(const Report &report) {
    const Ranks &ranks = report.ranks;
    std::string svg = begin_picture("instructions by rank") + axes(ranks.most, short_count, "rank 0", last_rank(report));
    const auto count = static_cast<double>(ranks.bins.size());
    const double step = (width - left - right) / count, gap = step > 4 ? 1 : 0;
    for (std::size_t i = 0; i < ranks.bins.size(); ++i) {
        const RankBin &bin = ranks.bins[i];
        const double mean = bin.all / bin.count, x = x_of(static_cast<double>(i) / count), y = y_of(mean, ranks.most);
        const std::string who = bin.count == 1
                                    ? fmt::format("rank {}: {}", bin.first, short_count(mean))
                                    : fmt::format("ranks {} to {}: {} on average, {} to {}", bin.first, bin.first + bin.count - 1,
                                                  short_count(mean), short_count(bin.least), short_count(bin.most));
        svg += fmt::format("<g><title>{}</title><rect x={:.2f} y={:.2f} width={:.2f} height={:.2f} class=work />", who, x, y,
                           std::max(0.3, step - gap), height - bottom - y);
        if (bin.count > 1)
            svg += fmt::format("<line x1={0:.2f} x2={0:.2f} y1={1:.2f} y2={2:.2f} class=range />", x + step / 2,
                               y_of(bin.least, ranks.most), y_of(bin.most, ranks.most));
        svg += "</g>\n";
    }
    const double y = y_of(ranks.mean, ranks.most);
    return svg + fmt::format("<line x1={} x2={} y1={:.2f} y2={:.2f} class=mean><title>mean: {}</title></line></svg>\n", left, width - right,
                             y, y, short_count(ranks.mean));
}

std::string ranks_sorted(const Report &report) {
    const Ranks &ranks = report.ranks;
    std::string svg = begin_picture("instructions of ranks, from the least on") + axes(ranks.most, short_count, "least", "most"), points;
    const std::size_t count = ranks.sorted.size();
    for (std::size_t i = 0; i < count; ++i) {
        const double part = count == 1 ? 0 : static_cast<double>(i) / static_cast<double>(count - 1);
        points += fmt::format("{:.2f},{:.2f} ", x_of(part), y_of(ranks.sorted[i], ranks.most));
    }
    if (count == 1) points += fmt::format("{:.2f},{:.2f} ", x_of(1), y_of(ranks.sorted[0], ranks.most));
    const double y = y_of(ranks.mean, ranks.most);
    return svg + fmt::format(
                     "<polyline points=\"{0} {1},{2} {3},{2}\" class=area /><polyline points=\"{0}\" class=curve />"
                     "<line x1={3} x2={1} y1={4:.2f} y2={4:.2f} class=mean><title>mean: {5}</title></line></svg>\n",
                     points, width - right, height - bottom, left, y, short_count(ranks.mean));
}

std::string ranks_waiting(const Report &report) {
    const Ranks &ranks = report.ranks;
    double most = 0;
    const auto sum = [](const RankBin &bin) {
        double all = 0;
        for (const double seconds : bin.waits) all += seconds;
        return all / bin.count;
    };
    for (const RankBin &bin : ranks.bins) most = std::max(most, sum(bin));
    if (most <= 0) return {};
    std::string svg = begin_picture("seconds that ranks waited") + axes(most, short_seconds, "rank 0", last_rank(report));
    const auto count = static_cast<double>(ranks.bins.size());
    const double step = (width - left - right) / count, gap = step > 4 ? 1 : 0;
    for (std::size_t i = 0; i < ranks.bins.size(); ++i) {
        const RankBin &bin = ranks.bins[i];
        double below = 0;
        for (std::size_t kind = 0; kind < wait_kinds; ++kind) {
            const double own = bin.waits[kind] / bin.count;
            if (own <= 0) continue;
            const double y = y_of(below + own, most);
            svg += fmt::format(
                "<rect x={:.2f} y={:.2f} width={:.2f} height={:.2f} class=w{}><title>ranks {} to {}, {}: {} each</title></rect>\n",
                x_of(static_cast<double>(i) / count), y, std::max(0.3, step - gap), y_of(below, most) - y, kind, bin.first,
                bin.first + bin.count - 1, name_of(static_cast<WaitFor>(kind)), short_seconds(own));
            below += own;
        }
    }
    return svg + "</svg>\n";
}

}  // namespace mog::profile
