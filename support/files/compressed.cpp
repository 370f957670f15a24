// compressed.cpp: zstd's frames, whole.
#include "support/files/compressed.hpp"

#include <zstd.h>

#include <new>

namespace mog {
namespace {

/// Higher levels take mogcc longer than what they save is worth.
constexpr int pack_level = 3;
/// Times as many bytes as are stored, and so many more, at most.
constexpr std::uint64_t most_ratio = 256, always_packed = 64 << 10;

bool is_plausible(std::uint64_t packed, std::uint64_t size) { return size <= always_packed || size / most_ratio <= packed; }

}  // namespace

std::optional<std::vector<std::uint8_t>> pack(std::span<const std::uint8_t> bytes) {
    std::vector<std::uint8_t> packed(ZSTD_compressBound(bytes.size()));
    // With so much room it fails for want of memory only, of which every other allocation here throws as well.
    const std::size_t stored = ZSTD_compress(packed.data(), packed.size(), bytes.data(), bytes.size(), pack_level);
    if (ZSTD_isError(stored)) throw std::bad_alloc();
    if (stored >= bytes.size() || !is_plausible(stored, bytes.size())) return {};
    packed.resize(stored);
    return packed;
}

std::optional<std::vector<std::uint8_t>> unpack(std::span<const std::uint8_t> packed, std::uint64_t size) {
    if (!is_plausible(packed.size(), size)) return {};
    std::vector<std::uint8_t> bytes(size);
    const std::size_t got = ZSTD_decompress(bytes.data(), bytes.size(), packed.data(), packed.size());
    if (ZSTD_isError(got) || got != size) return {};
    return bytes;
}

}  // namespace mog
