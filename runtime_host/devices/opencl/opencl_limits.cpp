// opencl_limits.cpp: the sizes that OpenCL devices report, and what was measured, turned into choices.
#include "runtime_host/devices/opencl/opencl_limits.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "runtime_host/device/host_room.hpp"
#include "support/sizes.hpp"

namespace mog {

namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

/// Leaves room for code, stacks and the driver's own needs.
u64 usable_memory(const OpenClDeviceFacts &facts) {
    constexpr u64 reserve_bytes = 64u << 20;
    return facts.memory > 2 * reserve_bytes ? facts.memory - reserve_bytes : facts.memory / 2;
}

}  // namespace

DeviceInfo describe_opencl_device(const OpenClDeviceFacts &facts, std::size_t number, const Image *image) {
    DeviceInfo info;
    info.id = fmt::format("opencl:{}", number);
    info.description = fmt::format("{}: {}, {} compute unit{}, {}", facts.platform, facts.name, facts.units, facts.units == 1 ? "" : "s",
                                   format_amount(facts.memory));
    info.driver = facts.driver;
    info.is_gpu = facts.is_gpu;
    info.is_nvidia = facts.is_nvidia;
    info.units = facts.units;
    info.lanes = facts.warp;
    info.memory_bytes = usable_memory(facts);
    if (facts.is_cpu) {
        info.fill_pes = facts.units;
    } else {
        // As many PEs as have their registers in local memory at once, up to the 2048 that a compute unit usually
        // holds.
        u64 nregs = image ? image->register_names.size() : 64;
        info.fill_pes = facts.units * static_cast<u32>(std::clamp<u64>(facts.local_memory / (4 * nregs), facts.warp, 2048));
    }
    return info;
}

FloatAbilities float_abilities(cl_device_fp_config single, cl_device_fp_config dual, bool has_extension, const char *lacks) {
    const std::string_view missing(lacks ? lacks : "");
    const auto has = [&](cl_device_fp_config config, cl_device_fp_config bit, std::string_view name) {
        return (config & bit) != 0 && missing.find(name) == std::string_view::npos;
    };
    FloatAbilities able;
    able.floats =
        has(single, CL_FP_DENORM, "denormals") && has(single, CL_FP_ROUND_TO_NEAREST, "rounding") && (single & CL_FP_INF_NAN) != 0;
    able.divides = has(single, CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT, "divide");
    // Drivers of OpenCL 1.1 had the extension without the report; with it come denormals and rounding to nearest.
    constexpr cl_device_fp_config needed = CL_FP_DENORM | CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN;
    able.doubles = (dual == 0 ? has_extension : (dual & needed) == needed) && missing.find("fp64") == std::string_view::npos;
    return able;
}

u64 opencl_room(const OpenClDeviceFacts &facts, u64 bytes_per_pe) {
    // On a CPU only touched pages count, and how many those will be nobody knows yet.
    return facts.is_cpu ? UINT64_MAX : usable_memory(facts) / bytes_per_pe / facts.warp * facts.warp;
}

Result<void> check_opencl_memory(const OpenClDeviceFacts &facts, std::string_view id, u32 nproc, u32 data_words, u64 bytes_per_pe) {
    u64 usable = usable_memory(facts);
    u64 warp_bytes = 4ull * data_words * facts.warp;
    if (warp_bytes > facts.max_allocation)
        return Error{fmt::format("{} gives at most {} in one piece, and {} per PE is too much for that; lower --mem to {}K", id,
                                 format_amount(facts.max_allocation), format_amount(4ull * data_words),
                                 facts.max_allocation / facts.warp / 1024)};
    const u64 fit = opencl_room(facts, bytes_per_pe);
    if (nproc <= fit) return {};
    return Error{fmt::format("{} PEs with {} KiB each need {}, but {} has {}: {}", nproc, data_words / 256,
                             format_amount(bytes_per_pe * nproc), id, format_amount(usable),
                             what_to_lower(fit, usable / round_up(nproc, facts.warp) / 1024))};
}

// Registers must fit local memory. GPUs get two warps, so that a compute unit is filled without any PE waiting for many
// others. On PoCL 1 for the switch: in a loop over the work-items of a group it keeps every variable that changes in a
// loop of theirs in memory, an array element for each (its passes PHIsToAllocas and WorkitemLoops), so each dispatch
// stored and loaded pc, ir and both accumulators; superinstructions saved nothing then. Of a group of 1 there is no loop,
// and the switch is twice as fast. The sequence does best with 8 (1: 1.4 times slower, 64: 1.2 times), 1 where that would
// leave cores idle; no sizes between, for PoCL compiles for each.
u32 choose_work_group(const OpenClDeviceFacts &facts, std::size_t nregs, u32 nproc, bool is_switch) {
    u64 fit = facts.local_memory / (4 * nregs);
    u64 size = !facts.is_cpu ? std::max(64u, facts.warp) : is_switch || nproc < 8 * facts.units ? 1 : 8;
    size = std::min({size, fit, facts.max_work_group});
    if (size > facts.warp) size -= size % facts.warp;
    return static_cast<u32>(size);
}

}  // namespace mog
