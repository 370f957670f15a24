// target.hpp: what the fuzz targets share. A target is a function that takes any bytes and must neither crash, hang nor take
// much memory. libFuzzer calls it (CMake option MOG_FUZZERS, clang); replay_main.cpp calls it with files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include <fmt/format.h>

#include "assembler/image/image.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size);

/// Makes sizes and checksums fit the bytes again where the format has some, so that damage gets beyond them. The target of images
/// has one; elsewhere nothing is done.
extern "C" void mog_fuzz_repair(std::uint8_t *data, std::size_t size);

namespace mog::fuzz {

/// What must hold, whatever the input is. Otherwise the process ends as it does in a crash.
inline void require(bool holds, std::string_view what) {
    if (holds) return;
    fmt::print(stderr, "fuzz target: {}\n", what);
    std::abort();
}

/// Does with an image that was accepted what tools and devices do: writes and reads it, estimates its profile, for some images
/// generates its interpreters, and runs two PEs for some thousand instructions on the reference machine. System calls are not
/// served: they end the run.
void use_image(const Image &image);

}  // namespace mog::fuzz
