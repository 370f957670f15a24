// host_products.cpp: as mogcc does it, with a compiler that warns.
#include "tests/isa/host_products.hpp"

#include <fmt/format.h>

#include "assembler/blocks/block_plan.hpp"
#include "assembler/emit/host_code.hpp"

namespace mog::test {

Result<void> compile_host(Image &image, std::string_view doubles, const std::vector<std::string> &options) {
    Command compiler{"g++"};
    compiler.insert(compiler.end(), options.begin(), options.end());
    const HostBuild build{compiler, std::string(doubles), {"-std=c++17", "-Wall", "-Wextra", "-Werror"}};
    return add_host_code(image, build, true, simd_of(image));
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
