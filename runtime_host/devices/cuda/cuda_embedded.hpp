// cuda_embedded.hpp: machine code for CUDA devices that mogcc --device=cuda put into an image, in the products "cuda.sm_90" and so on
// (support/compilers/cuda_compiler.hpp), and the definitions that it was compiled with, in "cuda.definitions".
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "assembler/image/image.hpp"
#include "support/result.hpp"

namespace mog {

/// The definitions with which a program's CUDA interpreter is compiled for a run without options: " -DNAME ...". Error: the
/// program cannot run so.
Result<std::string> usual_cuda_definitions(const Image &image);

struct EmbeddedCuda {
    std::span<const std::uint8_t> code;  ///< what cuModuleLoadDataEx takes; the image's
    std::string name;                    ///< "sm_80", "compute_120"
};
/// What of it a device of this capability (10 * major + minor) runs, if it was compiled with these definitions: machine code of the
/// device's generation, the latest that it knows, else the latest PTX that it knows.
std::optional<EmbeddedCuda> find_embedded_cuda(const Image &image, int capability, std::string_view definitions);
/// True if there is such code for some definitions.
bool has_embedded_cuda(const Image &image, int capability);

}  // namespace mog
