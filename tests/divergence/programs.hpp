// programs.hpp: programs of the u-SIMD machine for the tests: from texts, and random ones.
#pragma once

#include <doctest/doctest.h>

#include <string>

#include "assembler/divergence/analysis.hpp"
#include "assembler/usimd/machine.hpp"
#include "support/files/files.hpp"
#include "support/random.hpp"

namespace mog::test {

inline usimd::Program program_of(std::string_view text) {
    auto program = usimd::parse(text, "test.usimd");
    INFO((program ? std::string() : program.error().text()));
    REQUIRE(static_cast<bool>(program));
    return std::move(*program);
}

inline usimd::Program example(const std::string &name) {
    const auto text = read_text_file(std::string(MOG_DIVERGENCE_EXAMPLES) + "/" + name);
    REQUIRE(static_cast<bool>(text));
    return program_of(*text);
}

inline divergence::Variable variable_called(const divergence::Kernel &kernel, std::string_view name) {
    for (divergence::Variable variable = 0; variable < kernel.variables.size(); ++variable)
        if (kernel.variables[variable].name == name) return variable;
    FAIL("no variable " << name);
    return 0;
}

/// The value that the instruction defines that stands in this line, or that its operand reads.
inline divergence::ValueIndex defined_in(const divergence::SsaForm &form, std::uint32_t line) {
    for (divergence::BlockIndex b = 0; b < form.kernel.blocks.size(); ++b)
        for (std::size_t i = 0; i < form.kernel.blocks[b].code.size(); ++i)
            if (form.kernel.blocks[b].code[i].place.line == line) return form.result_of(b, i);
    FAIL("nothing in line " << line);
    return 0;
}

/// What is known of an operand of the instruction in this line, where it is read.
inline divergence::Fact read_in(const divergence::Analysis &analysis, std::uint32_t line, std::size_t operand) {
    const divergence::SsaForm &form = analysis.form();
    for (divergence::BlockIndex b = 0; b < form.kernel.blocks.size(); ++b)
        for (std::size_t i = 0; i < form.kernel.blocks[b].code.size(); ++i)
            if (form.kernel.blocks[b].code[i].place.line == line)
                return analysis.fact_at(form.read_by(b, i, operand), form.reading_of(b, i, operand));
    FAIL("nothing in line " << line);
    return {};
}

enum class Style : std::uint8_t {
    structured,    ///< ifs, loops tested at their begin or end, with breaks
    unstructured,  ///< any graph
};

struct RandomKernel {
    Style style = Style::structured;
    bool wraps = false;      ///< variables of 32 bits, sums that wrap; else integers without end
    bool has_stores = true;  ///< and atomics: else memory is as it was at the begin
    bool has_lanes = true;   ///< reads numbers of lanes
    bool is_calm = false;    ///< only some branches read numbers of threads: all else is uniform, but for what these branches do
};

/// A kernel of a few blocks over a few variables, that reads and writes a few cells.
usimd::Program random_program(Random &random, const RandomKernel &kind);
/// As a text that the parser reads, for messages.
std::string text_of(const usimd::Program &program);

}  // namespace mog::test
