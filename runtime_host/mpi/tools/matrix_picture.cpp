// matrix_picture.cpp
#include "runtime_host/mpi/tools/matrix_picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "support/text.hpp"

namespace mog::mpi {

namespace {

constexpr double side = 768, left = 84, top = 64, legend_width = 18;

/// From light to dark: a cell's share of the greatest, both as logarithms, for messages of one program differ by powers
/// of ten.
std::string color(double share) {
    constexpr std::array<std::array<double, 3>, 4> stops{{{222, 235, 247}, {107, 174, 214}, {33, 113, 181}, {8, 29, 88}}};
    const double at = std::clamp(share, 0.0, 1.0) * (stops.size() - 1);
    const auto i = std::min(static_cast<std::size_t>(at), stops.size() - 2);
    const double part = at - static_cast<double>(i);
    const auto channel = [&](std::size_t c) { return static_cast<int>(std::lround(stops[i][c] + part * (stops[i + 1][c] - stops[i][c]))); };
    return fmt::format("#{:02x}{:02x}{:02x}", channel(0), channel(1), channel(2));
}

/// "3.4 MB"
std::string amount(double bytes) {
    constexpr std::string_view units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
    std::size_t unit = 0;
    for (; bytes >= 1000 && unit + 1 < std::size(units); unit++) bytes /= 1000;
    return fmt::format("{:.3g} {}", bytes, units[unit]);
}

std::string text(double x, double y, std::string_view anchor, std::string_view what, std::string_view more = "") {
    return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"{}>{}</text>\n", x, y, anchor, more, escape_html(what));
}

/// Ranks at both sides: some five of them.
std::string axes(const Matrix &matrix) {
    std::string out;
    const u32 step = std::max(1u, (matrix.ranks + 4) / 5);
    for (u32 rank = 0; rank < matrix.ranks; rank += step) {
        const double at = (static_cast<double>(u64{rank} * matrix.size / matrix.ranks) + 0.5) * side / matrix.size;
        out += text(left + at, top - 8, "middle", fmt::format("{}", rank)) + text(left - 8, top + at + 4, "end", fmt::format("{}", rank));
    }
    out += text(left + side / 2, top - 26, "middle", "to rank");
    return out + text(0, 0, "middle", "from rank", fmt::format(" transform=\"translate(22 {:.1f}) rotate(-90)\"", top + side / 2));
}

std::string legend(double least, double most) {
    constexpr int steps = 64;
    const double x = left + side + 24;
    std::string out;
    for (int i = 0; i < steps; i++)
        out += fmt::format("<rect x=\"{:.1f}\" y=\"{:.2f}\" width=\"{}\" height=\"{:.2f}\" fill=\"{}\"/>\n", x, top + side * i / steps,
                           legend_width, side / steps + 0.5, color(1 - (i + 0.5) / steps));
    return out + text(x + legend_width + 6, top + 10, "start", amount(most)) +
           text(x + legend_width + 6, top + side, "start", amount(least));
}

}  // namespace

std::string matrix_as_svg(const Matrix &matrix, std::string_view title) {
    double least = HUGE_VAL, most = 0;
    u64 messages = 0, bytes = 0;
    for (std::size_t i = 0; i < matrix.bytes.size(); i++) {
        if (matrix.messages[i] == 0) continue;
        least = std::min(least, static_cast<double>(matrix.bytes[i]));
        most = std::max(most, static_cast<double>(matrix.bytes[i]));
        messages += matrix.messages[i];
        bytes += matrix.bytes[i];
    }
    const double width = left + side + 130, height = top + side + 44;
    std::string out = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {0:.0f} {1:.0f}\" width=\"{0:.0f}\" "
        "height=\"{1:.0f}\" font-family=\"sans-serif\" "
        "font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n",
        width, height);
    out += text(left, 20, "start", title, " font-size=\"15\"");
    out += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"none\" stroke=\"#999\"/>\n", left, top, side, side);
    const double edge = side / matrix.size;
    for (u32 row = 0; row < matrix.size; row++)
        for (u32 column = 0; column < matrix.size; column++) {
            const std::size_t cell = std::size_t{row} * matrix.size + column;
            if (matrix.messages[cell] == 0) continue;
            const double own = std::log1p(static_cast<double>(matrix.bytes[cell])), low = std::log1p(least), high = std::log1p(most);
            out += fmt::format("<rect x=\"{:.2f}\" y=\"{:.2f}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"{}\"/>\n", left + column * edge,
                               top + row * edge, edge, edge, color(high > low ? (own - low) / (high - low) : 1));
        }
    out += axes(matrix);
    if (messages != 0) out += legend(least, most);
    const u32 shared = (matrix.ranks + matrix.size - 1) / matrix.size;
    out += text(left, top + side + 24, "start",
                fmt::format("{} messages, {}{}; point to point only", messages, amount(static_cast<double>(bytes)),
                            shared > 1 ? fmt::format("; up to {} ranks in a row or column", shared) : ""));
    return out + "</svg>\n";
}

}  // namespace mog::mpi
