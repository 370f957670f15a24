// breaks.cpp: see breaks.hpp.
#include "assembler/image/breaks.hpp"

#include <algorithm>

#include "assembler/ir/isa.hpp"
#include "interp_templates/launch_abi.h"

namespace mog {

std::vector<std::uint16_t> text_with_breaks(std::span<const std::uint16_t> text, std::span<const std::uint32_t> places) {
    // Interpreters that are made for a program know nothing but what is in it. In place of the program's instruction a call is none.
    const auto has = [&](Op op) {
        return std::ranges::any_of(text, [&](std::uint16_t word) { return word >> 8 == static_cast<int>(op); });
    };
    const Op op = has(Op::sys_) ? Op::sys_ : Op::ill_;
    std::vector<std::uint16_t> changed(text.begin(), text.end());
    for (const std::uint32_t at : places) changed[at] = static_cast<std::uint16_t>(static_cast<unsigned>(op) << 8);
    return changed;
}

std::uint32_t break_of(std::uint32_t stop, std::uint32_t pc) { return stop == MOG_STOP_SYS ? pc - 1 : pc; }

}  // namespace mog
