// analyze.hpp: what mogas --analyze, --simulate and --allocate do: programs and kernels analysed, run on the u-SIMD machine, and given
// registers there.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "assembler/divergence/kernel.hpp"
#include "assembler/divergence/thread_shape.hpp"
#include "assembler/ir/mog_program.hpp"
#include "support/result.hpp"

namespace mog {

/// The words behind --analyze=divergence.
struct AnalyzeOptions {
    enum class Format : std::uint8_t { text, json, html };
    unsigned degree = 2;
    Format format = Format::text;
    std::vector<std::string> functions;  ///< empty: all; of a MOG program those with lines, if any has
    bool is_exact = false;               ///< of PTX: sums and products of 32 bits do not wrap
    divergence::ThreadShape shape;
    bool has_block = false;  ///< the words say what blocks are like
};
/// "divergence,affine,json": an Error says which word is none.
Result<AnalyzeOptions> read_analyze_options(std::string_view words);
/// What the words mean, for --help.
std::string_view analyze_help();

/// The report on a program. `input`: its name, for messages.
Result<std::string> analyze(const MogProgram &program, const std::string &input, const AnalyzeOptions &options);
/// On a text of the u-SIMD machine.
Result<std::string> analyze_usimd(std::string_view text, const std::string &input, const AnalyzeOptions &options);

/// A kernel of some front end, and what has to hold beside what the analysis itself assumes: sentences without their ends.
struct AnalyzedKernel {
    divergence::Kernel kernel;
    std::vector<std::string> hypotheses;
};
/// On kernels whose text is `text`.
Result<std::string> analyze_kernels(const std::vector<AnalyzedKernel> &kernels, std::string_view text, const std::string &input,
                                    const AnalyzeOptions &options);

struct SimulateOptions {
    std::uint32_t threads = 4, warp = 32;
    bool trace = false;
};
/// Runs a text of the u-SIMD machine: the cells that it leaves; with `trace`, each step before.
Result<std::string> simulate_usimd(std::string_view text, const std::string &input, const SimulateOptions &options);

/// Gives a text of the u-SIMD machine registers: the text with them and with spill code, and what of that a run executes. `allocator`:
/// linear, divergent, rematerialising or affine.
Result<std::string> allocate_usimd(std::string_view text, const std::string &input, std::string_view allocator, unsigned registers,
                                   const SimulateOptions &options);
/// The names of the allocators.
std::vector<std::string> allocator_names();

/// Whether a file's name says that it is a text of the u-SIMD machine.
bool is_usimd_name(std::string_view path);

}  // namespace mog
