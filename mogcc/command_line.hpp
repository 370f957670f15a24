// command_line.hpp: mogcc's command line, which is gcc's and a few options more.
//
// mogcc needs to know little of it: which words are its own, whether gcc goes as far as linking, and where the output goes.
// All else is gcc's affair and is handed on as it stands, so that gcc's options mean what gcc says, known to us or not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "assembler/assemble.hpp"
#include "assembler/emit/drop_in.hpp"
#include "support/result.hpp"

namespace mog {

/// What becomes of Cilk's constructs. none: gcc sees them.
enum class Cilk { none, steal, channels, serial, openmp };

/// What is written at the end.
enum class Emit { executable, elf, mog, image, sources };

struct CommandLine {
    std::vector<std::string> gcc_arguments;  ///< for gcc, in order, without -o
    std::string output;                      ///< -o; empty: not given

    std::vector<std::string> left_out;      ///< options for other processors
    std::vector<std::string> input_files;   ///< inputs whose kind is told by themselves, in order
    std::vector<std::size_t> input_places;  ///< of all inputs but libraries (-l), in gcc_arguments

    bool inputs = false;          ///< there is at least one
    bool asks = false;            ///< for something that gcc knows without inputs (-dumpmachine, -print-...)
    bool strip = false;           ///< the program has neither names nor source lines
    std::string first_input;      ///< its name, without folders; empty if there is none but libraries
    bool cxx_inputs = false;      ///< at least one is C++
    bool cxx_driver = false;      ///< called by a name that ends with ++ or cxx: .c is C++ too, and the library is linked in any case
    bool fortran_inputs = false;  ///< at least one is Fortran
    bool fortran_driver = false;  ///< called by a name that ends with fortran, fort, f77 or f90: the library is linked in any case
    bool mpi_fortran = false;  ///< by a name of MPI's compilers for Fortran: what mpif.h leaves undeclared may have arguments of any type
    bool exceptions = false;   ///< -fexceptions is asked for
    bool links = true;         ///< false: gcc stops earlier (-c, -S, -E, -M, -fsyntax-only)
    bool relocatable = false;  ///< -r: links to an object
    bool print_only = false;   ///< -###
    bool verbose = false;      ///< -v
    bool save_temps = false;
    bool standard_includes = true;  ///< no -nostdinc
    bool startup_files = true;      ///< no -nostartfiles, no -nostdlib
    bool default_libraries = true;  ///< no -nodefaultlibs, no -nostdlib

    bool checks_memory = false;  ///< -fsanitize=address: mogrun shall
    Cilk cilk = Cilk::none;
    Emit emit = Emit::executable;
    std::vector<SourceKind> sources;  ///< for Emit::sources: which
    std::vector<std::string> dump_after, without_pass;
    bool for_host = true, for_cuda = false;  ///< --device: for which processors there is machine code
    std::string cuda_targets;                ///< --cuda-arch; empty: not given
    bool unchecked = false;                  ///< kernels that trust the program's addresses
    std::string doubles;                     ///< --double: native, pair or soft; empty: not given
    AssembleOptions assemble;                ///< of the order of subinterpreters
    bool list_passes = false, help = false, version = false;
};

/// What gcc does with an input of this name: compile it (not Fortran, where one may need what another one makes), give it to the linker, or
/// something else, perhaps.
enum class InputKind { source, linked, other };
InputKind kind_of_input(std::string_view name);

/// True of a program that was called by such a name, as mogc++ and mpicxx, also with a path: it compiles C++.
inline bool is_cxx_driver(std::string_view name) { return name.ends_with("++") || name.ends_with("cxx"); }

/// The same of names such as mogfortran, mogmpifort and mpif90.
inline bool is_fortran_driver(std::string_view name) {
    return name.ends_with("fortran") || name.ends_with("fort") || name.ends_with("f77") || name.ends_with("f90");
}

/// Reads a command line; `name`: what the program was called by, also with a path. Response files (@file) are read here. An error is a
/// sentence for the user.
Result<CommandLine> parse_command_line(std::string_view name, const std::vector<std::string> &arguments);

/// The text of --help.
std::string help_text();

}  // namespace mog
