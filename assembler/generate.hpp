// generate.hpp: the customised interpreter of a program, as source.
#pragma once

#include <string>
#include <string_view>

#include "assembler/block_plan.hpp"
#include "assembler/image.hpp"
#include "assembler/ordering.hpp"
#include "support/result.hpp"

namespace mog {

enum class Dialect : std::uint8_t {
    opencl,  ///< OpenCL C 1.2
    host,    ///< C++17, for the runtime's threads
    cuda,    ///< CUDA C++
};

struct GenerateOptions {
    std::string program_name =
        "program";  ///< for the comment at the top: no path, so that outputs do not depend on places
    const BlockPlan *blocks = nullptr;  ///< what the engine "blocks" has as compiled code; none if null
    bool unchecked = false;  ///< loads and stores do not ask whether an address is the PE's own: dangerous, and faster
};

/// Self-contained source: definitions made for the image, then the templates of interp_templates/, with the
/// subinterpreters in `order` and, for the engine "blocks", compiled code. The same arguments give the same source.
/// Error: `order` does not serve every instruction of the image.
Result<std::string> generate(const Image &image, Dialect dialect, const Order &order, const GenerateOptions &options);

/// The compiled code of the plan, for MOG_LANES PEs at once, as C++ of g++, for AVX-512, AVX2 or any processor, by the compiler's
/// options. It calls the interpreter that `generate` gives for the host, compiled with MOG_WARP as MOG_LANES.
Result<std::string> generate_lanes(const Image &image, const Order &order, const BlockPlan &plan, const GenerateOptions &options);

/// True if an instruction of the image computes in floats or doubles.
bool needs_floats(const Image &image);
/// True if an instruction of the image computes in doubles, which not every device can.
bool needs_doubles(const Image &image);
/// True if one reads or writes the FPU's control register: then the interpreter keeps roundings and exceptions.
bool keeps_fcsr(const Image &image);
/// The effects of which an instruction of the image has one if it may stop its PE.
std::uint16_t stop_effects(const Image &image);

}  // namespace mog
