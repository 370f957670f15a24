// run_profile.cpp
#include "runtime_host/run/run_profile.hpp"

#include <filesystem>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "runtime_host/mpi/tools/statistics.hpp"

namespace mog {

namespace {

/// By TEXT index, as it was at the end: code that was compiled while the program ran was interpreted before that.
std::vector<profile::By> executed_by(const Image &image, const RunStats &stats) {
    using profile::By;
    const DeviceStats &engine = stats.engine;
    const bool kernel = stats.device.id != "host" && stats.device.id != "reference", lanes = engine.in_lanes;
    std::vector<By> by(image.text.size(), kernel ? By::kernel_interpreter : By::interpreter);
    const bool has_blocks = has_compiled_blocks(engine.engine) && image.products.has(ProductKind::compiled);
    const std::vector<bool> compiled = has_blocks || lanes ? compiled_code(image, stats.device.id, engine) : std::vector<bool>();
    for (std::size_t at = 0; at < by.size(); ++at) {
        if (at < engine.in_native.size() && engine.in_native[at]) by[at] = By::native;
        else if (engine.tiers && engine.tiers->kernels.back().functions != 0)
            by[at] = engine.tiers->interpreted.contains(static_cast<std::uint32_t>(at)) ? By::kernel_interpreter : By::kernel_blocks;
        else if (at < compiled.size() && compiled[at]) by[at] = lanes ? By::lanes : kernel ? By::kernel_blocks : By::blocks;
    }
    return by;
}

/// What slices count is passes of a sequence, or of a warp, in which not all lanes execute: no instructions of one PE.
bool has_passes(const RunStats &stats) { return stats.engine.engine.find("sequence") != std::string::npos || stats.engine.in_lanes; }

}  // namespace

profile::RunFacts profile_facts(const Image &image, const RunStats &stats, const mpi::Statistics *statistics,
                                std::span<const std::string> arguments, std::vector<std::uint64_t> counts) {
    profile::RunFacts facts;
    facts.program = arguments.empty() ? "" : std::filesystem::path(arguments.front()).filename().string();
    facts.arguments = fmt::format("{}", fmt::join(arguments.subspan(std::min<std::size_t>(1, arguments.size())), " "));
    facts.device = stats.device.id;
    facts.engine = stats.engine.engine;
    facts.ranks = stats.nproc;
    facts.seconds = stats.run.seconds;
    facts.device_seconds = stats.run.device_seconds;
    facts.launches = stats.run.slices;
    facts.passes = has_passes(stats);
    facts.by = executed_by(image, stats);
    facts.counts = std::move(counts);
    if (statistics)
        for (const mpi::Statistics::Function *function : statistics->by_waiting())
            facts.mpi.push_back(
                {function->name, function->calls, function->bytes, function->waiting, function->longest, function->longest_rank});
    for (std::size_t i = 0; i < stats.run.calls_by_row.size(); ++i)
        if (stats.run.calls_by_row[i]) facts.calls.emplace_back(syscall_rows()[i].name, stats.run.calls_by_row[i]);
    return facts;
}

}  // namespace mog
