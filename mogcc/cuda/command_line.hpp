// command_line.hpp: mogcuda's command line: clang's, with what nvcc's users write, or a program to run.
#pragma once

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "support/result.hpp"

namespace mog::cuda_driver {

enum class Wanted { help, version, architectures, machine_code, compile, run };

/// What clang compiles for, up to what libmogcuda says its device is.
inline constexpr std::array architectures = {50, 52, 53, 60, 61, 62, 70, 72, 75, 80};

struct CommandLine {
    Wanted wanted = Wanted::compile;

    // A compilation.
    std::vector<std::string> sources;      ///< in CUDA C++
    std::vector<std::string> compiling;    ///< options of all compilations, in order
    std::vector<std::string> device_only;  ///< of the kernels' alone
    std::vector<std::string> others;       ///< other inputs and options of the linker, in order; a source's place is an empty word
    std::string output;                    ///< -o; empty: not given
    std::string arch = "sm_80";
    bool links = true, to_ptx = false, print_only = false, verbose = false, save_temps = false;
    bool contracts = true;  ///< a * b + c in kernels may be one operation

    // A run.
    std::vector<std::pair<std::string, std::string>> variables;  ///< to be set
    std::vector<std::string> program;                            ///< and its arguments
};

/// Reads it, without the program's name. Errors are sentences for the user.
Result<CommandLine> parse_command_line(const std::vector<std::string> &arguments);

std::string help_text();

}  // namespace mog::cuda_driver
