// stats.cpp: the same facts for people and for programs.
#include "runtime_host/run/stats.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "runtime_host/faults/faults.hpp"
#include "support/sizes.hpp"

namespace mog {

namespace {

double rate(std::uint64_t count, double seconds) { return seconds > 0 ? static_cast<double>(count) / seconds : 0; }

/// Where the interpreter comes from, if it was not compiled for this run.
std::string origin(const DeviceStats &stats) {
    if (!stats.embedded.empty()) return fmt::format(" (embedded, for {})", stats.embedded);
    return stats.cached ? " (cached)" : "";
}

constexpr std::size_t most_functions = 5;  ///< that are named in the text
/// From this share on it is worth saying how there would be less.
constexpr double much_interpreted = 0.05;

std::string in_percent(double share) { return fmt::format("{:.{}f} %", 100 * share, share < 0.1 ? 1 : 0); }

/// "31 % of the instructions, by 512 samples: qsort 20 %, memcpy 8.0 %, others 3.0 %".
std::string as_text(const InterpretedCode &code) {
    if (code.samples == 0) return "not known: the run was too short for samples";
    std::string text = fmt::format("{} of the instructions, by {} samples", in_percent(code.share), code.samples);
    double others = code.share;
    for (std::size_t i = 0; i < std::min(most_functions, code.functions.size()); ++i) {
        text += fmt::format("{}{} {}", i == 0 ? ": " : ", ", code.functions[i].first, in_percent(code.functions[i].second));
        others -= code.functions[i].second;
    }
    return code.functions.size() > most_functions ? text + fmt::format(", others {}", in_percent(others)) : text;
}

nlohmann::ordered_json as_json(const InterpretedCode &code) {
    nlohmann::ordered_json json = {{"samples", code.samples}};
    if (code.samples == 0) return json;
    json["share"] = code.share;
    json["functions"] = nlohmann::ordered_json::array();
    for (const auto &[name, share] : code.functions) json["functions"].push_back({{"name", name}, {"share", share}});
    return json;
}

double interpreted_part(const DeviceStats::Tier &tier) { return tier.executed > 0 ? tier.interpreted / tier.executed : 0; }

/// "nothing compiled, 100 % interpreted", "after 1.52 s 4 functions of 1065 MOG instructions, built in 1.61 s, 0.3 % interpreted".
std::string as_text(const DeviceStats::Tier &tier) {
    std::string text = tier.begins > 0 ? fmt::format("after {:.2f} s ", tier.begins) : "";
    const char *plural = tier.functions == 1 ? "" : "s";
    text += tier.functions == 0 ? "nothing compiled"
                                : fmt::format("{} function{} of {} MOG instructions", tier.functions, plural, tier.instructions);
    if (tier.begins > 0) text += fmt::format(", built in {:.2f} s", tier.build_seconds);
    if (const auto [compiled, kept] = tier.parts; compiled + kept > 0)
        text += fmt::format(", linked from {} parts, {} of them compiled for it", compiled + kept, compiled);
    return tier.executed > 0 ? text + fmt::format(", {} interpreted", in_percent(interpreted_part(tier))) : text;
}

nlohmann::ordered_json as_json(const DeviceStats::Tiers &tiers) {
    nlohmann::ordered_json json = {{"remembered", tiers.remembered}, {"kernels", nlohmann::ordered_json::array()}};
    for (const DeviceStats::Tier &tier : tiers.kernels)
        json["kernels"].push_back({{"begins", tier.begins},
                                   {"build_seconds", tier.build_seconds},
                                   {"functions", tier.functions},
                                   {"mog_instructions", tier.instructions},
                                   {"sampled", tier.executed > 0},
                                   {"interpreted", interpreted_part(tier)},
                                   {"parts_compiled", tier.parts.compiled},
                                   {"parts_kept", tier.parts.kept}});
    if (!tiers.failure.empty()) json["failure"] = tiers.failure;
    return json;
}

/// What would have less interpreted.
std::string_view remedy(const DeviceStats &stats) {
    if (!stats.tiers) return "mogcc --build-time=all compiles all code; mogcc --profile-use=FILE what mogrun --profile=FILE has counted";
    if (!stats.tiers->failure.empty()) return "a kernel with more code compiled could not be built";
    return "what is executed most is compiled once a run has lost as much time as that takes, or several runs have";
}

/// Of several devices, what one did.
std::string part_as_text(const DevicePart &part, double device_seconds) {
    const double share = device_seconds > 0 ? 100 * part.seconds / device_seconds : 0;
    std::string text = fmt::format("  {:<18}PEs {} to {} in {:.3f} s, {:.0f} % of the time in launches, {:.1f} PEs/s\n", part.info.id,
                                   part.first, part.first + part.count - 1, part.seconds, share, rate(part.count, part.seconds));
    for (const std::string &more : {part.info.description, part.stats.engine + origin(part.stats)})
        text += fmt::format("  {:<20}{}\n", "", more);
    return text;
}

nlohmann::ordered_json part_as_json(const DevicePart &part) {
    nlohmann::ordered_json json = {
        {"device", part.info.id},
        {"device_description", part.info.description},
        {"engine", part.stats.engine},
        {"arithmetic", part.stats.arithmetic},
        {"first_pe", part.first},
        {"pes", part.count},
        {"device_seconds", part.seconds},
        {"pes_per_second", rate(part.count, part.seconds)},
        {"build_seconds", part.stats.build_seconds},
        {"build_cached", part.stats.cached},
    };
    if (!part.stats.embedded.empty()) json["build_embedded"] = part.stats.embedded;
    if (part.stats.tiers) json["tiers"] = as_json(*part.stats.tiers);
    if (part.stats.counted) json["mog_instructions"] = part.stats.executed;
    if (part.stats.lane_occupancy > 0) json["lane_occupancy"] = part.stats.lane_occupancy;
    return json;
}

/// Who finds out that an address is bad.
std::string addresses_as_text(const DeviceStats::Native &native) {
    const std::string asking = fmt::format("{} of {} loads and stores compiled while it ran ask first", native.asking, native.accesses);
    return native.why_asking.empty() ? "checked by the processor; " + asking : asking + ": " + native.why_asking;
}

/// "PEs put into other warps before 12 of 40 launches, 3021 times, in 0.012 s; 1.31 times as fast at the last of 3 trials".
std::string as_text(const DeviceStats::Regrouped &regrouped) {
    std::string text = fmt::format("PEs put into other warps before {} of {} launches, {} times, in {:.3f} s", regrouped.regrouped,
                                   regrouped.launches, regrouped.moves, regrouped.seconds);
    if (regrouped.trials != 0)
        text += fmt::format("; {:.2f} times as fast at the last of {} trial{}", regrouped.gain, regrouped.trials,
                            regrouped.trials == 1 ? "" : "s");
    return text;
}

/// For when all lanes are together: "2, entered 31 of 40 times; 95 % of the instructions, 61 % as scalars".
std::string as_text(const DeviceStats::Guarded &guarded) {
    if (guarded.regions == 0) return "none for lanes that are together";
    const auto share = [&](std::uint64_t part) {
        return 100 * static_cast<double>(part) / static_cast<double>(std::max<std::uint64_t>(guarded.of_instructions, 1));
    };
    return fmt::format("{} for lanes that are together, entered {} of {} times: {:.1f} % of the instructions, {:.1f} % as scalars",
                       guarded.regions, guarded.held, guarded.asked, share(guarded.instructions), share(guarded.as_scalars));
}

nlohmann::ordered_json as_json(const DeviceStats::Guarded &guarded) {
    return {{"regions", guarded.regions},
            {"asked", guarded.asked},
            {"held", guarded.held},
            {"of_instructions", guarded.of_instructions},
            {"instructions", guarded.instructions},
            {"as_scalars", guarded.as_scalars}};
}

/// Exactly is no help: "212 KiB", "1.5 MiB", "800 bytes".
std::string as_amount(std::uint64_t bytes) {
    constexpr double kibi = 1024;
    const auto value = static_cast<double>(bytes);
    if (value < kibi) return fmt::format("{} bytes", bytes);
    const bool is_small = value < kibi * kibi;
    const double number = value / (is_small ? kibi : kibi * kibi);
    return fmt::format("{:.{}f} {}", number, number < 10 ? 1 : 0, is_small ? "KiB" : "MiB");
}

/// "212 KiB at most (PE 17), 180 KiB in the median"; of one PE, and where all have the same, the amount alone.
std::string as_text(const MemoryUse::Part &part, std::uint32_t pes) {
    if (pes < 2 || part.most == part.median) return as_amount(part.most) + (pes < 2 ? "" : fmt::format(" at most (PE {})", part.rank));
    return fmt::format("{} at most (PE {}), {} in the median", as_amount(part.most), part.rank, as_amount(part.median));
}

nlohmann::ordered_json as_json(const MemoryUse &use) {
    nlohmann::ordered_json json = {{"pes", use.pes}, {"variables", use.variables}, {"constants", use.constants}};
    for (const auto &[name, part] : {std::pair{"heap", use.heap}, {"mapped", use.mapped}, {"stack", use.stack}, {"all", use.all}})
        json[name] = {{"most", part.most}, {"rank", part.rank}, {"median", part.median}};
    if (use.enough) json["enough"] = *use.enough;
    return json;
}

}  // namespace

std::string stats_as_text(const RunStats &s) {
    std::string text;
    auto line = [&](std::string_view name, const std::string &value) { text += fmt::format("  {:<18}{}\n", name, value); };
    text += "mog: statistics\n";
    line("device", s.engine.parts.empty() ? fmt::format("{} ({})", s.device.id, s.device.description) : s.device.id);
    line("engine", s.engine.engine);
    if (s.engine.native && s.engine.native->functions != 0)
        line("compiled", fmt::format("while it ran: {} functions of {} MOG instructions, {} in {:.3f} s", s.engine.native->functions,
                                     s.engine.native->instructions, format_size(s.engine.native->bytes), s.engine.native->seconds));
    if (s.engine.native && s.engine.native->vector_loops != 0)
        line("vectors", fmt::format("{} loops, of which {} rounds were done several at once", s.engine.native->vector_loops,
                                    s.engine.native->vector_rounds));
    if (s.engine.native && s.engine.native->accesses != 0) line("addresses", addresses_as_text(*s.engine.native));
    if (s.engine.tiers)
        for (const DeviceStats::Tier &tier : s.engine.tiers->kernels)
            line(&tier == s.engine.tiers->kernels.data() ? "kernels" : "",
                 as_text(tier) + (tier.begins == 0 && s.engine.tiers->remembered ? ", as earlier runs have found" : ""));
    for (const DevicePart &part : s.engine.parts) text += part_as_text(part, s.run.device_seconds);
    if (!s.engine.choice.engine.empty()) line("picked", fmt::format("{}: {}", s.engine.choice.engine, s.engine.choice.reason));
    if (s.engine.lanes_instructions != 0)
        line("lanes",
             fmt::format("{} MOG instructions compiled while it ran, in {:.3f} s", s.engine.lanes_instructions, *s.engine.lanes_seconds));
    else if (s.engine.lanes_seconds) line("lanes", fmt::format("compiled beside the run, which took {:.1f} s", *s.engine.lanes_seconds));
    if (!s.engine.arithmetic.empty()) line("arithmetic", s.engine.arithmetic);
    line("PEs", fmt::format("{}, {} of memory each, {} bytes on the device each", s.nproc, format_size(s.data_bytes), s.bytes_per_pe));
    if (const MemoryUse &use = s.memory; use.pes != 0) {
        const std::string who = use.pes == s.nproc ? "" : fmt::format(", of {} PEs", use.pes);
        line("memory used",
             as_text(use.all, use.pes) + who + (use.enough ? fmt::format("; --mem={} would do", format_size(*use.enough)) : ""));
        line("", fmt::format("{} of variables", as_amount(use.variables)));
        if (use.constants != 0) line("", fmt::format("{} of constants, which all PEs have once", as_amount(use.constants)));
        line("", "heap " + as_text(use.heap, use.pes));
        if (use.mapped.most != 0) line("", "mapped " + as_text(use.mapped, use.pes));
        line("", "stack " + as_text(use.stack, use.pes));
    }
    line("start-up",
         fmt::format("{:.3f} s, of it {:.3f} s for the interpreter{}", s.startup_seconds, s.engine.build_seconds, origin(s.engine)));
    line("run", fmt::format("{:.3f} s, of it {:.3f} s in {} slices", s.run.seconds, s.run.device_seconds, s.run.slices));
    line("service", s.run.concurrent ? "concurrent, while other PEs run" : "clean, between launches");
    if (s.interpreted) {
        line("interpreted", as_text(*s.interpreted));
        if (s.interpreted->share >= much_interpreted) line("", std::string(remedy(s.engine)));
    }
    if (s.engine.counted)
        line("MOG instructions", fmt::format("{}, {:.2f} M/s", s.engine.executed, rate(s.engine.executed, s.run.seconds) / 1e6));
    if (s.engine.retired)
        line("MIPS instructions",
             fmt::format("{}, {:.2f} M/s, {:.2f} MOG instructions each", s.engine.retired, rate(s.engine.retired, s.run.seconds) / 1e6,
                         static_cast<double>(s.engine.executed) / static_cast<double>(s.engine.retired)));
    if (s.engine.attempts)
        line("subinterpreters", fmt::format("{} tried in the program's sequence, {:.2f} for an instruction", s.engine.attempts,
                                            static_cast<double>(s.engine.attempts) / static_cast<double>(s.engine.executed)));
    if (s.engine.lane_occupancy > 0) line("lanes", fmt::format("{:.0f} % of them execute, on average", 100 * s.engine.lane_occupancy));
    if (s.engine.layouts)
        line("sectors", fmt::format("by words {} touched, {} fetched; by sectors {} touched, {} fetched", s.engine.layouts->words.touched,
                                    s.engine.layouts->words.fetched, s.engine.layouts->sectors.touched, s.engine.layouts->sectors.fetched));
    if (s.engine.regrouped) line("regrouping", as_text(*s.engine.regrouped));
    if (s.engine.guarded) line("copies of loops", as_text(*s.engine.guarded));
    if (s.channels)
        line("channels", fmt::format("{} counted, {} reservations, {} of them by another lane; {} compare-and-swaps", s.channels->channels,
                                     s.channels->reservations, s.channels->joined, s.channels->compare_and_swaps));
    line("system calls", fmt::format("{}", s.run.calls));
    for (std::size_t i = 0; i < s.run.calls_by_row.size(); i++)
        if (s.run.calls_by_row[i]) line("", fmt::format("{:<16}{}", syscall_rows()[i].name, s.run.calls_by_row[i]));
    return text;
}

std::string stats_as_json(const RunStats &s) {
    nlohmann::ordered_json calls = nlohmann::ordered_json::object();
    for (std::size_t i = 0; i < s.run.calls_by_row.size(); i++)
        if (s.run.calls_by_row[i]) calls[std::string(syscall_rows()[i].name)] = s.run.calls_by_row[i];
    nlohmann::ordered_json ranks = nlohmann::ordered_json::object();
    for (const auto &[status, who] : s.run.ranks_by_status) ranks[std::to_string(status)] = fold_ranks(who, who.size());
    nlohmann::ordered_json json = {
        {"device", s.device.id},
        {"device_description", s.device.description},
        {"engine", s.engine.engine},
        {"arithmetic", s.engine.arithmetic},
        {"pes", s.nproc},
        {"memory_per_pe", s.data_bytes},
        {"device_bytes_per_pe", s.bytes_per_pe},
        {"memory_used", s.memory.pes != 0 ? as_json(s.memory) : nlohmann::ordered_json()},
        {"startup_seconds", s.startup_seconds},
        {"build_seconds", s.engine.build_seconds},
        {"build_cached", s.engine.cached},
        {"run_seconds", s.run.seconds},
        {"device_seconds", s.run.device_seconds},
        {"slices", s.run.slices},
        {"service", s.run.concurrent ? "concurrent" : "clean"},
        {"system_calls", s.run.calls},
        {"system_calls_by_name", calls},
        {"status", s.run.status},
        {"ranks_by_status", ranks},
    };
    if (!s.engine.embedded.empty()) json["build_embedded"] = s.engine.embedded;
    if (s.engine.native)
        json["compiled_while_running"] = {{"functions", s.engine.native->functions},
                                          {"mog_instructions", s.engine.native->instructions},
                                          {"bytes", s.engine.native->bytes},
                                          {"seconds", s.engine.native->seconds},
                                          {"vector_loops", s.engine.native->vector_loops},
                                          {"vector_rounds", s.engine.native->vector_rounds},
                                          {"accesses", s.engine.native->accesses},
                                          {"accesses_that_ask", s.engine.native->asking},
                                          {"why_they_ask", s.engine.native->why_asking},
                                          {"left_to_the_interpreter", s.engine.native->left}};
    if (s.channels)
        json["channels"] = {{"counted", s.channels->channels},
                            {"reservations", s.channels->reservations},
                            {"joined", s.channels->joined},
                            {"compare_and_swaps", s.channels->compare_and_swaps}};
    if (s.engine.tiers) json["tiers"] = as_json(*s.engine.tiers);
    if (s.interpreted) json["interpreted"] = as_json(*s.interpreted);
    if (s.engine.counted) {
        json["mog_instructions"] = s.engine.executed;
        json["mog_instructions_per_second"] = rate(s.engine.executed, s.run.seconds);
    }
    if (s.engine.retired) {
        json["mips_instructions"] = s.engine.retired;
        json["mips_instructions_per_second"] = rate(s.engine.retired, s.run.seconds);
    }
    if (s.engine.attempts) {
        json["attempts"] = s.engine.attempts;
        json["span"] = static_cast<double>(s.engine.attempts) / static_cast<double>(s.engine.executed);
    }
    if (!s.engine.choice.engine.empty())
        json["picked"] = {{"engine", s.engine.choice.engine}, {"reason", s.engine.choice.reason}, {"trials", s.engine.choice.trials}};
    if (s.engine.lanes_seconds) json["lanes_compiled_seconds"] = *s.engine.lanes_seconds;
    if (s.engine.lanes_instructions != 0) json["lanes_compiled_instructions"] = s.engine.lanes_instructions;
    for (const DevicePart &part : s.engine.parts) json["devices"].push_back(part_as_json(part));
    if (s.engine.lane_occupancy > 0) json["lane_occupancy"] = s.engine.lane_occupancy;
    if (s.engine.layouts) {
        const auto as_json = [](const LayoutCounts &counts) {
            return nlohmann::ordered_json{{"touched", counts.touched}, {"fetched", counts.fetched}};
        };
        json["sectors"] = {{"by_words", as_json(s.engine.layouts->words)}, {"by_sectors", as_json(s.engine.layouts->sectors)}};
    }
    if (s.engine.regrouped) {
        const DeviceStats::Regrouped &r = *s.engine.regrouped;
        json["regrouping"] = {{"launches", r.launches}, {"regrouped", r.regrouped}, {"moves", r.moves},
                              {"seconds", r.seconds},   {"trials", r.trials},       {"gain", r.gain}};
    }
    if (s.engine.guarded) json["guarded_loops"] = as_json(*s.engine.guarded);
    return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace mog
