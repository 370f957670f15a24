// emulated_faults.hpp: what a test asks the emulated device to be, in the environment variable MOG_EMULATED_CUDA.
#pragma once

#include <cstddef>
#include <limits>

namespace mog_emulation {

/* `devices=2,memory=64M,driver=11000,lost_after=3,capability=75,archs=80,compile=fail`: any of these, in any order. */
struct Faults {
    int devices = 1;
    std::size_t memory = std::size_t{1} << 30;
    int driver = 13000;
    /* This many launches are accepted; the last of them does nothing, and every call after it fails. */
    std::size_t lost_after = std::numeric_limits<std::size_t>::max();
    int capability = 90;
    int archs = 90;  // the highest that NVRTC knows
    bool compile_fails = false;
};

/* As the variable is now; what it does not know ends the process. */
Faults read_faults();

}  // namespace mog_emulation
