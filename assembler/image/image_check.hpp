// image_check.hpp: what every image promises to those who run it.
#pragma once

#include "assembler/image/image.hpp"

namespace mog {

/// Error unless the image is whole and consistent: sizes agree, every opcode and register exists, every jump and
/// constant stays inside, execution cannot run off the end of TEXT. Devices rely on it and check nothing again.
Result<void> check_image(const Image &image);

}  // namespace mog
