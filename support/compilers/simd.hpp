// simd.hpp: instruction sets that code for lanes, several PEs at once, can be compiled for.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace mog {

/// Each processor that has one of them has those before it.
enum class Simd : std::uint8_t {
    none,
    portable,  ///< what every processor of this machine's kind has
    avx2,      ///< x86-64-v3
    avx512,    ///< x86-64-v4
};

/// As options, variables and images have it.
const char *name_of(Simd simd);
std::optional<Simd> simd_named(std::string_view name);

/// As processors' makers have it, to say what one lacks.
const char *title_of(Simd simd);

/// What compilers are told for it; nullptr for what they take anyway.
const char *machine_option(Simd simd);

/// Whether this machine's processor is one that mogrun compiles code for while a program runs, and $MOG_NATIVE is not "none".
bool compiles_while_running();

/// The best that this machine's processor has, or $MOG_SIMD if that is less.
Simd best_simd();

}  // namespace mog
