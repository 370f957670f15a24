// opencl_info.hpp: what an OpenCL device is and can, and the interpreter built for it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime_host/device/arithmetic.hpp"
#include "runtime_host/devices/opencl/opencl_api.hpp"
#include "support/result.hpp"

namespace mog {

struct OpenClDeviceFacts {
    cl_device_id id = nullptr;
    std::string name, platform, driver;
    bool is_cpu = false, is_gpu = false;
    bool is_pocl = false;
    bool is_this_process = false;  ///< kernels run in it, on its processor, and may call what is compiled there
    bool is_nvidia = false;
    FloatAbilities computes;           ///< divides: float division and root round correctly when asked to
    std::uint32_t units = 1;           ///< compute units
    std::uint32_t warp = 32;           ///< lanes in lock step, and so interleaved in memory; 1 on a CPU
    std::uint64_t memory = 0;          ///< bytes in all; on a CPU those of the host
    std::uint64_t max_allocation = 0;  ///< bytes of one buffer
    std::uint64_t local_memory = 0;    ///< bytes per work-group
    std::uint64_t max_work_group = 1;
};

/// Usable devices of all platforms, in the loader's order: their place is N of "opencl:N". `notes`, if not null, gets a
/// sentence for each that was left out.
std::vector<OpenClDeviceFacts> find_opencl_devices(std::vector<std::string> *notes);

/// Before a context is made: settings of the driver, by the environment, with which it builds a switch faster.
void prepare_switch_build(const OpenClDeviceFacts &device);

struct OpenClBuild {
    ClProgram program;
    bool cached = false;
    double seconds = 0;
};

/// Builds the interpreter's source for the device, with further options (" -DNAME ..."), or takes it from the kernel cache.
/// Error: why the driver refused, with the first lines of its messages.
Result<OpenClBuild> build_interpreter(const OpenClApi &cl, cl_context context, const OpenClDeviceFacts &device, std::string_view source,
                                      std::string_view more_options);

}  // namespace mog
