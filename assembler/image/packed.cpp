// packed.cpp: image files compressed by zstd.
#include "assembler/image/packed.hpp"

#include <fmt/format.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <new>

namespace mog {
namespace {

constexpr char packed_magic[8] = "MOGPACK";
constexpr std::size_t packed_head_size = sizeof packed_magic + sizeof(std::uint64_t);
/// Higher levels take mogcc longer than what they save is worth.
constexpr int packed_level = 3;
/// Images are smaller: they have 16 bits for each instruction, and addresses of 32.
constexpr std::uint64_t packed_most = std::uint64_t{4} << 30;

struct ImageDecompressor {
    ZSTD_DStream *stream = ZSTD_createDStream();
    ImageDecompressor() = default;
    ImageDecompressor(const ImageDecompressor &) = delete;
    ImageDecompressor &operator=(const ImageDecompressor &) = delete;
    ~ImageDecompressor() { ZSTD_freeDStream(stream); }
};

}  // namespace

std::vector<std::uint8_t> pack_image(std::span<const std::uint8_t> file) {
    std::vector<std::uint8_t> packed(packed_head_size + ZSTD_compressBound(file.size()));
    const std::uint64_t size = file.size();
    std::memcpy(packed.data(), packed_magic, sizeof packed_magic);
    std::memcpy(packed.data() + sizeof packed_magic, &size, sizeof size);
    // With so much room it fails for want of memory only, of which every other allocation here throws as well.
    const std::size_t stored =
        ZSTD_compress(packed.data() + packed_head_size, packed.size() - packed_head_size, file.data(), file.size(), packed_level);
    if (ZSTD_isError(stored)) throw std::bad_alloc();
    packed.resize(packed_head_size + stored);
    return packed;
}

bool is_packed_image(std::span<const std::uint8_t> bytes) {
    return bytes.size() >= sizeof packed_magic && std::memcmp(bytes.data(), packed_magic, sizeof packed_magic) == 0;
}

Result<std::vector<std::uint8_t>> unpack_image(std::span<const std::uint8_t> bytes) {
    std::uint64_t size = 0;
    if (bytes.size() < packed_head_size)
        return Error{fmt::format("the image is cut short: its {} bytes do not hold a header", bytes.size()), {}};
    std::memcpy(&size, bytes.data() + sizeof packed_magic, sizeof size);
    if (size > packed_most) return Error{fmt::format("the image is damaged: it says that it has {} bytes", size), {}};
    const ImageDecompressor decompressor;
    std::vector<std::uint8_t> file;
    ZSTD_inBuffer in{bytes.data(), bytes.size(), packed_head_size};
    std::size_t left = 1;
    // By pieces, for what a damaged one says about its size need not be there.
    while (left != 0 && file.size() < size) {
        const std::size_t have = file.size();
        file.resize(std::min<std::uint64_t>(size, std::max<std::uint64_t>(2 * have, std::uint64_t{8} << 20)));
        ZSTD_outBuffer out{file.data(), file.size(), have};
        while (out.pos < out.size && left != 0) {
            const std::size_t before_in = in.pos, before_out = out.pos;
            left = ZSTD_decompressStream(decompressor.stream, &out, &in);
            if (ZSTD_isError(left) || (in.pos == before_in && out.pos == before_out && left != 0))
                return Error{"the image is damaged: it cannot be decompressed", {}};
        }
        file.resize(out.pos);
    }
    // A frame that is read to its end, of the size that is said, with nothing behind it.
    if (left != 0 && file.size() == size) {
        ZSTD_outBuffer none{nullptr, 0, 0};
        left = ZSTD_decompressStream(decompressor.stream, &none, &in);
    }
    if (left != 0 || file.size() != size || in.pos != in.size) return Error{"the image is damaged: it has the wrong size", {}};
    return file;
}

}  // namespace mog
