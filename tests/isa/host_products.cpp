// host_products.cpp: as mogcc does it, with a compiler that warns.
#include "tests/isa/host_products.hpp"

#include <fmt/format.h>

#include <cstdlib>

#include "assembler/blocks/block_plan.hpp"
#include "assembler/emit/host_code.hpp"

namespace mog::test {

Result<void> compile_host(Image &image, std::string_view doubles, const std::optional<LaneSet> &lanes, HostParts parts) {
    const char *const chosen = std::getenv("MOG_CXX");
    Command compiler{chosen && *chosen ? chosen : "g++"};
    if (lanes) compiler.insert(compiler.end(), lanes->options.begin(), lanes->options.end());
    const HostBuild build{compiler, std::string(doubles), {"-std=c++17", "-Wall", "-Wextra", "-Werror"}};
    return add_host_code(image, build, parts == HostParts::all, simd_of(image));
}

std::optional<LaneSet> lane_set(std::string_view name) {
    if (name == "generic") return LaneSet{Simd::portable, {"-U__SSE2__"}};
    const std::optional<Simd> simd = simd_named(name);
    if (!simd || *simd == Simd::none) return {};
    return LaneSet{*simd, {}};
}

bool runs_here(const LaneSet &set) {
    if (set.simd <= best_simd()) return true;
    fmt::print("skipped: this processor has no {}\n", title_of(set.simd));
    return false;
}

}  // namespace mog::test
