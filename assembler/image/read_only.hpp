// read_only.hpp: what of the program's own data PEs may only read: the image's product "read_only". Stores are asked for it by whoever
// executes them (vocabulary.h), and by calls of the system.
#pragma once

#include "assembler/image/image.hpp"

namespace mog {

ReadOnlyData read_only_of(const Image &image);
void set_read_only(Image &image, const ReadOnlyData &data);

}  // namespace mog
