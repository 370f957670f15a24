// opencl_limits.hpp: what fits an OpenCL device: how many PEs, with how much memory, in what work-groups. Nothing here
// calls OpenCL.
#pragma once

#include <cstdint>
#include <string_view>

#include "runtime_host/device/device.hpp"
#include "runtime_host/devices/opencl/opencl_info.hpp"

namespace mog {

/// The device as the rest of the runtime sees it. `number` is N of "opencl:N"; `image` may be null.
DeviceInfo describe_opencl_device(const OpenClDeviceFacts &facts, std::size_t number, const Image *image);

/// What the device computes rightly, by its own report: CL_DEVICE_SINGLE_FP_CONFIG, CL_DEVICE_DOUBLE_FP_CONFIG and whether
/// it has the extension cl_khr_fp64. `lacks`, for tests, may be null or name what to disown: fp64, denormals, rounding, divide.
FloatAbilities float_abilities(cl_device_fp_config single, cl_device_fp_config dual, bool has_extension, const char *lacks);

/// How many PEs it has memory for.
std::uint64_t opencl_room(const OpenClDeviceFacts &facts, std::uint64_t bytes_per_pe);

/// Whether `nproc` PEs of `data_words` fit, each with `bytes_per_pe` in all. Error: what would.
Result<void> check_opencl_memory(const OpenClDeviceFacts &facts, std::string_view id, std::uint32_t nproc, std::uint32_t data_words,
                                 std::uint64_t bytes_per_pe);

/// PEs per work-group, with `nregs` registers each in local memory. 0: not even one PE fits.
std::uint32_t choose_work_group(const OpenClDeviceFacts &facts, std::size_t nregs, std::uint32_t nproc, bool is_switch);

}  // namespace mog
