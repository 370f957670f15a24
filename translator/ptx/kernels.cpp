// kernels.cpp: what each instruction is to an analysis of divergence.
#include "translator/ptx/kernels.hpp"

#include <algorithm>
#include <bit>
#include <optional>

#include "translator/ptx/blocks.hpp"
#include "translator/ptx/uses.hpp"

namespace mog::ptx {
namespace {

using divergence::End;
using divergence::Kernel;
using divergence::Memory;
using Do = divergence::Operation;
using Value = divergence::Operand;

std::optional<divergence::Special> special_of(Special special) {
    switch (special) {
        case Special::tid_x: return divergence::Special::tid_x;
        case Special::tid_y: return divergence::Special::tid_y;
        case Special::tid_z: return divergence::Special::tid_z;
        case Special::ntid_x: return divergence::Special::ntid_x;
        case Special::ntid_y: return divergence::Special::ntid_y;
        case Special::ntid_z: return divergence::Special::ntid_z;
        case Special::ctaid_x: return divergence::Special::ctaid_x;
        case Special::ctaid_y: return divergence::Special::ctaid_y;
        case Special::ctaid_z: return divergence::Special::ctaid_z;
        case Special::nctaid_x: return divergence::Special::nctaid_x;
        case Special::nctaid_y: return divergence::Special::nctaid_y;
        case Special::nctaid_z: return divergence::Special::nctaid_z;
        case Special::laneid: return divergence::Special::lane;
        case Special::warpid: return divergence::Special::warp;
        default: return std::nullopt;
    }
}

bool is_of_lane(Special special) {
    return special == Special::lanemask_eq || special == Special::lanemask_le || special == Special::lanemask_lt ||
           special == Special::lanemask_ge || special == Special::lanemask_gt;
}

class Writer {
public:
    Writer(const Program &program, const Function &function, const KernelsOptions &options)
        : program_(program), function_(function), options_(options), blocks_(find_blocks(program, function)) {}

    DivergenceKernel run() {
        Kernel &kernel = result_.kernel;
        kernel.name = function_.name;
        kernel.files = program_.files;
        if (kernel.files.empty()) kernel.files.emplace_back();
        kernel.files[0] = program_.name;
        for (std::uint32_t reg = 0; reg < function_.registers.size(); ++reg) {
            result_.variables.push_back(kernel.add_variable(function_.register_name(reg), width(function_.registers[reg])));
            kernel.variables.back().wants_register = function_.registers[reg] != Type::pred;
        }
        if (!function_.is_entry)
            for (const Formal &formal : function_.parameters)
                if (formal.is_register) kernel.incoming[result_.variables[formal.index]] = divergence::Incoming::divergent;
        result_.where.resize(function_.code.size());
        // Control comes into the first block but once.
        const auto shift = 1u;
        kernel.blocks.resize(blocks_.blocks.size() + 2);
        result_.made_of.resize(kernel.blocks.size());
        const auto leaves = static_cast<divergence::BlockIndex>(blocks_.blocks.size() + 1);
        kernel.blocks[0].label = "entry";
        kernel.blocks[0].end = {End::Kind::jump, {}, {blocks_.blocks.empty() ? leaves : shift}, {}};
        kernel.blocks[leaves].label = "exit";
        for (const Label &label : function_.labels)
            if (label.at < function_.code.size()) kernel.blocks[blocks_.block_of[label.at] + shift].label = label.name;
        for (std::uint32_t number = 0; number < blocks_.blocks.size(); ++number) {
            const Block &block = blocks_.blocks[number];
            block_ = number + shift;
            if (kernel.blocks[block_].label.empty()) kernel.blocks[block_].label = "block" + std::to_string(number);
            for (std::uint32_t at = block.begin; at < block.end; ++at) {
                at_ = at;
                translate(function_.code[at]);
                if (options_.is_complete) complete(function_.code[at]);
            }
            const Instruction &last = function_.code[block.end - 1];
            End &end = kernel.blocks[block_].end;
            end.place = place(last);
            const auto next = number + 1 < blocks_.blocks.size() ? number + 1 + shift : leaves;
            const auto target_of = [&](std::uint32_t label) {
                const auto target = blocks_.block_of[function_.labels[label].at];
                return target < blocks_.blocks.size() ? target + shift : leaves;
            };
            const auto go = [&](divergence::BlockIndex target) {
                if (last.guard < 0) {
                    end.kind = End::Kind::jump;
                    end.targets = {target};
                    return;
                }
                end.kind = End::Kind::branch;
                end.condition = Value::of(result_.variables[last.guard]);
                end.targets = last.guard_negated ? std::vector{next, target} : std::vector{target, next};
            };
            switch (program_.opcode_of(last).action()) {
                case Action::branch: go(target_of(function_.operands_of(last)[0].index)); break;
                case Action::branch_table: {
                    end.kind = End::Kind::choice;
                    end.condition = value(function_.operands_of(last)[0]);
                    for (const std::uint32_t label : function_.tables[function_.operands_of(last)[1].index].targets)
                        end.targets.push_back(target_of(label));
                    if (last.guard >= 0) {
                        end.condition = Value::of(result_.variables[last.guard]);
                        end.targets.push_back(next);
                    }
                    break;
                }
                case Action::ret:
                case Action::exit:
                case Action::trap: go(leaves); break;
                default: end.kind = End::Kind::jump; end.targets = {next};
            }
        }
        result_.hypotheses = {"lanes that part at a branch meet again where its region ends"};
        if (!function_.is_entry) result_.hypotheses.emplace_back("what it is given may be another in each thread");
        if (options_.arithmetic_is_exact) result_.hypotheses.emplace_back("sums and products of 32 bits do not wrap");
        return std::move(result_);
    }

private:
    static std::uint8_t width(Type type) { return type == Type::pred ? 1 : static_cast<std::uint8_t>(std::min(64u, register_bits(type))); }

    divergence::Place place(const Instruction &instruction) const {
        if (instruction.place.file != 0 && instruction.place.source_line != 0 && instruction.place.file < program_.files.size())
            return {instruction.place.file, instruction.place.source_line};
        return {0, instruction.place.line};
    }

    divergence::Variable temporary(unsigned bits) {
        const divergence::Variable result =
            result_.kernel.add_variable("t" + std::to_string(++temporaries_), static_cast<std::uint8_t>(bits));
        result_.kernel.variables.back().wants_register = false;
        return result;
    }

    divergence::Instruction &emit(Do operation, divergence::Variable to, std::vector<Value> operands = {}) {
        fit_constants(operation, operands);
        divergence::Instruction instruction;
        instruction.operation = operation;
        instruction.result = to;
        instruction.operands = std::move(operands);
        instruction.place = place(function_.code[at_]);
        auto &code = result_.kernel.blocks[block_].code;
        auto &made_of = result_.made_of[block_];
        if (!made_of.empty() && made_of.back() == at_) code.back().goes_on = true;
        code.push_back(std::move(instruction));
        made_of.push_back(at_);
        return code.back();
    }

    /// Constants are signed numbers of the width of the first variable beside them. Where operands have one width, that is what they mean;
    /// elsewhere they become variables.
    void fit_constants(Do operation, std::vector<Value> &operands) {
        const auto first = std::ranges::find_if(operands, [](const Value &one) { return !one.is_constant(); });
        if (first == operands.end()) return;
        const unsigned bits = result_.kernel.variables[first->variable].width;
        if (bits == 64) return;
        for (Value &one : operands) {
            if (!one.is_constant()) continue;
            const auto wrapped = static_cast<std::int64_t>(static_cast<std::uint64_t>(one.constant) << (64 - bits)) >> (64 - bits);
            if (wrapped == one.constant) continue;
            if (operation != Do::select && operation != Do::other && operation != Do::store && operation != Do::atomic_add) {
                one.constant = wrapped;
                continue;
            }
            const auto variable = temporary(64);
            emit(Do::constant, variable, {one});
            one = Value::of(variable);
        }
    }

    /// What an operand is worth; addresses of variables are the same for all lanes, but for those of their own memory.
    Value value(const Operand &operand) {
        switch (operand.kind) {
            case Operand::Kind::reg: {
                Value result = Value::of(result_.variables[operand.index]);
                if (operand.is_negated) {
                    const auto inverse = temporary(1);
                    emit(Do::equal, inverse, {result, Value::number(0)});
                    return Value::of(inverse);
                }
                return result;
            }
            case Operand::Kind::integer:
            case Operand::Kind::single:
            case Operand::Kind::real: return Value::number(operand.value);
            case Operand::Kind::special: {
                const auto which = static_cast<Special>(operand.index);
                const auto result = temporary(width(info(which).type));
                special(which, result);
                return Value::of(result);
            }
            default: {
                const auto result = temporary(64);
                emit(Do::parameter, result).word = "address";
                return Value::of(result);
            }
        }
    }

    void special(Special which, divergence::Variable to) {
        if (const auto known = special_of(which)) {
            emit(Do::special, to).special = *known;
        } else if (info(which).is_anew) {
            emit(Do::special, to).special = divergence::Special::clock;
        } else if (is_of_lane(which)) {
            const auto lane = temporary(32);
            emit(Do::special, lane).special = divergence::Special::lane;
            emit(Do::other, to, {Value::of(lane)}).word = info(which).text;
        } else {
            emit(Do::parameter, to).word = info(which).text;
        }
    }

    /// The registers that an operand writes: itself, the elements of a list or of p|q.
    std::vector<std::uint32_t> written(const Operand &operand) const {
        std::vector<std::uint32_t> registers;
        if (operand.kind == Operand::Kind::reg) registers.push_back(operand.index);
        if (operand.kind == Operand::Kind::list || operand.kind == Operand::Kind::pair)
            for (const Operand &element : function_.elements_of(operand))
                if (element.kind == Operand::Kind::reg) registers.push_back(element.index);
        return registers;
    }

    std::vector<Value> values(std::span<const Operand> operands) {
        std::vector<Value> result;
        for (const Operand &operand : operands) {
            if (operand.kind == Operand::Kind::list) {
                for (const Operand &element : function_.elements_of(operand)) result.push_back(value(element));
            } else if (operand.kind != Operand::Kind::sink && operand.kind != Operand::Kind::prototype &&
                       operand.kind != Operand::Kind::table) {
                result.push_back(value(operand));
            }
        }
        return result;
    }

    /// Gives what an instruction computes to a register: with a guard, the old value stays where it does not hold.
    template <typename Compute>
    void set(std::uint32_t reg, Compute compute) {
        const Instruction &instruction = function_.code[at_];
        const divergence::Variable to = result_.variables[reg];
        if (instruction.guard < 0) {
            compute(to);
        } else {
            const auto anew = temporary(width(function_.registers[reg]));
            compute(anew);
            const Value guard = Value::of(result_.variables[instruction.guard]);
            if (instruction.guard_negated) {
                emit(Do::select, to, {guard, Value::of(to), Value::of(anew)});
            } else {
                emit(Do::select, to, {guard, Value::of(anew), Value::of(to)});
            }
        }
        note();
    }

    void note() { result_.where[at_] = {block_, static_cast<std::uint32_t>(result_.kernel.blocks[block_].code.size() - 1)}; }

    /// What is read, where several registers are written, of which the first may be one that is read for the others.
    Value before_writing(const Operand &written_operand, const Value &read) {
        const auto registers = written(written_operand);
        const auto is_it = [&](std::uint32_t reg) { return read == Value::of(result_.variables[reg]); };
        if (registers.size() < 2 || std::ranges::none_of(registers, is_it)) return read;
        const auto kept = temporary(result_.kernel.variables[read.variable].width);
        emit(Do::copy, kept, {read});
        return Value::of(kept);
    }

    void set_each(const Operand &operand, Do operation, std::vector<Value> operands) {
        for (Value &one : operands) one = before_writing(operand, one);
        const std::string word(program_.opcode_of(function_.code[at_]).text);
        for (const std::uint32_t reg : written(operand))
            set(reg, [&](divergence::Variable to) { emit(operation, to, operands).word = word; });
    }

    Value address(const Operand &operand) {
        if (operand.kind != Operand::Kind::reg)
            return operand.kind == Operand::Kind::own_variable ? Value::number(operand.value) : value(operand);
        const Value base = Value::of(result_.variables[operand.index]);
        if (operand.value == 0) return base;
        const auto sum = temporary(width(function_.registers[operand.index]));
        emit(Do::add, sum, {base, Value::number(operand.value)});
        return Value::of(sum);
    }

    Value widened(const Operand &operand, Type from, unsigned to) {
        const Value narrow = value(operand);
        if (narrow.is_constant()) return narrow;
        const auto wide = temporary(to);
        emit(Do::widen, wide, {narrow}).is_unsigned = !has_sign(from);
        return Value::of(wide);
    }

    void arithmetic(const Opcode &opcode, std::span<const Operand> operands);
    void compare(const Opcode &opcode, std::span<const Operand> operands);
    void convert(const Opcode &opcode, std::span<const Operand> operands);
    void move(std::span<const Operand> operands);
    void translate(const Instruction &instruction);
    void complete(const Instruction &instruction);

    const Program &program_;
    const Function &function_;
    const KernelsOptions &options_;
    Blocks blocks_;
    DivergenceKernel result_;
    std::uint32_t block_ = 0, at_ = 0;
    unsigned temporaries_ = 0;
};

void Writer::arithmetic(const Opcode &opcode, std::span<const Operand> operands) {
    struct Known {
        Form form;
        Do operation;
    };
    static constexpr Known known[] = {
        {Form::add, Do::add},        {Form::sub, Do::subtract},     {Form::mul_lo, Do::multiply}, {Form::mad_lo, Do::multiply_add},
        {Form::shl, Do::shift_left}, {Form::shr, Do::shift_right},  {Form::div, Do::divide},      {Form::rem, Do::remainder},
        {Form::and_, Do::bit_and},   {Form::or_, Do::bit_or},       {Form::xor_, Do::bit_xor},    {Form::min, Do::minimum},
        {Form::max, Do::maximum},    {Form::and_pred, Do::bit_and}, {Form::or_pred, Do::bit_or},  {Form::xor_pred, Do::bit_xor}};
    if (operands[0].kind != Operand::Kind::reg) return;
    const std::uint32_t reg = operands[0].index;
    const bool is_exact = options_.arithmetic_is_exact && bits_of(opcode.type) == 32;
    if (opcode.form == Form::mul_wide || opcode.form == Form::mad_wide) {
        const unsigned bits = 2 * bits_of(opcode.type);
        const Value a = widened(operands[1], opcode.type, bits), b = widened(operands[2], opcode.type, bits);
        set(reg, [&](divergence::Variable to) {
            if (opcode.form == Form::mul_wide) {
                emit(Do::multiply, to, {a, b});
            } else {
                emit(Do::multiply_add, to, {a, b, value(operands[3])});
            }
        });
        return;
    }
    const auto row = std::ranges::find(known, opcode.form, &Known::form);
    if (row != std::end(known)) {
        set(reg, [&](divergence::Variable to) {
            auto given = values(operands.subspan(1));
            divergence::Instruction &one = emit(row->operation, to, std::move(given));
            one.is_unsigned = !has_sign(opcode.type);
            one.exact = is_exact && (row->operation == Do::add || row->operation == Do::subtract || row->operation == Do::multiply ||
                                     row->operation == Do::multiply_add || row->operation == Do::shift_left);
        });
    } else if (opcode.form == Form::not_pred) {
        set(reg, [&](divergence::Variable to) { emit(Do::equal, to, {value(operands[1]), Value::number(0)}); });
    } else if (opcode.form == Form::selp) {
        set(reg, [&](divergence::Variable to) {
            const Value a = value(operands[1]), b = value(operands[2]), c = value(operands[3]);
            emit(Do::select, to, {c, a, b});
        });
    } else {
        set_each(operands[0], Do::other, values(operands.subspan(1)));
    }
}

void Writer::compare(const Opcode &opcode, std::span<const Operand> operands) {
    const bool is_natural = info(opcode.type).kind == TypeKind::natural || opcode.compare == Word::lo || opcode.compare == Word::ls ||
                            opcode.compare == Word::hi || opcode.compare == Word::hs;
    Value a = value(operands[1]), b = value(operands[2]);
    const auto asked = temporary(1);
    std::optional<Do> operation;
    bool is_swapped = false;
    if (!is_real(opcode.type) && info(opcode.type).kind != TypeKind::packed) {
        switch (opcode.compare) {
            case Word::eq: operation = Do::equal; break;
            case Word::ne: operation = Do::unequal; break;
            case Word::lt:
            case Word::lo: operation = Do::less; break;
            case Word::le:
            case Word::ls: operation = Do::less_equal; break;
            case Word::gt:
            case Word::hi:
                operation = Do::less;
                is_swapped = true;
                break;
            case Word::ge:
            case Word::hs:
                operation = Do::less_equal;
                is_swapped = true;
                break;
            default: break;
        }
    }
    if (is_swapped) std::swap(a, b);
    divergence::Instruction &one = emit(operation.value_or(Do::other), asked, {a, b});
    one.is_unsigned = is_natural;
    if (!operation) one.word = opcode.text;
    Value answer = Value::of(asked);
    const auto registers = written(operands[0]);
    if (opcode.action() == Action::set) {
        set_each(operands[0], Do::other, {answer});
        return;
    }
    for (std::size_t which = 0; which < registers.size(); ++which) {
        Value given = answer;
        // The second of p|q has the opposite.
        const bool is_opposite =
            which == 1 || (operands[0].kind == Operand::Kind::pair && function_.elements_of(operands[0])[0].kind == Operand::Kind::sink);
        if (is_opposite) {
            const auto inverse = temporary(1);
            emit(Do::equal, inverse, {answer, Value::number(0)});
            given = Value::of(inverse);
        }
        set(registers[which], [&](divergence::Variable to) {
            if (operands.size() > 3) {
                const Value with = value(operands[3]);
                emit(opcode.combine == Word::and_  ? Do::bit_and
                     : opcode.combine == Word::or_ ? Do::bit_or
                                                   : Do::bit_xor,
                     to, {given, with});
            } else {
                emit(Do::copy, to, {given});
            }
        });
    }
}

void Writer::convert(const Opcode &opcode, std::span<const Operand> operands) {
    const Type to = opcode.second, from = opcode.type;
    const bool is_whole = !is_real(to) && !is_real(from) && info(to).kind != TypeKind::packed && !opcode.has(Word::sat);
    if (!is_whole || operands[0].kind != Operand::Kind::reg || bits_of(to) < 16 || bits_of(from) < 16 ||
        bits_of(to) != register_bits(function_.registers[operands[0].index])) {
        set_each(operands[0], Do::other, values(operands.subspan(1)));
        return;
    }
    set(operands[0].index, [&](divergence::Variable into) {
        const Value a = value(operands[1]);
        if (a.is_constant() || bits_of(to) == bits_of(from)) {
            emit(Do::copy, into, {a});
        } else if (bits_of(to) < bits_of(from)) {
            emit(Do::narrow, into, {a});
        } else {
            emit(Do::widen, into, {a}).is_unsigned = !has_sign(from);
        }
    });
}

void Writer::move(std::span<const Operand> operands) {
    if (operands[0].kind == Operand::Kind::reg && operands[1].kind == Operand::Kind::special) {
        set(operands[0].index, [&](divergence::Variable to) { special(static_cast<Special>(operands[1].index), to); });
    } else if (operands[0].kind == Operand::Kind::reg && operands[1].kind != Operand::Kind::list) {
        set(operands[0].index, [&](divergence::Variable to) {
            const Value a = value(operands[1]);
            emit(a.is_constant() ? Do::constant : Do::copy, to, {a});
        });
    } else {
        set_each(operands[0], Do::other, values(operands.subspan(1)));
    }
}

void Writer::translate(const Instruction &instruction) {
    const Opcode &opcode = program_.opcode_of(instruction);
    const auto operands = function_.operands_of(instruction);
    switch (opcode.action()) {
        case Action::lanes:
        case Action::lop3: arithmetic(opcode, operands); break;
        case Action::compare:
        case Action::set: compare(opcode, operands); break;
        case Action::convert: convert(opcode, operands); break;
        case Action::move: move(operands); break;
        case Action::convert_pair:
        case Action::carry:
        case Action::is_space:
        case Action::map_address:
        case Action::texture:
        case Action::texture_query:
            set_each(operands[0], opcode.action() == Action::carry ? Do::opaque : Do::other,
                     opcode.action() == Action::carry ? std::vector<Value>() : values(operands.subspan(1)));
            break;
        case Action::from_generic:
        case Action::to_generic:
            // The base of shared memory is the same for all lanes that stand together; each thread's local memory is elsewhere.
            if (opcode.space == Space::local || operands[0].kind != Operand::Kind::reg) {
                set_each(operands[0], Do::opaque, {});
            } else {
                set(operands[0].index, [&](divergence::Variable to) {
                    const Value a = value(operands[1]);
                    if (opcode.space != Space::shared) {
                        emit(Do::copy, to, {a});
                    } else {
                        const auto base = temporary(64);
                        emit(Do::parameter, base).word = "shared";
                        emit(opcode.action() == Action::to_generic ? Do::add : Do::subtract, to, {a, Value::of(base)});
                    }
                });
            }
            break;
        case Action::load: {
            Memory memory = Memory::shared;
            if (opcode.space == Space::constant || opcode.has(Word::nc)) memory = Memory::constant;
            if (opcode.space == Space::param) memory = function_.is_entry ? Memory::constant : Memory::own;
            if (opcode.space == Space::param && operands[1].kind == Operand::Kind::own_variable) {
                // Variables of a call are the thread's own, those of the kernel are not.
                const bool is_formal =
                    std::ranges::find(function_.parameters, operands[1].index, &Formal::index) != function_.parameters.end();
                memory = is_formal && function_.is_entry ? Memory::constant : Memory::own;
            }
            if (opcode.space == Space::local) memory = Memory::own;
            const Value from = before_writing(operands[0], address(operands[1]));
            for (const std::uint32_t reg : written(operands[0]))
                set(reg, [&](divergence::Variable to) { emit(Do::load, to, {from}).memory = memory; });
            break;
        }
        case Action::store: {
            const Value to = address(operands[0]);
            for (const Value &one : values(operands.subspan(1, 1))) emit(Do::store, divergence::no_variable, {to, one});
            note();
            break;
        }
        case Action::atomic: {
            const bool is_red = opcode.root() == "red";
            const Value at = address(operands[is_red ? 0 : 1]);
            const Value given = value(operands[is_red ? 1 : 2]);
            if (is_red || operands[0].kind != Operand::Kind::reg) {
                emit(Do::atomic_add, temporary(width(opcode.type)), {at, given}).word = opcode.text;
                note();
            } else {
                set(operands[0].index, [&](divergence::Variable to) { emit(Do::atomic_add, to, {at, given}).word = opcode.text; });
            }
            break;
        }
        case Action::barrier:
        case Action::warp_barrier:
        case Action::barrier_arrive:
        case Action::cluster_barrier:
            emit(Do::sync, divergence::no_variable).word = opcode.text;
            note();
            break;
        case Action::ballot:
        case Action::vote:
        case Action::redux: {
            // The same in all lanes that name the same ones.
            const bool says_who = operands.size() > 2 && operands[2].kind != Operand::Kind::integer;
            if (says_who) set_each(operands[0], Do::other, values(operands.subspan(2)));
            else set_each(operands[0], Do::parameter, {});
            break;
        }
        case Action::activemask:
        case Action::barrier_vote:
        case Action::barrier_count: set_each(operands[0], Do::parameter, {}); break;
        case Action::shuffle:
        case Action::match_any:
        case Action::match_all:
        case Action::elect:
        case Action::surface_load: set_each(operands[0], Do::opaque, {}); break;
        case Action::call: set_each(operands[0], Do::opaque, {}); break;
        case Action::unable:
        case Action::fence:
        case Action::nothing:
        case Action::branch:
        case Action::branch_table:
        case Action::ret:
        case Action::exit:
        case Action::trap:
        case Action::yield:
        case Action::copy_async:
        case Action::surface_store: break;
    }
}

/// What the parts of an instruction leave out: registers that it writes get anything, those that it reads are read.
void Writer::complete(const Instruction &instruction) {
    auto &code = result_.kernel.blocks[block_].code;
    const auto &made_of = result_.made_of[block_];
    std::size_t begin = code.size();
    while (begin > 0 && made_of[begin - 1] == at_) --begin;
    std::vector<Value> read;
    std::vector<divergence::Variable> lacking;
    const auto is_written = [&](divergence::Variable variable) {
        return std::any_of(code.begin() + static_cast<std::ptrdiff_t>(begin), code.end(),
                           [&](const divergence::Instruction &part) { return part.result == variable; });
    };
    each_register(program_, function_, instruction, [&](const Operand &operand, bool writes) {
        const divergence::Variable variable = result_.variables[operand.index];
        if (writes && !is_written(variable)) lacking.push_back(variable);
        if (!writes) read.push_back(Value::of(variable));
    });
    if (program_.opcode_of(instruction).action() == Action::branch_table) return;  // its register is the condition of the block's end
    std::erase_if(read, [&](const Value &one) {
        return std::any_of(code.begin() + static_cast<std::ptrdiff_t>(begin), code.end(), [&](const divergence::Instruction &part) {
            return std::ranges::find(part.operands, one) != part.operands.end();
        });
    });
    if (!read.empty() || !lacking.empty()) emit(Do::opaque, divergence::no_variable, std::move(read)).word = "reads";
    for (const divergence::Variable variable : lacking) emit(Do::opaque, variable).word = "writes";
}

}  // namespace

std::vector<DivergenceKernel> divergence_kernels(const Program &program, const std::vector<std::string> &names,
                                                 const KernelsOptions &options) {
    std::vector<DivergenceKernel> result;
    for (std::uint32_t at = 0; at < program.functions.size(); ++at) {
        const Function &function = program.functions[at];
        if (!function.has_body || (!names.empty() && std::ranges::find(names, function.name) == names.end())) continue;
        result.push_back(Writer(program, function, options).run());
        result.back().function = at;
    }
    return result;
}

}  // namespace mog::ptx
