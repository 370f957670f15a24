// toolchain.hpp: where the programs and folders are that mogcc needs.
//
// Found relative to mogcc itself, in a build folder and in an installation alike; environment variables have the last word.
#pragma once

#include <filesystem>
#include <string>

#include "support/result.hpp"
#include "support/subprocess.hpp"

namespace mog {

/// The environment variables that change what is found; columns: name, what it is (for --help).
#define MOG_TOOLCHAIN_VARIABLES(X)                                                                                 \
    X("MOG_CROSS", "prefix of the MIPS compiler's programs (default: mipsel-linux-gnu-)")                          \
    X("MOG_CXX", "this machine's C++ compiler, for --build-time and --simd (default: c++; empty: do without)")     \
    X("MOG_COMPILER_SPEED", "how many times as fast that is as --build-time counts on (default: measured, once)")  \
    X("MOG_NVCC", "nvcc of the CUDA Toolkit, for --device=cuda (default: from PATH, $CUDA_HOME, /usr/local/cuda)") \
    X("MOG_SYSROOT", "folder with include/ and lib/ that programs are built with (default: beside mogcc)")         \
    X("MOG_LAUNCHER", "the program that every executable begins with (default: mogrun beside mogcc)")              \
    X("TMPDIR", "folder for temporary files (default: /tmp)")

struct Toolchain {
    std::string cross;           ///< prefix: mipsel-linux-gnu-
    std::string host_compiler;   ///< empty: none wanted
    std::filesystem::path self;  ///< mogcc
    std::filesystem::path sysroot;
    std::filesystem::path launcher;

    std::string gcc() const { return cross + "gcc"; }
    std::string gfortran() const { return cross + "gfortran"; }
    std::string gxx() const { return cross + "g++"; }
    std::filesystem::path lib(const char *name) const { return sysroot / "lib" / name; }
};

/// What the names of the MIPS compiler's programs begin with.
std::string cross_prefix();

/// Finds everything; an error if the cross compiler or the sysroot is missing (the rest is missed only where it is needed).
Result<Toolchain> find_toolchain();

}  // namespace mog
