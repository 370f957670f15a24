// order_options.cpp: what the values of these options may be.
#include "assembler/order_options.hpp"

#include <charconv>
#include <cmath>
#include <optional>

#include <fmt/format.h>

namespace mog {
namespace {

template <typename T>
std::optional<T> number(std::string_view text) {
    T value{};
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || failed != std::errc() || end != text.data() + text.size()) return {};
    return value;
}

Error needed(std::string_view text, std::string_view what) {
    return Error{fmt::format("\"{}\" is not {}", text, what), {}};
}

Result<void> read_seed(AssembleOptions &o, std::string_view text) {
    const auto value = number<std::uint64_t>(text);
    if (!value) return needed(text, "a number from 0 to 18446744073709551615");
    o.order.seed = *value;
    return {};
}

Result<void> read_time(AssembleOptions &o, std::string_view text) {
    const auto value = number<double>(text);
    if (!value || !std::isfinite(*value) || *value < 0 || *value > 1e6) return needed(text, "a number of seconds");
    o.order.seconds = *value;
    return {};
}

Result<void> read_slots(AssembleOptions &o, std::string_view text) {
    constexpr std::uint32_t most = 4096;
    const auto value = number<std::uint32_t>(text);
    if (text != "auto" && (!value || *value == 0 || *value > most))
        return needed(text, fmt::format("\"auto\" or a number of slots from 1 to {}", most));
    o.order.slots = text == "auto" ? 0 : *value;
    return {};
}

Result<void> read_objective(AssembleOptions &o, std::string_view text) {
    if (text != "cost" && text != "span") return needed(text, "\"cost\" or \"span\"");
    o.order.objective = text == "span" ? Objective::span : Objective::cost;
    return {};
}

Result<void> read_lanes(AssembleOptions &o, std::string_view text) {
    const auto value = number<std::uint32_t>(text);
    if (!value || *value == 0 || *value > 1024) return needed(text, "a number of lanes from 1 to 1024");
    o.order.costs.lanes = *value;
    return {};
}

Result<void> read_profiles(AssembleOptions &o, std::string_view text) {
    while (!text.empty()) {
        const std::size_t comma = text.find(',');
        if (comma != 0) o.profiles.emplace_back(text.substr(0, comma));
        text.remove_prefix(comma == text.npos ? text.size() : comma + 1);
    }
    return o.profiles.empty() ? needed(text, "the name of a file") : Result<void>{};
}

Result<void> read_report(AssembleOptions &o, std::string_view text) {
    if (!text.ends_with(".html") && !text.ends_with(".json") && !text.ends_with(".txt"))
        return needed(text, "a file that ends in .html, .json or .txt");
    o.report = text;
    return {};
}

constexpr OrderSetting table[] = {
    {"--seed", "N", "start of the random search for the order of subinterpreters (default: 1)", read_seed},
    {"--order-time", "SECONDS", "length of that search (default: 0.2; 0: none)", read_time},
    {"--slots", "N", "subinterpreters in a pass: a number, or auto (default)", read_slots},
    {"--objective", "WHAT", "what the search makes least: cost (default), what an instruction\ncosts on the device, "
                            "or span, the subinterpreters tried for it", read_objective},
    {"--profile-use", "FILE[,FILE]", "counts of mogrun --profile=FILE instead of estimated frequencies", read_profiles},
    {"--order-report", "FILE", "tell about the search: FILE.html, .json or .txt", read_report},
    {"--lanes", "N", "PEs of a warp that go their own ways, for the cost (default: 32)", read_lanes},
};

}  // namespace

std::span<const OrderSetting> order_settings() {
    return table;
}

}  // namespace mog
