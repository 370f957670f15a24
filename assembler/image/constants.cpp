// constants.cpp: the hash of vocabulary.h, and no other.
#include "assembler/image/constants.hpp"

namespace mog {
namespace {
// Only the preprocessor's part of the vocabulary is used here: the macro MOG_CPOOL_HASH.
#include "interp_templates/kernels/vocabulary.h"

// A PE's pc is already that of the next instruction when it looks up the constant.
std::uint32_t hash(std::uint32_t index, std::uint16_t word) { return MOG_CPOOL_HASH(index + 1u, static_cast<std::uint32_t>(word)); }
}  // namespace

std::uint32_t constant_slot(std::uint32_t index, std::uint16_t word, std::uint32_t shift) { return hash(index, word) >> shift; }

std::uint32_t constant_at(const Image &image, std::size_t index) {
    return image.cpool[constant_slot(static_cast<std::uint32_t>(index), image.text[index], image.cpool_shift)];
}

}  // namespace mog
