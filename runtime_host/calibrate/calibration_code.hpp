// calibration_code.hpp: programs of which is known what an interpreter does for them, pass by pass.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "assembler/image/image.hpp"
#include "assembler/order/ordering.hpp"
#include "support/result.hpp"

namespace mog {

/// A loop without end in TEXT. Its jumps go where control would go anyway, so it is executed in the order of `code`.
struct CalibrationLoop {
    std::uint32_t start = 0;  ///< TEXT index
    std::vector<Op> code;
};

/// What a register holds while loops run.
struct CalibrationRegister {
    std::uint32_t value = 0;
    bool is_address = false;  ///< and 72 bytes more for each PE, within `calibration_spread` bytes
};

/// Few enough instructions at a time that each makes a difference to its loops.
inline constexpr std::size_t calibration_groups = 8;

inline constexpr std::uint32_t calibration_data_bytes = 32768, calibration_spread = 9216;

struct CalibrationCode {
    Image image;  ///< with the products "opencl" and "cpp"
    Order order;
    std::vector<CalibrationLoop> loops;
    std::vector<CalibrationRegister> registers;  ///< by number
};

/// Loops of random instructions: of one group, in a sequence that has, in some of the groups, many slots besides which nothing
/// waits for; or of all groups. The same each time. Error: a mistake in here.
Result<CalibrationCode> make_calibration_code(std::optional<std::size_t> group);

/// Whether calibration measures this instruction: it goes on by itself, and needs nothing from the host.
bool is_measurable(const OpInfo &row);

/// How often each opcode is executed in one pass through `slots`, in the mean over the whole loop.
std::array<double, 256> executed_in_a_pass(const CalibrationLoop &loop, const std::vector<Op> &slots);
/// The same for a switch, where a pass is one instruction.
std::array<double, 256> executed_in_a_turn(const CalibrationLoop &loop);

}  // namespace mog
