// host_compiler.cpp: the parts and their flags.
#include "support/host_compiler.hpp"

#include <cstdlib>
#include <iterator>

namespace mog {
namespace {

// As dialect_host.h asks.
constexpr const char *all_flags[] = {"-w", "-fPIC", "-ffp-contract=off", "-fwrapv", "-fno-strict-aliasing"};

// A processor core runs a PE at a time, so a switch. Its cases aligned: where they come to lie makes a difference of up to
// a fifth otherwise.
const std::vector<std::string> interpreter_flags = {"-O2", "-falign-labels=32", "-DMOG_ENGINE_SWITCH"};

std::vector<std::string> with(std::vector<std::string> flags, std::initializer_list<const char *> more) {
    flags.insert(flags.end(), more.begin(), more.end());
    return flags;
}

}  // namespace

std::vector<HostLibrary> host_libraries(bool has_blocks, bool has_lanes) {
    std::vector<HostLibrary> libraries;
    if (!has_blocks) {
        libraries.push_back({"host", {{"cpp", "interpreter", interpreter_flags}}});
    } else {
        libraries.push_back({"host",
                             {{"cpp", "interpreter", with(interpreter_flags, {"-DMOG_ENGINE_BLOCKS", "-DMOG_ONLY_INTERPRETER"})},
                              {"cpp", "blocks", {"-O2", "-DMOG_ENGINE_BLOCKS", "-DMOG_ONLY_BLOCKS"}}}});
    }
    if (has_lanes)
        libraries.push_back({"lanes",
                             {{"lanes.cpp", "lanes", {"-O1", "-march=x86-64-v4"}},
                              {"cpp", "lanes_interpreter", with(interpreter_flags, {"-DMOG_ENGINE_LANES", "-DMOG_WARP=16u"})}}});
    return libraries;
}

bool runs_lanes() {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
           __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
#else
    return false;
#endif
}

std::string host_compiler() {
    const char *named = std::getenv("MOG_CXX");
    return named ? named : "c++";
}

Command compile_part(Command compiler, const HostLibrary::Part &part, std::string_view doubles, const std::string &source,
                     const std::string &object) {
    compiler.insert(compiler.end(), std::begin(all_flags), std::end(all_flags));
    compiler.insert(compiler.end(), part.flags.begin(), part.flags.end());
    if (doubles == "pair") compiler.push_back("-DMOG_DOUBLE_PAIR");
    if (doubles == "soft") compiler.push_back("-DMOG_DOUBLE_SOFT");
    compiler.insert(compiler.end(), {"-x", "c++", "-c", source, "-o", object});
    return compiler;
}

Command link_library(Command compiler, const std::vector<std::string> &objects, const std::string &library) {
    compiler.push_back("-shared");
    compiler.insert(compiler.end(), objects.begin(), objects.end());
    compiler.insert(compiler.end(), {"-o", library});
    return compiler;
}

}  // namespace mog
