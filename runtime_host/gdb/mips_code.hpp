// mips_code.hpp: the MIPS program of an image, as gdb wants to see it: its file, and its code in memory.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "assembler/image/image.hpp"

namespace mog::gdb {

class MipsCode {
public:
    MipsCode() = default;
    explicit MipsCode(const Image &image);

    /// The ELF file; empty if the image does not have it.
    std::span<const std::uint8_t> file() const { return file_; }
    /// Bytes of what can be executed, from an address on, so many or as many as there are.
    std::span<const std::uint8_t> at(std::uint32_t address, std::uint32_t length) const;

private:
    struct Segment {
        std::uint32_t address = 0;
        std::span<const std::uint8_t> bytes;
    };
    std::span<const std::uint8_t> file_;
    std::vector<Segment> segments_;
};

}  // namespace mog::gdb
