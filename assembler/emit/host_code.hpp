// host_code.hpp: an image gets native code for the device `host`.
#pragma once

#include "assembler/image/image.hpp"
#include "support/compilers/host_compiler.hpp"
#include "support/result.hpp"

namespace mog {

/// Compiles the image's sources in C++, and gives it the products `host`, if the interpreter is wanted, and, if `lanes` is not none,
/// `lanes`.
Result<void> add_host_code(Image &image, const HostBuild &build, bool interpreter, Simd lanes);

/// About what g++ takes to compile an image's code for lanes, of one that has its source; in seconds of a processor, where compiler_speed
/// is 1.
double lanes_seconds(const Image &image);

}  // namespace mog
