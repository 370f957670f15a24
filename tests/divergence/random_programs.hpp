// random_programs.hpp: random programs of the u-SIMD machine, for tests and for bench/divergence.
#pragma once

#include <string>

#include "assembler/usimd/usimd_text.hpp"
#include "support/random.hpp"

namespace mog::test {

enum class Style : std::uint8_t {
    structured,    ///< ifs, loops tested at their begin or end, with breaks
    unstructured,  ///< any graph
};

struct RandomKernel {
    Style style = Style::structured;
    bool wraps = false;       ///< variables of 32 bits, sums that wrap; else integers without end
    bool has_stores = true;   ///< and atomics: else memory is as it was at the begin
    bool has_lanes = true;    ///< reads numbers of lanes
    bool is_calm = false;     ///< only some branches read numbers of threads: all else is uniform, but for what these branches do
    bool has_guards = false;  ///< loops that are tested at their end can be gone around, so that ways meet where these are left
};

/// A kernel of a few blocks over a few variables, that reads and writes a few cells.
usimd::Program random_program(Random &random, const RandomKernel &kind);
/// As a text that the parser reads, for messages.
std::string text_of(const usimd::Program &program);

}  // namespace mog::test
