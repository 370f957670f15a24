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
    std::vector<std::string> profiles;  ///< files of mogrun --profile, whose counts replace estimates
    std::string report;                 ///< file for the report of the search; empty: none
    GenerateOptions generate;
};

/// encode, search for an order, generate. The image's products are "opencl" and "cpp", the interpreter's source,
/// "order" and "slots". `notes` gets sentences about profiles that fit in part only.
Result<Image> assemble(const MogProgram &program, const AssembleOptions &options, std::vector<std::string> *notes = nullptr);

/// The last two steps, for an image that was encoded before: gives it its products.
Result<void> add_interpreters(Image &image, const AssembleOptions &options, std::vector<std::string> *notes = nullptr);

/// The search alone, with its profiles read and its report written.
Result<Order> find_order(const Image &image, const AssembleOptions &options, std::vector<std::string> *notes = nullptr);

}  // namespace mog
