// explain.cpp: causes followed to where they began.
#include "assembler/divergence/explain.hpp"

#include <fmt/format.h>

namespace mog::divergence {
namespace {

constexpr std::size_t most_causes = 24;

std::string read_text(const Analysis &analysis, ValueIndex value, std::uint32_t reading) {
    const std::string name = analysis.form().name_of(value);
    return analysis.eta_of(reading) == Analysis::no_branch ? name : fmt::format("eta({})", name);
}

std::string operand_text(const Analysis &analysis, BlockIndex block, std::size_t instruction, std::size_t operand) {
    const SsaForm &form = analysis.form();
    const ValueIndex value = form.read_by(block, instruction, operand);
    if (value == no_value) return std::to_string(form.kernel.blocks[block].code[instruction].operands[operand].constant);
    return read_text(analysis, value, form.reading_of(block, instruction, operand));
}

/// What a source of divergence is, in words.
std::string source_text(const Analysis &analysis, ValueIndex value) {
    const SsaForm &form = analysis.form();
    const Value &of = form.values[value];
    if (of.kind != Value::Kind::result)
        return fmt::format("what {} holds when the code is entered may differ among lanes", form.kernel.variables[of.variable].name);
    const Instruction &instruction = form.kernel.blocks[of.block].code[of.index];
    switch (info(instruction.operation).shape) {
        case Shape::special: return name_in(instruction) + " differs among lanes";
        case Shape::atomic: return "an atomic operation gives each lane what the one before left";
        case Shape::load:
            return instruction.memory == Memory::own ? "each lane loads from memory of its own"
                                                     : "lanes load at different times from memory that is written";
        default: return fmt::format("`{}` may do anything", text_of(form.kernel, instruction));
    }
}

class Chain {
public:
    explicit Chain(const Analysis &analysis) : analysis_(analysis), form_(analysis.form()) {}

    std::vector<Because> of_value(ValueIndex value) {
        const bool is_divergent = analysis_.domain().is_divergent(analysis_.fact(value));
        follow(value, is_divergent ? analysis_.why_divergent(value) : analysis_.why_not_uniform(value), is_divergent);
        return std::move(causes_);
    }
    std::vector<Because> of_branch(BlockIndex block) {
        if (!analysis_.is_branch_uniform(block)) condition(block);
        return std::move(causes_);
    }

private:
    void say(Place place, std::string text) { causes_.push_back({std::move(text), place}); }
    std::string branch_text(BlockIndex branch) const {
        const std::string place = form_.kernel.place_text(form_.kernel.blocks[branch].end.place);
        return place.empty() ? fmt::format("the branch at the end of {}", form_.kernel.blocks[branch].label)
                             : fmt::format("the branch at {}", place);
    }

    void condition(BlockIndex branch) {
        if (causes_.size() >= most_causes) return;
        const Place place = form_.kernel.blocks[branch].end.place;
        const ValueIndex value = form_.condition_of(branch);
        const std::uint32_t reading = form_.condition_reading_of(branch);
        const std::string name = form_.name_of(value);
        if (analysis_.fact(value).is_uniform()) {
            rounds(value, analysis_.eta_of(reading), place);
            return;
        }
        say(place, fmt::format("it branches on {}, which is {}", name, analysis_.domain().text(analysis_.fact(value))));
        follow(value, analysis_.why_not_uniform(value), false);
    }

    void rounds(ValueIndex value, BlockIndex branch, Place place) {
        say(place, fmt::format("{} is of different rounds: lanes part at {}", form_.name_of(value), branch_text(branch)));
        condition(branch);
    }

    /// Why an operation makes something divergent of a polynomial. `operand`: what that is.
    std::string operation_text(ValueIndex value, const std::string &operand) const {
        const Value &of = form_.values[value];
        if (of.kind != Value::Kind::result) return fmt::format("{} is made of what differs: {}", form_.name_of(value), operand);
        const std::string text = gated_text(analysis_, of.block, of.index);
        switch (info(form_.kernel.blocks[of.block].code[of.index].operation).shape) {
            case Shape::load: return fmt::format("`{}` loads from addresses that differ: {}", text, operand);
            case Shape::order:
            case Shape::equality: return fmt::format("`{}` compares what differs by more than a common part: {}", text, operand);
            default: return fmt::format("`{}` makes no polynomial in T, of the degrees that are kept: {}", text, operand);
        }
    }

    void follow(ValueIndex value, const Cause &cause, bool is_divergent) {
        if (causes_.size() >= most_causes) return;
        const Place place = form_.place_of(value);
        const auto known = [&](ValueIndex of) { return analysis_.domain().text(analysis_.fact(of)); };
        switch (cause.kind) {
            case Cause::Kind::none: return;
            case Cause::Kind::source: say(place, source_text(analysis_, value)); return;
            case Cause::Kind::operand:
                say(place,
                    fmt::format("{} is computed of {}, which is {}", form_.name_of(value), form_.name_of(cause.value), known(cause.value)));
                follow(cause.value, is_divergent ? analysis_.why_divergent(cause.value) : analysis_.why_not_uniform(cause.value),
                       is_divergent);
                return;
            case Cause::Kind::operation:
                say(place, operation_text(value, form_.name_of(cause.value) + (analysis_.domain().is_divergent(analysis_.fact(cause.value))
                                                                                   ? " differs among lanes"
                                                                                   : " is " + known(cause.value))));
                follow(cause.value, analysis_.why_not_uniform(cause.value), false);
                return;
            case Cause::Kind::meeting:
                say(place, fmt::format("lanes bring different values of {}: they part at {}",
                                       form_.kernel.variables[form_.values[value].variable].name, branch_text(cause.branch)));
                condition(cause.branch);
                return;
            case Cause::Kind::rounds: rounds(cause.value, cause.branch, place); return;
            case Cause::Kind::mixture:
                say(place, fmt::format("ways that meet bring different polynomials as {}",
                                       form_.kernel.variables[form_.values[value].variable].name));
                follow(cause.value, analysis_.why_not_uniform(cause.value), false);
                return;
        }
    }

    const Analysis &analysis_;
    const SsaForm &form_;
    std::vector<Because> causes_;
};

}  // namespace

std::vector<Because> why(const Analysis &analysis, ValueIndex value) {
    if (analysis.fact(value).is_uniform() || analysis.fact(value).is_top()) return {};
    return Chain(analysis).of_value(value);
}

std::vector<Because> why_parted(const Analysis &analysis, BlockIndex block) { return Chain(analysis).of_branch(block); }

std::string gated_text(const Analysis &analysis, BlockIndex block, std::size_t instruction) {
    const SsaForm &form = analysis.form();
    const ValueIndex result = form.result_of(block, instruction);
    const std::size_t operands = form.kernel.blocks[block].code[instruction].operands.size();
    return text_with(form.kernel.blocks[block].code[instruction], result == no_value ? "" : form.name_of(result),
                     [&](std::size_t o) { return o < operands ? operand_text(analysis, block, instruction, o) : std::string(); });
}

std::string gated_text(const Analysis &analysis, std::uint32_t phi) {
    const SsaForm &form = analysis.form();
    const Phi &of = form.phis[phi];
    const LoopForest &loops = analysis.sync().loops();
    std::string operands;
    for (std::size_t edge = 0; edge < of.operands.size(); ++edge) {
        if (of.operands[edge] == no_value) continue;
        operands += (operands.empty() ? "" : ", ") + read_text(analysis, of.operands[edge], of.readings[edge]);
    }
    const BlockIndex gate = analysis.gate_of(phi);
    std::string predicate;
    if (gate != Analysis::no_branch) predicate = form.name_of(form.condition_of(gate)) + "; ";
    return fmt::format("{} = {}({}{})", form.name_of(of.value), loops.is_header(of.block) ? "mu" : "gamma", predicate, operands);
}

std::string gated_condition(const Analysis &analysis, BlockIndex block) {
    const SsaForm &form = analysis.form();
    const ValueIndex value = form.condition_of(block);
    if (value == no_value) return "branch on " + text_of(form.kernel, form.kernel.blocks[block].end.condition);
    return "branch on " + read_text(analysis, value, form.condition_reading_of(block));
}

}  // namespace mog::divergence
