// order_options.cpp: what the values of these options may be.
#include "assembler/order_options.hpp"

#include <cmath>
#include <optional>

#include <fmt/format.h>

#include "support/sizes.hpp"

namespace mog {
namespace {

Error needed(std::string_view text, std::string_view what) { return Error{fmt::format("\"{}\" is not {}", text, what), {}}; }

Result<void> read_seed(AssembleOptions &o, std::string_view text) {
    const auto value = parse_number<std::uint64_t>(text);
    if (!value) return needed(text, "a number from 0 to 18446744073709551615");
    o.order.seed = *value;
    return {};
}

Result<void> read_time(AssembleOptions &o, std::string_view text) {
    const auto value = parse_number<double>(text);
    if (!value || !std::isfinite(*value) || *value < 0 || *value > 1e6) return needed(text, "a number of seconds");
    o.order.seconds = *value;
    return {};
}

Result<void> read_climb(AssembleOptions &o, std::string_view text) {
    const auto value = parse_number<double>(text);
    if (!value || !std::isfinite(*value) || *value <= 0 || *value > 1e6) return needed(text, "a number of seconds");
    o.order.climb_seconds = *value;
    return {};
}

Result<void> read_slots(AssembleOptions &o, std::string_view text) {
    constexpr std::uint32_t most = 4096;
    const auto value = parse_number<std::uint32_t>(text);
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
    const auto value = parse_number<std::uint32_t>(text);
    if (!value || *value == 0 || *value > 1024) return needed(text, "a number of lanes from 1 to 1024");
    o.lanes = *value;
    return {};
}

Result<void> read_costs_file(AssembleOptions &o, std::string_view text) {
    if (text.empty()) return needed(text, "the name of a file");
    o.costs = text;
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

Result<void> read_build_time(AssembleOptions &o, std::string_view text) {
    o.blocks.all = text == "all";
    if (o.blocks.all) return {};
    const auto value = parse_number<double>(text);
    if (!value || !std::isfinite(*value) || *value < 0 || *value > 1e6) return needed(text, "a number of seconds, or \"all\"");
    o.blocks.build_seconds = *value;
    return {};
}

Result<void> read_superinstructions(AssembleOptions &o, std::string_view text) {
    const auto value = parse_number<std::uint32_t>(text);
    if (text != "auto" && !value) return needed(text, "\"auto\" or a number of superinstructions");
    o.fusion.count = text == "auto" ? std::optional<std::uint32_t>{} : *value;
    return {};
}

Result<void> read_simd(AssembleOptions &o, std::string_view text) {
    const auto named = simd_named(text);
    if (text != "auto" && !named) return needed(text, "\"auto\", \"avx512\", \"avx2\", \"portable\" or \"none\"");
    o.blocks.lanes = named ? *named : best_simd();
    o.blocks.all_in_lanes = named.has_value();
    return {};
}

constexpr OrderSetting table[] = {
    {"--superinstructions", "N",
     "instructions fused of several others, at most: a number (0: none), or\nauto (default): as many as "
     "pay in a switch, and in a sequence",
     read_superinstructions},
    {"--seed", "N", "start of the random search for the order of subinterpreters (default: 1)", read_seed},
    {"--order-time", "SECONDS", "length of that search (default: 0.2; 0: none)", read_time},
    {"--slots", "N", "subinterpreters in a pass: a number, or auto (default)", read_slots},
    {"--objective", "WHAT",
     "what the search makes least: cost (default), what an instruction\ncosts on the device, "
     "or span, the subinterpreters tried for it",
     read_objective},
    {"--profile-use", "FILE[,FILE]", "counts of mogrun --profile=FILE instead of estimated frequencies", read_profiles},
    {"--order-report", "FILE", "tell about the search: FILE.html, .json or .txt", read_report},
    {"--climb-time", "SECONDS", "processor time of the hill climbing that the report compares with\n(default: as much work as the search)",
     read_climb},
    {"--build-time", "SECONDS",
     "what compiling the hottest code for the engine \"blocks\" may take: about so\nlong, on two cores, of the compiler as it was "
     "measured here; g++ needs some\n0.4 to begin (default: for kernels 1, more for large programs; for the host\nnothing where mogrun "
     "compiles what is executed, else all of the program's\nown functions and what their loops call; 0: none; all: all of it)",
     read_build_time},
    {"--costs", "FILE", "what a device charges, as mogrun --calibrate measured it, instead of an\nestimate for GPUs", read_costs_file},
    {"--simd", "WHICH",
     "compile code also for 16 PEs at once? avx512, avx2, portable (any processor\nof its kind): all of that, for that; auto (default of "
     "mogcc): what loops,\nfor the best that this machine has, where --build-time is enough for all of\nthat, else left to runs of "
     "mogrun; none",
     read_simd},
    {"--lanes", "N", "PEs of a warp that go their own ways, for the cost (default: those of\nthe costs; 32)", read_lanes},
};

}  // namespace

std::span<const OrderSetting> order_settings() { return table; }

}  // namespace mog
