// cuda_info.hpp: what a CUDA device is and can, and the interpreter built for it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime_host/device/device.hpp"
#include "runtime_host/devices/cuda/cuda_session.hpp"
#include "support/result.hpp"

namespace mog {

struct CudaDeviceFacts {
    CuDevice id = 0;
    std::string name;
    int capability = 0;                  ///< 10 * major + minor: 90 for sm_90
    std::uint32_t units = 1;             ///< multiprocessors
    std::uint64_t memory = 0;            ///< bytes in all
    std::uint32_t shared_per_unit = 0;   ///< bytes of shared memory
    std::uint32_t shared_per_block = 0;  ///< of them a block can have, when asked to
    std::uint32_t threads_per_unit = 0, threads_per_block = 0;
};

/// The device's warps. Fixed by the dialect's votes, too.
inline constexpr std::uint32_t cuda_warp = 32;

/// The CUDA devices, in the driver's order: their place is N of "cuda:N". Error: why there are none.
Result<std::vector<CudaDeviceFacts>> find_cuda_devices();

/// The device as the rest of the runtime sees it; `image` may be null.
DeviceInfo describe_cuda_device(const CudaDeviceFacts &facts, std::size_t number, int driver, const Image *image);

struct CudaBuild {
    std::vector<std::uint8_t> code;  ///< what cuModuleLoadDataEx takes
    bool cached = false;
};

/// What a build does with the kernel cache: it takes what is there, or it compiles anew and replaces that.
enum class KernelCacheUse { Take, Replace };

/// Code that is a kernel by itself, or one of the parts that a kernel is linked from.
enum class CudaCode : std::uint8_t { whole, part };

/// Builds the interpreter's source for a device of this capability, with `definitions` (" -DNAME ..."), or takes it from the kernel
/// cache: machine code where NVRTC knows the device, else PTX for the driver to compile. Needs no device. Error: why NVRTC
/// refused, with the first lines of its messages.
Result<CudaBuild> build_cuda_interpreter(const NvrtcApi &nvrtc, int capability, std::string_view source, std::string_view definitions,
                                         KernelCacheUse use = KernelCacheUse::Take, CudaCode what = CudaCode::whole);

/// A part of a kernel (kernel_parts.hpp).
struct CudaPart {
    std::string_view source, definitions;
};
struct CudaPartsBuild : CudaBuild {
    std::size_t compiled = 0, kept = 0;  ///< parts: by NVRTC now, and those that were there
};
/// Builds those that the kernel cache does not have, and links all; of a kernel that it has linked already, nothing. A context is current.
Result<CudaPartsBuild> link_cuda_parts(const CudaApi &api, const NvrtcApi &nvrtc, int capability, std::span<const CudaPart> parts,
                                       KernelCacheUse use = KernelCacheUse::Take);

}  // namespace mog
