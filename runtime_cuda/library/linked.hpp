// linked.hpp: several PTX texts as one, in which functions and variables of one are what others have declared.
#pragma once

#include <span>
#include <string>

#include "support/result.hpp"

namespace mog::cuda {

struct PtxInput {
    std::string text, name;  ///< the name is for messages
};

/// Names that a text has for itself alone stay its own. Errors: what two of them define, or what one declares and none defines.
Result<std::string> link_ptx(std::span<const PtxInput> inputs);

}  // namespace mog::cuda
