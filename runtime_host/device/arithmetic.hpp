// arithmetic.hpp: who computes a program's floats and doubles on a device: the choice, and its name for --stats.
#pragma once

#include <string>

#include "assembler/image/image.hpp"
#include "runtime_host/device/device.hpp"
#include "support/result.hpp"

namespace mog {

/// What a device computes as IEEE 754 and MIPS want it.
struct FloatAbilities {
    bool floats = true;   ///< with denormals, rounded to nearest
    bool divides = true;  ///< float division and root are correctly rounded
    bool doubles = true;
};

struct Arithmetic {
    enum class How { Native, Soft, Pair, ByDouble };
    How floats = How::Native;   ///< Native or Soft
    How divides = How::Native;  ///< division and root of floats: Native, Soft or ByDouble
    How doubles = How::Native;  ///< Native, Soft or Pair
    bool fcsr = false;          ///< the program reads or writes the FPU's control register, so roundings and exceptions are kept
    std::string description;    ///< for DeviceStats::arithmetic

    /// As options of a compiler of the generated source: " -DMOG_DOUBLE_SOFT"; empty if all is native.
    std::string definitions() const;
};

/// What mogcc's --double made the program's own wish; Auto if nothing.
Doubles wished_doubles(const Image &image);

/// Decides. `wish` is --double of mogrun, or Auto. Error: the wish cannot be fulfilled, and why; nothing else is computed silently.
Result<Arithmetic> choose_arithmetic(const Image &image, Doubles wish, const FloatAbilities &device, std::string_view id);

}  // namespace mog
