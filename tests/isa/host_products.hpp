// host_products.hpp: what mogcc adds to an image for the device "host".
#pragma once

#include <string_view>

#include "assembler/image.hpp"
#include "support/result.hpp"

namespace mog::test {

/// The image's products "host" and, if there is code for them, "lanes", compiled as by mogcc; but any warning is an error.
/// `doubles`: native, pair or soft; empty for native.
Result<void> compile_host(Image &image, std::string_view doubles);

}  // namespace mog::test
