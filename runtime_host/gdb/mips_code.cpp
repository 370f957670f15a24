// mips_code.cpp: see mips_code.hpp.
#include "runtime_host/gdb/mips_code.hpp"

#include <elf.h>

#include <algorithm>
#include <cstring>

namespace mog::gdb {

MipsCode::MipsCode(const Image &image) : file_(image.products.bytes(ProductKind::elf)) {
    Elf32_Ehdr header{};
    if (file_.size() < sizeof header) return;
    std::memcpy(&header, file_.data(), sizeof header);
    for (std::size_t i = 0; i < header.e_phnum; i++) {
        Elf32_Phdr segment{};
        const std::size_t at = header.e_phoff + i * sizeof segment;
        if (at > file_.size() || file_.size() - at < sizeof segment) return;
        std::memcpy(&segment, file_.data() + at, sizeof segment);
        if (segment.p_type != PT_LOAD || (segment.p_flags & PF_X) == 0) continue;
        if (segment.p_offset > file_.size() || file_.size() - segment.p_offset < segment.p_filesz) continue;
        segments_.push_back({segment.p_vaddr, file_.subspan(segment.p_offset, segment.p_filesz)});
    }
}

std::span<const std::uint8_t> MipsCode::at(std::uint32_t address, std::uint32_t length) const {
    for (const Segment &segment : segments_) {
        const std::uint32_t offset = address - segment.address;
        if (address < segment.address || offset >= segment.bytes.size()) continue;
        return segment.bytes.subspan(offset, std::min<std::size_t>(length, segment.bytes.size() - offset));
    }
    return {};
}

}  // namespace mog::gdb
