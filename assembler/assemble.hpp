// assemble.hpp: the whole way from a MOG program to an image that can run, as mogas and mogcc go it.
#pragma once

#include "assembler/generate.hpp"
#include "assembler/image.hpp"
#include "assembler/mog_program.hpp"
#include "assembler/order_search.hpp"
#include "support/result.hpp"

namespace mog {

struct AssembleOptions {
    OrderOptions order;
    GenerateOptions generate;
};

/// encode, search for an order, generate. The image's products are "opencl" and "cpp", the interpreter's source, and
/// "order".
Result<Image> assemble(const MogProgram &program, const AssembleOptions &options);

/// The last two steps, for an image that was encoded before: gives it its products.
Result<void> add_interpreters(Image &image, const AssembleOptions &options);

}  // namespace mog
