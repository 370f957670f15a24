// print.cpp: programs as PTX text again.
#include <fmt/format.h>

#include <map>

#include "translator/ptx/program.hpp"

namespace mog::ptx {
namespace {

class Printer {
public:
    Printer(const Program &program, const Function &function) : program_(program), function_(function) {}

    std::string operand(const Operand &operand) const {
        if (operand.kind == Operand::Kind::list && operand.is_address) {
            const auto elements = function_.elements_of(operand);
            Operand coordinates = operand;
            coordinates.index += 1;
            coordinates.count -= 1;
            return fmt::format("[{}, {{{}}}]", plain(elements[0]), list(coordinates));
        }
        std::string text = plain(operand);
        if (operand.is_negated) text = "!" + text;
        return operand.is_address ? "[" + text + "]" : text;
    }

    std::string instruction(const Instruction &instruction) const {
        std::string text;
        if (instruction.guard >= 0)
            text = fmt::format("@{}{} ", instruction.guard_negated ? "!" : "",
                               function_.register_name(static_cast<std::uint32_t>(instruction.guard)));
        const Opcode &opcode = program_.opcode_of(instruction);
        text += opcode.text;
        const auto operands = function_.operands_of(instruction);
        if (opcode.action() == Action::call) {
            text += ' ';
            if (operands[0].count != 0) text += fmt::format("({}), ", list(operands[0]));
            text += plain(operands[1]);
            if (operands[2].count != 0 || operands.size() > 3) text += fmt::format(", ({})", list(operands[2]));
            if (operands.size() > 3) text += ", " + plain(operands[3]);
        } else {
            for (std::size_t at = 0; at < operands.size(); ++at) text += (at == 0 ? " " : ", ") + operand(operands[at]);
        }
        return text + ";";
    }

    std::string formal(const Formal &formal) const {
        if (formal.is_register)
            return fmt::format(".reg .{} {}", info(function_.registers[formal.index]).name, function_.register_name(formal.index));
        return ".param " + variable(function_.variables[formal.index]);
    }

    static std::string variable(const Variable &variable) {
        const unsigned element = bits_of(variable.type) / 8;
        std::string text;
        if (variable.alignment > element) text += fmt::format(".align {} ", variable.alignment);
        text += fmt::format(".{} {}", info(variable.type).name, variable.name);
        if (variable.is_array || variable.size != element) text += variable.size == 0 ? "[]" : fmt::format("[{}]", variable.size / element);
        return text;
    }

    std::string head() const {
        std::string text = function_.is_extern ? ".extern " : function_.is_visible ? ".visible " : "";
        text += function_.is_entry ? ".entry " : ".func ";
        const auto formals = [&](const std::vector<Formal> &list) {
            std::string result = "(";
            for (std::size_t at = 0; at < list.size(); ++at) result += (at == 0 ? "" : ", ") + formal(list[at]);
            return result + ")";
        };
        if (!function_.returns.empty()) text += formals(function_.returns) + " ";
        text += function_.name + formals(function_.parameters);
        if (function_.required_block)
            text += fmt::format("\n.reqntid {}, {}, {}", (*function_.required_block)[0], (*function_.required_block)[1],
                                (*function_.required_block)[2]);
        else if (function_.max_threads != 1024) text += fmt::format("\n.maxntid {}", function_.max_threads);
        return text;
    }

    std::string body() const {
        std::string text = "{\n";
        std::vector<bool> is_formal_register(function_.registers.size()), is_formal_variable(function_.variables.size());
        for (const auto *formals : {&function_.returns, &function_.parameters})
            for (const Formal &one : *formals) (one.is_register ? is_formal_register : is_formal_variable)[one.index] = true;
        for (const RegisterRange &range : function_.ranges) {
            if (range.count != 0 && is_formal_register[range.first]) continue;
            text += fmt::format("    .reg .{} {}{};\n", info(range.type).name, range.name,
                                range.is_numbered ? fmt::format("<{}>", range.count) : "");
        }
        for (std::size_t at = 0; at < function_.variables.size(); ++at) {
            if (is_formal_variable[at]) continue;
            text += fmt::format("    .{} {};\n", text_of(function_.variables[at].space), variable(function_.variables[at]));
        }
        std::multimap<std::uint32_t, const Label *> labels;
        for (const Label &label : function_.labels) labels.emplace(label.at, &label);
        for (const Table &table : function_.tables) {
            text += fmt::format("{}: .branchtargets ", table.name);
            for (std::size_t at = 0; at < table.targets.size(); ++at)
                text += (at == 0 ? "" : ", ") + function_.labels[table.targets[at]].name;
            text += ";\n";
        }
        for (const Prototype &prototype : function_.prototypes) {
            const auto formals = [](const std::vector<std::uint64_t> &sizes) {
                std::string result = "(";
                for (std::size_t at = 0; at < sizes.size(); ++at)
                    result += fmt::format("{}.param .b8 _[{}]", at == 0 ? "" : ", ", sizes[at]);
                return result + ")";
            };
            text += fmt::format("{}: .callprototype {}_ {};\n", prototype.name,
                                prototype.returns.empty() ? "" : formals(prototype.returns) + " ", formals(prototype.parameters));
        }
        auto label = labels.begin();
        std::uint32_t file = 0, line = 0;
        for (std::uint32_t at = 0; at <= function_.code.size(); ++at) {
            for (; label != labels.end() && label->first == at; ++label) text += label->second->name + ":\n";
            if (at == function_.code.size()) break;
            const Place &place = function_.code[at].place;
            if (place.source_line != 0 && (place.file != file || place.source_line != line))
                text += fmt::format("    .loc {} {} 0\n", place.file, place.source_line);
            file = place.file;
            line = place.source_line;
            text += "    " + instruction(function_.code[at]) + "\n";
        }
        return text + "}\n";
    }

private:
    std::string plain(const Operand &operand) const {
        const auto with_offset = [&](const std::string &name) {
            return operand.value == 0  ? name
                   : operand.value > 0 ? fmt::format("{}+{}", name, operand.value)
                                       : fmt::format("{}{}", name, operand.value);
        };
        switch (operand.kind) {
            case Operand::Kind::none: return {};
            case Operand::Kind::reg: return with_offset(function_.register_name(operand.index));
            case Operand::Kind::integer: return fmt::format("{}", operand.value);
            case Operand::Kind::single: return fmt::format("0f{:08X}", static_cast<std::uint32_t>(operand.value));
            case Operand::Kind::real: return fmt::format("0d{:016X}", static_cast<std::uint64_t>(operand.value));
            case Operand::Kind::special: return fmt::format("%{}", info(static_cast<Special>(operand.index)).text);
            case Operand::Kind::module_variable: return with_offset(program_.variables[operand.index].name);
            case Operand::Kind::own_variable: return with_offset(function_.variables[operand.index].name);
            case Operand::Kind::function: return program_.functions[operand.index].name;
            case Operand::Kind::label: return function_.labels[operand.index].name;
            case Operand::Kind::table: return function_.tables[operand.index].name;
            case Operand::Kind::prototype: return function_.prototypes[operand.index].name;
            case Operand::Kind::list: return "{" + list(operand) + "}";
            case Operand::Kind::pair: {
                const auto elements = function_.elements_of(operand);
                return plain(elements[0]) + "|" + plain(elements[1]);
            }
            case Operand::Kind::text: return function_.texts[operand.index];
            case Operand::Kind::sink: return "_";
        }
        return {};
    }

    std::string list(const Operand &operand) const {
        std::string text;
        for (const Operand &element : function_.elements_of(operand)) text += (text.empty() ? "" : ", ") + plain(element);
        return text;
    }

    const Program &program_;
    const Function &function_;
};

std::string values_of(const Variable &variable) {
    if (variable.bytes.empty() && variable.fixups.empty()) return {};
    const std::size_t element = bits_of(variable.type) / 8;
    std::string text = variable.is_array ? " = {" : " = ";
    std::size_t fixup = 0;
    for (std::size_t at = 0;
         at<variable.bytes.size(); at += fixup> 0 && variable.fixups[fixup - 1].offset == at ? variable.fixups[fixup - 1].bytes : element) {
        if (at != 0) text += ", ";
        if (fixup < variable.fixups.size() && variable.fixups[fixup].offset == at) {
            const Fixup &one = variable.fixups[fixup++];
            const std::string name = one.is_function ? one.symbol : fmt::format("generic({})", one.symbol);
            const std::string address = one.addend == 0 ? name : fmt::format("{}{:+}", name, one.addend);
            text += one.bytes == 1 && element == 1 ? fmt::format("mask({:#x}, {})", std::uint64_t{0xff} << one.shift, address) : address;
            continue;
        }
        std::uint64_t value = 0;
        for (std::size_t byte = 0; byte < element && byte < 8 && at + byte < variable.bytes.size(); ++byte)
            value |= std::uint64_t{variable.bytes[at + byte]} << (8 * byte);
        if (variable.type == Type::f32) {
            text += fmt::format("0f{:08X}", value);
        } else if (variable.type == Type::f64) {
            text += fmt::format("0d{:016X}", value);
        } else {
            text += fmt::format("{}", value);
        }
    }
    return text + (variable.is_array ? "}" : "");
}

}  // namespace

std::string print(const Program &program, const Function &function, const Instruction &instruction) {
    return Printer(program, function).instruction(instruction);
}

std::string print(const Program &program, const Function &function) {
    const Printer printer(program, function);
    return printer.head() + (function.has_body ? "\n" + printer.body() : ";\n");
}

std::string print(const Program &program) {
    std::string text = fmt::format(".version {}.{}\n", program.version / 10, program.version % 10);
    if (!program.target.empty()) text += fmt::format(".target {}\n", program.target);
    text += ".address_size 64\n";
    for (std::size_t file = 1; file < program.files.size(); ++file)
        if (!program.files[file].empty()) text += fmt::format(".file {} \"{}\"\n", file, program.files[file]);
    // Functions first, for variables may hold their addresses.
    for (const Function &function : program.functions) {
        Function declared = function;
        declared.has_body = false;
        if (!function.is_entry) text += print(program, declared);
    }
    for (const Variable &variable : program.variables)
        text += fmt::format("{}.{} {}{};\n",
                            variable.is_extern    ? ".extern "
                            : variable.is_visible ? ".visible "
                                                  : "",
                            text_of(variable.space), Printer::variable(variable), values_of(variable));
    // In the order in which they are known when this is read again: those that are declared above, then kernels.
    for (const bool is_entry : {false, true})
        for (const Function &function : program.functions)
            if (function.has_body && function.is_entry == is_entry) text += "\n" + print(program, function);
    return text;
}

}  // namespace mog::ptx
