// simd.cpp: what the processor has.
#include "support/compilers/simd.hpp"

#include <algorithm>
#include <cstdlib>
#include <iterator>

namespace mog {
namespace {

struct Row {
    const char *name, *title, *machine_option;
};
constexpr Row rows[] = {{"none", "no vectors", nullptr},
                        {"portable", "no vectors", nullptr},
                        {"avx2", "AVX2", "-march=x86-64-v3"},
                        {"avx512", "AVX-512", "-march=x86-64-v4"}};

Simd of_processor() {
#if defined(__x86_64__)
    const bool v3 =
        __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma");
    if (v3 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512cd") &&
        __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
        return Simd::avx512;
    if (v3) return Simd::avx2;
#endif
    return Simd::portable;
}

}  // namespace

const char *name_of(Simd simd) { return rows[static_cast<std::size_t>(simd)].name; }

const char *title_of(Simd simd) { return rows[static_cast<std::size_t>(simd)].title; }

const char *machine_option(Simd simd) { return rows[static_cast<std::size_t>(simd)].machine_option; }

std::optional<Simd> simd_named(std::string_view name) {
    const auto row = std::ranges::find(rows, name, &Row::name);
    if (row == std::end(rows)) return {};
    return static_cast<Simd>(row - rows);
}

bool compiles_while_running() {
#if defined(__x86_64__)
    const char *named = std::getenv("MOG_NATIVE");
    return (!named || std::string_view(named) != "none") && __builtin_cpu_supports("avx") && __builtin_cpu_supports("bmi2") &&
           __builtin_cpu_supports("lzcnt");
#else
    return false;
#endif
}

Simd best_simd() {
    const Simd has = of_processor();
    const char *named = std::getenv("MOG_SIMD");
    return named ? std::min(has, simd_named(named).value_or(has)) : has;
}

}  // namespace mog
