// image_target.cpp: any bytes as an image file and as an executable. What is accepted must be safe to run: devices do not check
// again. So must be what the disassembler makes of it.
#include <sys/mman.h>
#include <unistd.h>

#include <span>

#include "assembler/image/encode.hpp"
#include "assembler/text/parse.hpp"
#include "assembler/text/print.hpp"
#include "support/files/hash.hpp"
#include "tests/fuzz/targets/target.hpp"

namespace {

/// The bytes as a file: load_image() looks for a trailer at its end.
mog::Result<mog::Image> load_as_file(const std::uint8_t *data, std::size_t size) {
    static const int file = memfd_create("image", MFD_CLOEXEC);
    mog::fuzz::require(ftruncate(file, 0) == 0 && pwrite(file, data, size, 0) == static_cast<ssize_t>(size), "no file");
    return mog::load_image(fmt::format("/proc/self/fd/{}", file));
}

void put_u64(std::uint8_t *at, std::uint64_t value) {
    for (int i = 0; i < 8; ++i) at[i] = static_cast<std::uint8_t>(value >> (8 * i));
}

}  // namespace

/// The header of docs/image.md: file size at 16, checksum at 24, of all but itself.
extern "C" void mog_fuzz_repair(std::uint8_t *data, std::size_t size) {
    if (size < 32) return;
    put_u64(data + 16, size);
    put_u64(data + 24, mog::fnv1a(std::span(data + 32, size - 32), mog::fnv1a(std::span(data, 24))));
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size) {
    using mog::fuzz::require;
    const auto image = load_as_file(data, size);
    if (!image) {
        require(!image.error().message.empty(), "an error without a sentence");
        require(!mog::read_image({data, size}), "read_image and load_image disagree");
        return 0;
    }
    mog::fuzz::use_image(*image);
    // The disassembly is text. What of it the parser refuses (a label twice, say) is no image of encode().
    const auto again = mog::parse(mog::print(mog::disassemble(*image)), "text");
    if (!again) require(!again.error().message.empty(), "an error without a sentence");
    return 0;
}
