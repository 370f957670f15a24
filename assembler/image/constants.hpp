// constants.hpp: the paper's hashed constant pool, as the host sees it. The hash itself stands in vocabulary.h.
#pragma once

#include <cstdint>

#include "assembler/image/image.hpp"

namespace mog {

/// The slot of the constant that the instruction word `word` at TEXT index `index` uses.
std::uint32_t constant_slot(std::uint32_t index, std::uint16_t word, std::uint32_t shift);

/// The constant of the instruction at TEXT index `index`, which must have one (operand kind Const or Label).
std::uint32_t constant_at(const Image &image, std::size_t index);

}  // namespace mog
