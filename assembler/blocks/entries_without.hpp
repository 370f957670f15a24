// entries_without.hpp: compiled blocks that are left out, while others stay in use.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "assembler/image/image.hpp"

namespace mog {

/// A table of entries to compiled blocks (block_plan.hpp) without those of the groups in which one of these places, TEXT indices, is:
/// who comes there is in the interpreter, then. `compiled`: compiled_places() of the table's blocks, if the image says; else more
/// groups than need be are left out.
std::vector<std::uint32_t> entries_without(const Image &image, std::span<const std::uint32_t> entries, const std::vector<bool> &compiled,
                                           std::span<const std::uint32_t> places);

}  // namespace mog
