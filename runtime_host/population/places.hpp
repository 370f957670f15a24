// places.hpp: where PEs stand between two launches, and what threads wait for.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "runtime_host/faults/stopped_pe.hpp"
#include "runtime_host/population/population.hpp"
#include "support/result.hpp"

namespace mog {

class Places {
public:
    /// All outlive it.
    Places(Device &device, const Image &image, Population &population) : device_(device), image_(image), population_(population) {}

    /// The instruction of each, and the registers that its caller is found by; of those that wait in a call, that of the call. What else
    /// there is to know of them is 0. Error: the device's.
    Result<std::vector<StoppedPe::Facts>> where_they_stand(std::span<const std::uint32_t> pes);
    /// Of a PE that stands in a call: "in main at t.c:7"; empty if nothing is known.
    std::string place_of(std::uint32_t pe);
    /// Of a thread that waits at a word of memory: "the lock queue, which thread 2 has"; empty if the word names no owner. Error: the
    /// device's.
    Result<std::string> lock_of(std::uint32_t pe);

private:
    std::uint32_t row_of(Role role) const { return MOG_S_REGS + image_.roles[static_cast<std::size_t>(role)]; }

    Device &device_;
    const Image &image_;
    Population &population_;
};

}  // namespace mog
