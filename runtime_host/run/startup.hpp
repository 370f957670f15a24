// startup.hpp: how much memory a PE gets and what stands in it when the program starts.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "runtime_host/device/device.hpp"
#include "support/result.hpp"

namespace mog {

/// Bytes of DATA per PE. `wanted` 0: a default that depends only on the image, the device and `nproc`: the program's
/// static data and as much heap and stack as any program gets. `threads`: how many of each there may be; `threads_asked`: that many are
/// likely to come. Error: `wanted` is too small for the program or too large
/// for its address space, or the static data alone are.
Result<std::uint32_t> choose_memory(const Image &image, const DeviceInfo &device, std::uint32_t nproc, std::uint64_t wanted,
                                    std::uint32_t threads = 1, bool threads_asked = false);
/// Bytes of the window, whole pages; `wanted` 0: what the program's variables take, and some to allocate. 0: it has no window.
Result<std::uint32_t> choose_window(const Image &image, std::uint64_t wanted);
/// How many threads each of `nproc` processes may have; `wanted` 0: one, of a program that starts none, else many.
std::uint32_t choose_threads(const Image &image, const DeviceInfo &device, std::uint32_t nproc, std::uint32_t wanted);

/// The topmost words of DATA as Linux lays them out: argc, argv, environment, an empty auxiliary vector, strings. The
/// first word is where the stack pointer starts; its address is a multiple of 16. The environment is left out if the
/// block would take more than a quarter of DATA. Error: the arguments alone would.
Result<std::vector<std::uint32_t>> make_startup(std::span<const std::string> arguments, std::span<const std::string> environment,
                                                std::uint32_t data_bytes);

}  // namespace mog
