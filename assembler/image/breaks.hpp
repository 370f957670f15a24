// breaks.hpp: what stands in TEXT where PEs are to stop, for debuggers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace mog {

/// TEXT with an instruction that stops a PE in each of these places, and that the program's own interpreters know.
std::vector<std::uint16_t> text_with_breaks(std::span<const std::uint16_t> text, std::span<const std::uint32_t> places);

/// The TEXT index of the instruction in whose place that is, if a PE has stopped by it: with this `stop` at this `pc` (launch_abi.h).
std::uint32_t break_of(std::uint32_t stop, std::uint32_t pc);

}  // namespace mog
