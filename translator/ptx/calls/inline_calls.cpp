// inline_calls.cpp: calls of functions that are known become their bodies, and what was passed through variables of .param stays in
// registers.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "translator/ptx/passes.hpp"
#include "translator/ptx/uses.hpp"

namespace mog::ptx {
namespace {

// A function that has grown so far keeps the rest of its calls; and one with so much memory of its own.
constexpr std::size_t most_instructions = 20000, most_local_bytes = 32768;
// What is called from several places grows with each: larger ones, as the reduction of great angles, are called, and rarely.
constexpr std::size_t most_added = 500;

const Function *callee_of(const Program &program, const Function &function, const Instruction &instruction) {
    if (program.opcode_of(instruction).action() != Action::call) return nullptr;
    const Operand &target = function.operands_of(instruction)[1];
    return target.kind == Operand::Kind::function ? &program.functions[target.index] : nullptr;
}

/// Whether a function may come to itself again.
bool is_recursive(const Program &program, const Function &function) {
    std::set<const Function *> seen;
    std::vector<const Function *> waiting = {&function};
    while (!waiting.empty()) {
        const Function *const one = waiting.back();
        waiting.pop_back();
        for (const Instruction &instruction : one->code) {
            const Function *const callee = callee_of(program, *one, instruction);
            if (callee == &function) return true;
            if (callee != nullptr && seen.insert(callee).second) waiting.push_back(callee);
        }
    }
    return false;
}

std::uint64_t local_bytes(const Function &function) {
    std::uint64_t bytes = 0;
    for (const Variable &variable : function.variables)
        if (variable.space == Space::local) bytes += variable.size;
    return bytes;
}

class Inliner {
public:
    Inliner(Program &program, Function &function) : program_(program), function_(function) {}

    void run() {
        bool has_changed = false;
        for (std::uint32_t at = 0; at < function_.code.size();) {
            const Function *const callee = callee_of(program_, function_, function_.code[at]);
            // Its first instruction is looked at next: it may be a call.
            if (callee != nullptr && is_possible(*callee, function_.code[at])) {
                put_in(*callee, at);
                has_changed = true;
            } else {
                ++at;
            }
        }
        if (has_changed) Promoter(*this).run();
    }

private:
    bool is_possible(const Function &callee, const Instruction &call) {
        if (!callee.has_body || callee.is_entry || call.guard >= 0) return false;
        if (function_.code.size() + callee.code.size() > most_instructions || !callee.texts.empty()) return false;
        if (local_bytes(function_) + local_bytes(callee) > most_local_bytes) return false;
        const auto calls = [&](const Instruction &one) { return callee_of(program_, function_, one) == &callee; };
        const auto [sites, is_new] = sites_.try_emplace(&callee, 0);
        if (is_new) sites->second = static_cast<std::size_t>(std::ranges::count_if(function_.code, calls));
        if (sites->second > 1 && sites->second * callee.code.size() > most_added) return false;
        const auto operands = function_.operands_of(call);
        // Variables for variables, registers and numbers for registers.
        const auto are_alike = [&](const Operand &given, const std::vector<Formal> &formals, bool is_returned) {
            const auto elements = function_.elements_of(given);
            if (elements.size() != formals.size()) return false;
            for (std::size_t at = 0; at < formals.size(); ++at) {
                if (!formals[at].is_register) {
                    if (elements[at].kind != Operand::Kind::own_variable) return false;
                    continue;
                }
                const Type type = callee.registers[formals[at].index];
                if (elements[at].kind == Operand::Kind::reg) {
                    const Type has = function_.registers[elements[at].index];
                    if ((has == Type::pred) != (type == Type::pred) || register_bits(has) != register_bits(type)) return false;
                } else if (is_returned || elements[at].kind != Operand::Kind::integer || type == Type::pred || is_real(type)) {
                    return false;
                }
            }
            return true;
        };
        if (!are_alike(operands[0], callee.returns, true) || !are_alike(operands[2], callee.parameters, false)) return false;
        const auto known = recursive_.find(&callee);
        if (known != recursive_.end()) return !known->second;
        return !(recursive_[&callee] = is_recursive(program_, callee));
    }

    /// What the callee's things are here.
    struct Places {
        std::uint32_t registers = 0, labels = 0, tables = 0, prototypes = 0;
        std::vector<std::uint32_t> variables;
    };
    Operand moved(const Function &callee, Operand operand, const Places &places) {
        switch (operand.kind) {
            case Operand::Kind::reg: operand.index += places.registers; break;
            case Operand::Kind::own_variable: operand.index = places.variables[operand.index]; break;
            case Operand::Kind::label: operand.index += places.labels; break;
            case Operand::Kind::table: operand.index += places.tables; break;
            case Operand::Kind::prototype: operand.index += places.prototypes; break;
            case Operand::Kind::list:
            case Operand::Kind::pair: {
                std::vector<Operand> elements;
                for (const Operand &element : callee.elements_of(operand)) elements.push_back(moved(callee, element, places));
                operand.index = static_cast<std::uint32_t>(function_.elements.size());
                function_.elements.insert(function_.elements.end(), elements.begin(), elements.end());
                break;
            }
            default: break;
        }
        return operand;
    }

    /// The body in the call's place.
    void put_in(const Function &callee, std::uint32_t at) {
        const std::string mark = fmt::format("${}_", ++count_of_all(function_));
        const Instruction call = function_.code[at];
        Places places;
        places.registers = static_cast<std::uint32_t>(function_.registers.size());
        places.labels = static_cast<std::uint32_t>(function_.labels.size());
        places.tables = static_cast<std::uint32_t>(function_.tables.size());
        places.prototypes = static_cast<std::uint32_t>(function_.prototypes.size());
        function_.registers.insert(function_.registers.end(), callee.registers.begin(), callee.registers.end());
        for (RegisterRange range : callee.ranges) {
            range.name += mark;
            range.first += places.registers;
            function_.ranges.push_back(std::move(range));
        }
        places.variables.assign(callee.variables.size(), no_variable);
        std::vector<Instruction> body, behind;
        const auto pass = [&](const Operand &given, const std::vector<Formal> &formals, bool is_returned) {
            for (std::size_t formal = 0; formal < formals.size(); ++formal) {
                const Operand element = function_.elements[given.index + formal];
                if (!formals[formal].is_register) {
                    places.variables[formals[formal].index] = element.index;
                    continue;
                }
                const Type type = callee.registers[formals[formal].index];
                Operand reg;
                reg.kind = Operand::Kind::reg;
                reg.index = formals[formal].index + places.registers;
                Instruction move = call;
                move.opcode =
                    *program_.opcodes.find(type == Type::pred ? std::string("mov.pred") : fmt::format("mov.b{}", register_bits(type)));
                move.first_operand = static_cast<std::uint32_t>(function_.operands.size());
                move.operand_count = 2;
                function_.operands.push_back(is_returned ? element : reg);
                function_.operands.push_back(is_returned ? reg : element);
                (is_returned ? behind : body).push_back(move);
            }
        };
        const Operand returned = function_.operands_of(call)[0], parameters = function_.operands_of(call)[2];
        pass(returned, callee.returns, true);
        pass(parameters, callee.parameters, false);
        for (std::size_t variable = 0; variable < callee.variables.size(); ++variable) {
            if (places.variables[variable] != no_variable) continue;
            places.variables[variable] = static_cast<std::uint32_t>(function_.variables.size());
            function_.variables.push_back(callee.variables[variable]);
            function_.variables.back().name += mark;
        }
        const auto before = static_cast<std::uint32_t>(body.size());
        const auto end = static_cast<std::uint32_t>(places.labels + callee.labels.size());
        for (std::size_t code = 0; code < callee.code.size(); ++code) {
            Instruction instruction = callee.code[code];
            if (instruction.guard >= 0) instruction.guard += static_cast<std::int32_t>(places.registers);
            std::vector<Operand> operands;
            if (program_.opcode_of(instruction).action() == Action::ret) {
                instruction.opcode = *program_.opcodes.find(program_.opcode_of(instruction).text == "ret.uni" ? "bra.uni" : "bra");
                Operand target;
                target.kind = Operand::Kind::label;
                target.index = end;
                operands.push_back(target);
            } else {
                for (const Operand &operand : callee.operands_of(instruction)) operands.push_back(moved(callee, operand, places));
            }
            instruction.first_operand = static_cast<std::uint32_t>(function_.operands.size());
            instruction.operand_count = static_cast<std::uint16_t>(operands.size());
            function_.operands.insert(function_.operands.end(), operands.begin(), operands.end());
            body.push_back(instruction);
        }
        const auto inner_end = static_cast<std::uint32_t>(body.size());
        body.insert(body.end(), behind.begin(), behind.end());
        const auto size = static_cast<std::uint32_t>(body.size());
        for (Label &label : function_.labels)
            if (label.at > at) label.at = label.at + size - 1;
        for (Label label : callee.labels) {
            label.name += mark;
            label.at += at + before;
            function_.labels.push_back(std::move(label));
        }
        function_.labels.push_back({"end" + mark, at + inner_end});
        for (Table table : callee.tables) {
            table.name += mark;
            for (std::uint32_t &target : table.targets) target += places.labels;
            for (std::string &label : table.labels) label += mark;
            function_.tables.push_back(std::move(table));
        }
        for (Prototype prototype : callee.prototypes) {
            prototype.name += mark;
            function_.prototypes.push_back(std::move(prototype));
        }
        function_.code.erase(function_.code.begin() + at);
        function_.code.insert(function_.code.begin() + at, body.begin(), body.end());
    }

    /// Names of what is put into a function are of numbers that are nowhere else in it.
    std::uint32_t &count_of_all(const Function &function) {
        if (count_ == 0)
            for (const Label &label : function.labels)
                if (label.name.starts_with("end$")) ++count_;
        return count_;
    }

    /// Variables of .param that loads and stores alone know become registers.
    class Promoter {
    public:
        explicit Promoter(Inliner &inliner) : program_(inliner.program_), function_(inliner.function_) {}
        void run() {
            kept_.resize(function_.variables.size());
            for (const auto *formals : {&function_.returns, &function_.parameters})
                for (const Formal &formal : *formals)
                    if (!formal.is_register) kept_[formal.index] = true;
            for (const Instruction &instruction : function_.code) look_at(instruction);
            std::vector<Instruction> code;
            std::vector<std::uint32_t> new_place;
            for (const Instruction &instruction : function_.code) {
                new_place.push_back(static_cast<std::uint32_t>(code.size()));
                if (const Operand *const address = access(instruction); address != nullptr && !kept_[address->index])
                    replace(instruction, *address, code);
                else code.push_back(instruction);
            }
            new_place.push_back(static_cast<std::uint32_t>(code.size()));
            for (Label &label : function_.labels) label.at = new_place[label.at];
            function_.code = std::move(code);
        }

    private:
        /// The variable that an instruction loads or stores; nullptr: it does something else.
        const Operand *access(const Instruction &instruction) const {
            const Action action = program_.opcode_of(instruction).action();
            if (action != Action::load && action != Action::store) return nullptr;
            const Operand &address = function_.operands_of(instruction)[action == Action::load ? 1 : 0];
            const bool is_it = address.kind == Operand::Kind::own_variable && function_.variables[address.index].space == Space::param;
            return is_it ? &address : nullptr;
        }
        std::span<const Operand> values(const Instruction &instruction) const {
            const Action action = program_.opcode_of(instruction).action();
            const Operand &value = function_.operands_of(instruction)[action == Action::load ? 0 : 1];
            return value.kind == Operand::Kind::list ? function_.elements_of(value) : std::span(&value, 1);
        }

        void look_at(const Instruction &instruction) {
            const Operand *const accessed = access(instruction);
            const auto keep = [&](const Operand &operand) {
                if (operand.kind == Operand::Kind::own_variable && &operand != accessed) kept_[operand.index] = true;
            };
            for (const Operand &operand : function_.operands_of(instruction)) {
                keep(operand);
                if (operand.kind == Operand::Kind::list || operand.kind == Operand::Kind::pair)
                    for (const Operand &element : function_.elements_of(operand)) keep(element);
            }
            if (accessed == nullptr || kept_[accessed->index]) return;
            const Opcode &opcode = program_.opcode_of(instruction);
            const unsigned bits = bits_of(opcode.type);
            std::int64_t offset = accessed->value;
            for (const Operand &value : values(instruction)) {
                // Of the same place always the same number of bits, in registers that have no more than they must.
                const auto [part, is_new] = parts_.try_emplace({accessed->index, offset}, Part{bits, none});
                bool is_good = bits <= 64 && opcode.type != Type::pred && part->second.bits == bits;
                if (value.kind == Operand::Kind::reg) is_good &= register_bits(function_.registers[value.index]) == std::max(16u, bits);
                else if (value.kind != Operand::Kind::sink) is_good &= bits >= 16 && opcode.action() == Action::store;
                for (auto near = parts_.lower_bound({accessed->index, offset - 7});
                     near != parts_.end() && near->first.first == accessed->index && near->first.second < offset + bits / 8; ++near)
                    is_good &= near == part || near->first.second + near->second.bits / 8 <= offset;
                if (!is_good) kept_[accessed->index] = true;
                offset += bits / 8;
            }
        }

        void replace(const Instruction &instruction, const Operand &address, std::vector<Instruction> &code) {
            const Opcode &opcode = program_.opcode_of(instruction);
            const bool is_load = opcode.action() == Action::load;
            const unsigned bits = bits_of(opcode.type);
            const bool has_a_sign = has_sign(opcode.type);
            const std::uint32_t variable = address.index;
            std::int64_t offset = address.value;
            const std::span<const Operand> all = values(instruction);
            for (const Operand &value : std::vector<Operand>(all.begin(), all.end())) {
                Part &part = parts_.at({variable, offset});
                if (part.reg == none) {
                    const Type type = bits <= 16 ? Type::b16 : bits == 32 ? Type::b32 : Type::b64;
                    part.reg = function_.add_register(fmt::format("{}$_{}", function_.variables[variable].name, offset), type);
                }
                offset += bits / 8;
                if (value.kind == Operand::Kind::sink) continue;
                Operand reg;
                reg.kind = Operand::Kind::reg;
                reg.index = part.reg;
                // Eight bits are extended anew by who reads them.
                const std::string word = bits == 8 && is_load               ? (has_a_sign ? "cvt.s16.s8" : "cvt.u16.u8")
                                         : value.kind == Operand::Kind::reg ? fmt::format("mov.b{}", std::max(16u, bits))
                                                                            : fmt::format("mov.{}", info(opcode.type).name);
                Instruction move = instruction;
                move.opcode = *program_.opcodes.find(word);
                move.first_operand = static_cast<std::uint32_t>(function_.operands.size());
                move.operand_count = 2;
                function_.operands.push_back(is_load ? value : reg);
                function_.operands.push_back(is_load ? reg : value);
                code.push_back(move);
            }
        }

        struct Part {
            unsigned bits;
            std::uint32_t reg;
        };
        static constexpr std::uint32_t none = 0xffffffff;
        Program &program_;
        Function &function_;
        std::vector<bool> kept_;                                        // by variable
        std::map<std::pair<std::uint32_t, std::int64_t>, Part> parts_;  // of variables, by offset
    };

    static constexpr std::uint32_t no_variable = 0xffffffff;
    Program &program_;
    Function &function_;
    std::map<const Function *, bool> recursive_;
    std::map<const Function *, std::size_t> sites_;  // where a function is called
    std::uint32_t count_ = 0;
};

}  // namespace

void inline_calls(Program &program, Function &function) { Inliner(program, function).run(); }

}  // namespace mog::ptx
