// emulated_image.hpp: how what NVRTC made begins. A shared object follows.
#pragma once

#include <cstdint>

namespace mog_emulation {

struct ImageHeader {
    char magic[8];  // one of these two, without their zero
    std::uint32_t arch;
    std::uint32_t nvrtc;
    std::uint64_t bytes;
};
inline constexpr char cubin_magic[] = "EMUCUBIN";
inline constexpr char ptx_magic[] = "EMU-PTX-";

}  // namespace mog_emulation
