// fusion.hpp: which instructions of a program are fused into superinstructions, and where.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "assembler/image/image.hpp"
#include "assembler/profile/execution.hpp"

namespace mog {

struct FusionOptions {
    /// How many superinstructions there may be. None said: as many as pay, in a switch and in a sequence each by itself.
    std::optional<std::uint32_t> count;
    std::uint32_t parts = 160;  ///< how many instructions in all of them: what a compiler of the interpreter pays for
};

/// Superinstructions in the order in which they were found worth having, and what the first ones of them make of TEXT.
struct FusionPlan {
    struct Stage {
        std::size_t count = 0;            ///< of the superinstructions, the first ones
        std::vector<std::uint8_t> fused;  ///< as in Image; empty where count is 0
    };
    std::vector<Superinstruction> superinstructions;
    std::vector<Stage> stages;  ///< from none to all; never empty
};

/// Finds those that save most dispatches by these frequencies. At most `most` of them.
FusionPlan plan_fusion(const Image &image, const Execution &execution, const FusionOptions &options);

/// Gives the image the plan's superinstructions: all in the switch, in the sequence those of `stage`.
void fuse(Image &image, const FusionPlan &plan, std::size_t stage);

/// How often each TEXT index is dispatched on, when the program fused for `shape` runs with these frequencies: an
/// instruction that is reached as a part of another is not.
std::vector<double> dispatches(const Image &image, const Execution &execution, Shape shape);

/// Instructions executed for one dispatch, in the mean; 1 without superinstructions.
double instructions_per_dispatch(const Image &image, const Execution &execution, Shape shape);

}  // namespace mog
