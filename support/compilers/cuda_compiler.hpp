// cuda_compiler.hpp: nvcc makes machine code of a program's CUDA source, for GPUs of named architectures.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "support/result.hpp"
#include "support/subprocess.hpp"

namespace mog {

/// What nvcc compiles for: machine code of an architecture, or PTX, which drivers compile for that architecture or any later one.
struct CudaTarget {
    bool machine = true;
    int number = 0;  ///< 10 * major + minor: 90

    /// As nvcc has it: "sm_90", "compute_120".
    std::string name() const;
    auto operator<=>(const CudaTarget &) const = default;
};
/// The target of that name, which may be one of nvcc's or not. An error if it is not written like one.
Result<CudaTarget> read_cuda_target(std::string_view name);

/// nvcc, perhaps with options: $MOG_NVCC, else from PATH, else where toolkits are installed. Error: there is none, and what to do.
Result<Command> find_nvcc();

/// All that this nvcc compiles for.
Result<std::vector<CudaTarget>> known_cuda_targets(const Command &nvcc);

/// What a list such as "sm_80,sm_90,compute_90" names, without repetitions. "all" stands for every architecture from sm_75 on,
/// "all-major" for the first one of each generation, whose code the later ones run too; both with PTX of the last one. Error: what is not
/// known, and what is.
Result<std::vector<CudaTarget>> choose_cuda_targets(std::string_view list, std::span<const CudaTarget> known);
inline constexpr std::string_view usual_cuda_targets = "all-major";

struct CudaCodeBuild {
    Command nvcc;
    std::vector<CudaTarget> targets;
    std::string definitions;  ///< options of the compiler: " -DNAME ..."
    std::function<void(const Command &)> show = [](const Command &) {};
};
/// Shows the commands alone, with names as if they were run in one folder.
void show_cuda_build(const CudaCodeBuild &build);
/// The code of each target, in their order, made of the source by as many compilers at once as there are processors. PTX ends in NUL, as
/// drivers want it.
Result<std::vector<std::vector<std::uint8_t>>> build_cuda_code(const CudaCodeBuild &build, std::span<const std::uint8_t> source);

}  // namespace mog
