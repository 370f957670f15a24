// calibrate.hpp: mogrun --calibrate.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "assembler/order/costs_file.hpp"
#include "runtime_host/device/device.hpp"
#include "support/result.hpp"

namespace mog {

struct CalibrateOptions {
    std::string device;  ///< empty or "auto": the best one here
    Doubles doubles = Doubles::Auto;
    double seconds = 0.004;  ///< each loop for so long,
    int rounds = 5;          ///< so often
};

/// Measures what a pass, an attempt and the bodies of the instructions cost on a device. `progress` is told what part is
/// done. Error: there is no such device, or it does not run the loops.
Result<MeasuredCosts> calibrate(const CalibrateOptions &options, const std::function<void(double)> &progress);

/// Where the costs of a device belong: a name made of its id and of what it says about itself, in the folder of the kernel
/// cache; in the current directory where there is none.
std::filesystem::path costs_path(const MeasuredCosts &costs);

}  // namespace mog
