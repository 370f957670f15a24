// assemble.hpp: the whole way from a MOG program to an image that can run, as mogas and mogcc go it.
#pragma once

#include "assembler/blocks/block_plan.hpp"
#include "assembler/emit/generate.hpp"
#include "assembler/image/image.hpp"
#include "assembler/ir/mog_program.hpp"
#include "assembler/order/fusion_choice.hpp"
#include "assembler/order/order_search.hpp"
#include "support/result.hpp"

namespace mog {

struct AssembleOptions {
    FusionOptions fusion;
    OrderOptions order;
    BlockOptions blocks;
    std::vector<std::string> profiles;  ///< files of mogrun --profile, whose counts replace estimates
    std::string costs;                  ///< file of mogrun --calibrate, whose costs replace estimates; empty: none
    std::uint32_t lanes = 0;            ///< PEs of a warp that go their own ways; 0: as the costs say
    std::string report;                 ///< file for the report of the search; empty: none
    GenerateOptions generate;
};

/// encode, choose superinstructions, search for an order, generate. The image's products are "opencl", "cuda" and "cpp", the
/// interpreter's source, "order", "slots" and, if code is compiled, "entries", "parts" and perhaps "kernel_entries"; and "tiers", unless
/// options decide what kernels have compiled. `notes` gets sentences about profiles that fit in part only.
Result<Image> assemble(const MogProgram &program, const AssembleOptions &options, std::vector<std::string> *notes = nullptr);

/// The last three steps, for an image that was encoded before: gives it its products.
Result<void> add_interpreters(Image &image, const AssembleOptions &options, std::vector<std::string> *notes = nullptr);

/// What an interpreter is fitted to its program by.
struct Fit {
    Order order;
    BlockPlan blocks;   ///< for the C++ source
    BlockPlan kernels;  ///< and for the others
    BlockPlan lanes;    ///< what is compiled for several PEs at once
};
/// The choice of superinstructions, which the image gets, and the searches alone, with profiles read and the report of the
/// order written.
Result<Fit> fit(Image &image, const AssembleOptions &options, std::vector<std::string> *notes = nullptr);

}  // namespace mog
