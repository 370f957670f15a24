// programs.hpp: programs of the u-SIMD machine for the tests: from texts, examples, random_programs.hpp; and what stands where in them.
#pragma once

#include <doctest/doctest.h>

#include <string>

#include "assembler/divergence/analysis.hpp"
#include "assembler/usimd/machine.hpp"
#include "support/files/files.hpp"
#include "tests/divergence/random_programs.hpp"

namespace mog::test {

inline usimd::Program program_of(std::string_view text) {
    auto program = usimd::parse(text, "test.usimd");
    INFO((program ? std::string() : program.error().text()));
    REQUIRE(static_cast<bool>(program));
    return std::move(*program);
}

inline usimd::Program program_in(const std::string &path) {
    const auto text = read_text_file(path);
    REQUIRE(static_cast<bool>(text));
    return program_of(*text);
}
inline usimd::Program example(const std::string &name) { return program_in(std::string(MOG_DIVERGENCE_EXAMPLES) + "/" + name); }

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

}  // namespace mog::test
