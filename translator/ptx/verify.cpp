// verify.cpp: operands against what ptx.def says of their instruction, calls against what is called.
#include <fmt/format.h>

#include "translator/ptx/program.hpp"

namespace mog::ptx {
namespace {

class Verifier {
public:
    Verifier(const Program &program, const Function &function) : program_(program), function_(function) {}

    Result<void> run() {
        for (const Instruction &instruction : function_.code) {
            const std::string wrong = look_at(instruction);
            if (!wrong.empty())
                return Error{fmt::format("{}: {}", program_.opcode_of(instruction).text, wrong),
                             fmt::format("{}:{}:{}", program_.name, instruction.place.line, instruction.place.column)};
        }
        return {};
    }

private:
    std::string look_at(const Instruction &instruction) const {
        const Opcode &opcode = program_.opcode_of(instruction);
        const FormInfo &form = info(opcode.form);
        const auto operands = function_.operands_of(instruction);
        if (instruction.guard >= 0 && (static_cast<std::size_t>(instruction.guard) >= function_.registers.size() ||
                                       function_.registers[instruction.guard] != Type::pred))
            return "its guard is no predicate";
        switch (opcode.action()) {
            case Action::unable: return {};
            case Action::call: return call(operands);
            case Action::branch: return operands.size() == 1 && is_label(operands[0]) ? "" : "a branch has one label";
            case Action::branch_table:
                if (operands.size() != 2 || operands[1].kind != Operand::Kind::table || operands[1].index >= function_.tables.size())
                    return "a register and a list of targets are expected";
                return scalar(operands[0], Type::u32, false, false);
            case Action::move: return move(opcode, operands);
            default: break;
        }
        std::size_t at = 0;
        for (const OperandSpec &spec : form.operands) {
            if (at == operands.size()) {
                if (!spec.may_lack) return fmt::format("operand {} is missing", at + 1);
                continue;
            }
            const std::string wrong = operand(opcode, spec, operands[at]);
            if (!wrong.empty()) {
                // What may be left out between others.
                if (spec.may_lack && form.operands.size() > operands.size()) continue;
                return fmt::format("operand {}: {}", at + 1, wrong);
            }
            ++at;
        }
        if (at < operands.size()) return fmt::format("it has {} operands, and takes {}", operands.size(), form.operands.size());
        if (opcode.action() == Action::atomic) return atomic(opcode, operands);
        if (opcode.action() == Action::compare || opcode.action() == Action::set) {
            if ((opcode.combine != Word::none) != (operands.size() == 4))
                return opcode.combine != Word::none ? "a predicate to combine with is missing"
                                                    : "there is a predicate, but nothing says how to combine with it";
        }
        return {};
    }

    bool is_label(const Operand &operand) const { return operand.kind == Operand::Kind::label && operand.index < function_.labels.size(); }

    static std::string atomic(const Opcode &opcode, std::span<const Operand> operands) {
        const std::size_t wanted = (opcode.root() == "red" ? 2 : 3) + (opcode.atomic == Word::cas ? 1 : 0);
        return operands.size() == wanted ? "" : fmt::format("it has {} operands, and takes {}", operands.size(), wanted);
    }

    std::string operand(const Opcode &opcode, const OperandSpec &spec, const Operand &operand) const {
        if (spec.is_any) return operand.is_address ? "no address is expected here" : "";
        if (spec.is_address && opcode.action() == Action::texture_query) return handle(operand);
        if (spec.is_address) return address(opcode, operand);
        if (spec.is_place) return place(opcode, operand);
        if (operand.is_address) return "no address is expected here";
        Type type = spec.of_first ? opcode.type : spec.of_second ? opcode.second : spec.type;
        if (spec.is_twice) type = twice(type);
        if (spec.is_pair) {
            if (operand.kind == Operand::Kind::sink) return {};
            if (operand.kind != Operand::Kind::pair) return scalar(operand, type, true, false);
            const auto elements = function_.elements_of(operand);
            if (elements[0].kind != Operand::Kind::sink)
                if (std::string wrong = scalar(elements[0], type, true, false); !wrong.empty()) return wrong;
            return elements[1].kind == Operand::Kind::sink ? "" : scalar(elements[1], Type::pred, true, false);
        }
        if (operand.kind == Operand::Kind::list || (opcode.vector > 1 && (spec.of_first || spec.is_written))) {
            if (operand.kind == Operand::Kind::sink) return {};
            if (operand.kind != Operand::Kind::list || operand.count != opcode.vector)
                return opcode.vector > 1 ? fmt::format("{} registers in braces are expected", opcode.vector) : "no list is expected here";
            for (const Operand &element : function_.elements_of(operand)) {
                if (element.kind == Operand::Kind::sink && spec.is_written) continue;
                if (std::string wrong = scalar(element, type, spec.is_written, spec.is_wide); !wrong.empty()) return wrong;
            }
            return {};
        }
        if (operand.kind == Operand::Kind::sink && spec.is_written) return {};
        return scalar(operand, type, spec.is_written, spec.is_wide);
    }

    std::string handle(const Operand &operand) const {
        const bool is_one = operand.kind == Operand::Kind::reg && operand.value == 0 && !is_real(function_.registers[operand.index]) &&
                            bits_of(function_.registers[operand.index]) == 64;
        return is_one ? "" : "a handle in a register of 64 bits is expected";
    }
    /// [texture, {coordinates}]
    std::string place(const Opcode &opcode, const Operand &operand) const {
        if (!operand.is_address || operand.kind != Operand::Kind::list) return "a texture and coordinates in brackets are expected";
        const auto elements = function_.elements_of(operand);
        if (std::string wrong = handle(elements[0]); !wrong.empty()) return wrong;
        // Of three dimensions, and of layers of two, there are four: the last is not asked.
        const bool has_layers = opcode.has(Word::layers_d1) || opcode.has(Word::layers_d2);
        const std::size_t wanted = opcode.has(Word::d1) ? 1 : opcode.has(Word::d2) || opcode.has(Word::layers_d1) ? 2 : 4;
        if (elements.size() != wanted + 1) return fmt::format("{} coordinates are expected", wanted);
        const Type type = opcode.action() == Action::texture ? opcode.type : Type::s32;
        for (std::size_t at = 1; at <= wanted; ++at)
            if (std::string wrong = scalar(elements[at], has_layers && at == 1 ? Type::b32 : type, false, false); !wrong.empty())
                return fmt::format("coordinate {}: {}", at, wrong);
        return {};
    }

    static Type twice(Type type) {
        switch (type) {
            case Type::u16: return Type::u32;
            case Type::s16: return Type::s32;
            case Type::u32: return Type::u64;
            default: return Type::s64;
        }
    }

    std::string address(const Opcode &opcode, const Operand &operand) const {
        if (!operand.is_address) return "an address in brackets is expected";
        switch (operand.kind) {
            case Operand::Kind::integer: return {};
            case Operand::Kind::reg: {
                const Type type = function_.registers[operand.index];
                const unsigned bits = bits_of(type);
                if (is_real(type) || (bits != 64 && bits != 32)) return "an address is an integer of 64 bits";
                if (bits == 32 && opcode.space != Space::shared && opcode.space != Space::local && opcode.space != Space::param &&
                    opcode.action() != Action::copy_async)
                    return "addresses of this space have 64 bits";
                return {};
            }
            case Operand::Kind::module_variable: {
                const Space space = program_.variables[operand.index].space;
                if (opcode.space != Space::generic && opcode.space != space && opcode.action() != Action::copy_async)
                    return fmt::format("{} is in .{}", program_.variables[operand.index].name, text_of(space));
                return {};
            }
            case Operand::Kind::own_variable: {
                const Space space = function_.variables[operand.index].space;
                if (opcode.space != Space::generic && opcode.space != space)
                    return fmt::format("{} is in .{}", function_.variables[operand.index].name, text_of(space));
                return {};
            }
            default: return "this is no address";
        }
    }

    std::string scalar(const Operand &operand, Type type, bool is_written, bool is_wide) const {
        const TypeInfo &wanted = info(type);
        switch (operand.kind) {
            case Operand::Kind::reg: {
                if (is_written && operand.is_negated) return "what is written is not negated";
                const TypeInfo &has = info(function_.registers[operand.index]);
                if ((has.kind == TypeKind::predicate) != (wanted.kind == TypeKind::predicate))
                    return fmt::format("{} is a .{}, and .{} is expected", function_.register_name(operand.index), has.name, wanted.name);
                const unsigned bits = register_bits(function_.registers[operand.index]);
                const bool fits = is_wide ? bits >= wanted.bits : bits == std::max<unsigned>(16, wanted.bits);
                const bool is_kind =
                    is_wide || !((has.kind == TypeKind::real && (wanted.kind == TypeKind::natural || wanted.kind == TypeKind::integer)) ||
                                 (wanted.kind == TypeKind::real && (has.kind == TypeKind::natural || has.kind == TypeKind::integer)));
                if (!fits || !is_kind)
                    return fmt::format("{} is a .{}, and .{} is expected", function_.register_name(operand.index), has.name, wanted.name);
                return {};
            }
            case Operand::Kind::integer:
            case Operand::Kind::single:
            case Operand::Kind::real: return is_written ? "a register is expected" : "";
            case Operand::Kind::special: return is_written ? "a register is expected" : "";
            case Operand::Kind::module_variable:
            case Operand::Kind::own_variable:
            case Operand::Kind::function:
                return is_written || wanted.bits < 32 || wanted.kind == TypeKind::real ? "an address is not expected here" : "";
            default: return fmt::format("a register of .{} is expected", wanted.name);
        }
    }

    std::string move(const Opcode &opcode, std::span<const Operand> operands) const {
        if (operands.size() != 2) return "two operands are expected";
        const auto bits_of_list = [&](const Operand &list) {
            unsigned bits = 0;
            for (const Operand &element : function_.elements_of(list)) {
                if (element.kind == Operand::Kind::reg) {
                    bits += register_bits(function_.registers[element.index]);
                } else {
                    bits += bits_of(opcode.type) / list.count;
                }
            }
            return bits;
        };
        for (std::size_t at = 0; at < 2; ++at) {
            const Operand &one = operands[at];
            if (one.is_address) return "no address in brackets is expected";
            if (one.kind == Operand::Kind::list) {
                for (const Operand &element : function_.elements_of(one)) {
                    const bool is_value = element.kind == Operand::Kind::integer && at == 1;
                    if (element.kind != Operand::Kind::reg && !is_value && !(element.kind == Operand::Kind::sink && at == 0))
                        return "a list of registers is expected";
                    if (element.kind == Operand::Kind::reg && function_.registers[element.index] == Type::pred)
                        return "predicates are not packed";
                }
                if (one.count < 2 || bits_of_list(one) != bits_of(opcode.type))
                    return fmt::format("the list has not {} bits", bits_of(opcode.type));
            } else if (at == 0 && one.kind == Operand::Kind::sink) {
                continue;
            } else if (opcode.type == Type::pred || one.kind != Operand::Kind::reg) {
                if (std::string wrong = scalar(one, opcode.type, at == 0, false); !wrong.empty())
                    return fmt::format("operand {}: {}", at + 1, wrong);
            } else if (function_.registers[one.index] == Type::pred ||
                       register_bits(function_.registers[one.index]) != register_bits(opcode.type)) {
                return fmt::format("operand {}: {} is a .{}", at + 1, function_.register_name(one.index),
                                   info(function_.registers[one.index]).name);
            }
        }
        return {};
    }

    std::uint64_t bytes_of(const Operand &operand) const {
        switch (operand.kind) {
            case Operand::Kind::own_variable: return function_.variables[operand.index].size;
            case Operand::Kind::reg: return std::max(1u, bits_of(function_.registers[operand.index]) / 8);
            default: return 0;  // a number fits anywhere
        }
    }

    std::string matches(std::span<const Operand> given, const std::vector<std::uint64_t> &wanted, const char *what) const {
        if (given.size() != wanted.size()) return fmt::format("{} {} are given, and {} wanted", given.size(), what, wanted.size());
        for (std::size_t at = 0; at < given.size(); ++at) {
            const std::uint64_t bytes = bytes_of(given[at]);
            if (bytes != 0 && bytes != wanted[at]) return fmt::format("{} {} have {} bytes, not {}", what, at + 1, wanted[at], bytes);
        }
        return {};
    }

    std::string call(std::span<const Operand> operands) const {
        if (operands.size() < 3) return "it has no target";
        for (const std::size_t list : {0, 2})
            for (const Operand &element : function_.elements_of(operands[list])) {
                const bool is_variable =
                    element.kind == Operand::Kind::own_variable && function_.variables[element.index].space == Space::param;
                const bool is_value = list == 2 && (element.kind == Operand::Kind::integer || element.kind == Operand::Kind::single ||
                                                    element.kind == Operand::Kind::real);
                if (!is_variable && !is_value && element.kind != Operand::Kind::reg) return "variables of .param and registers are passed";
            }
        std::vector<std::uint64_t> returns, parameters;
        if (operands[1].kind == Operand::Kind::function) {
            const Function &callee = program_.functions[operands[1].index];
            if (callee.is_entry) return "kernels are not called";
            const auto sizes = [&](const std::vector<Formal> &formals, std::vector<std::uint64_t> &into) {
                for (const Formal &formal : formals)
                    into.push_back(formal.is_register ? bits_of(callee.registers[formal.index]) / 8 : callee.variables[formal.index].size);
            };
            sizes(callee.returns, returns);
            sizes(callee.parameters, parameters);
        } else {
            if (operands[1].kind != Operand::Kind::reg || bits_of(function_.registers[operands[1].index]) != 64)
                return "a function is expected, or a register of 64 bits with one's address";
            if (operands.size() < 4 || (operands[3].kind != Operand::Kind::prototype && operands[3].kind != Operand::Kind::table))
                return "a prototype is expected";
            if (operands[3].kind == Operand::Kind::table) return {};
            const Prototype &prototype = function_.prototypes[operands[3].index];
            returns = prototype.returns;
            parameters = prototype.parameters;
        }
        std::string wrong = matches(function_.elements_of(operands[0]), returns, "results");
        return wrong.empty() ? matches(function_.elements_of(operands[2]), parameters, "parameters") : wrong;
    }

    const Program &program_;
    const Function &function_;
};

}  // namespace

Result<void> verify(const Program &program, const Function &function) { return Verifier(program, function).run(); }

Result<void> verify(const Program &program) {
    for (const Function &function : program.functions) MOG_TRY(verify(program, function));
    return {};
}

}  // namespace mog::ptx
