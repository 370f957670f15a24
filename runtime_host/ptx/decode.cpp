// decode.cpp: instructions to operations: places in the frame, constants, and what takes several steps.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <map>
#include <set>

#include "assembler/analysis/dominators.hpp"
#include "runtime_host/ptx/code.hpp"
#include "support/sizes.hpp"
#include "translator/ptx/blocks.hpp"
#include "translator/ptx/meanings.h"

namespace mog::ptx {
namespace {

using namespace MOG_PTX_TIER;  // for the names of modes

/// 16, 32, 64 bits: 0, 1, 2.
std::size_t width_index(unsigned bits) { return bits / 32; }
std::size_t log_of(unsigned bytes) { return static_cast<std::size_t>(std::countr_zero(bytes)); }

class Decoder {
public:
    Decoder(const Program &program, const Function &function, const Addresses &addresses, bool late_errors)
        : program_(program), function_(function), addresses_(addresses), late_errors_(late_errors), handlers_(handlers()) {}

    Result<std::unique_ptr<Code>> all() {
        code_ = std::make_unique<Code>();
        code_->function = &function_;
        lay_out();
        const Blocks blocks = find_blocks(program_, function_);
        std::vector<std::uint32_t> first_op(function_.code.size() + 1);
        for (at_ = 0; at_ < function_.code.size(); ++at_) {
            first_op[at_] = static_cast<std::uint32_t>(code_->ops.size());
            const Instruction &instruction = function_.code[at_];
            translate(instruction);
            if (error_)
                return Error{fmt::format("{}: {}", program_.opcode_of(instruction).text, *error_), program_.text_of(instruction.place)};
            if (code_->ops.size() > first_op[at_]) code_->ops[first_op[at_]].flags |= op_begins_instruction;
        }
        first_op[at_] = static_cast<std::uint32_t>(code_->ops.size());
        if (!function_.code.empty()) --at_;
        add(Control::ret).guard = no_offset;
        connect(blocks, first_op);
        for (Op &op : code_->ops)
            if (op.control == Control::none && op.guard == no_offset && (op.flags & (op_begins_block | op_is_atomic)) == 0)
                op.flags |= op_is_plain;
        code_->frame_bytes = next_;
        tell_places(first_op);
        return std::move(code_);
    }

private:
    // --- The frame ---

    static std::uint32_t bytes_of(Type type) { return type == Type::pred ? 0 : register_bits(type) / 8; }

    std::uint32_t room(std::uint32_t bytes) {  // of an element; 0: a predicate
        const std::uint32_t offset = next_;
        next_ += bytes == 0 ? 4 : bytes * warp_lanes;
        return offset;
    }
    std::uint32_t aligned_room(std::uint32_t bytes) {
        next_ = static_cast<std::uint32_t>(round_up(next_, bytes == 0 ? 4 : 64));
        return room(bytes);
    }

    void lay_out() {
        // Only registers that are used have a place.
        is_used_.resize(function_.registers.size());
        const auto use = [&](const Operand &operand) {
            if (operand.kind == Operand::Kind::reg) is_used_[operand.index] = true;
        };
        for (const Operand &operand : function_.operands) use(operand);
        for (const Operand &operand : function_.elements) use(operand);
        for (const Instruction &instruction : function_.code)
            if (instruction.guard >= 0) is_used_[static_cast<std::size_t>(instruction.guard)] = true;
        for (const auto *formals : {&function_.returns, &function_.parameters})
            for (const Formal &formal : *formals)
                if (formal.is_register) is_used_[formal.index] = true;
        places_.resize(function_.registers.size());
        for (const std::uint32_t bytes : {16u, 8u, 4u, 2u, 0u}) {
            for (std::size_t reg = 0; reg < places_.size(); ++reg) {
                if (!is_used_[reg] || bytes_of(function_.registers[reg]) != bytes) continue;
                places_[reg] = bytes == 0 ? room(0) : aligned_room(bytes);
                code_->registers += std::max(1u, bytes / 4);
            }
        }
        variables_.resize(function_.variables.size());
        const bool is_called = !function_.is_entry;
        std::set<std::uint32_t> given;
        if (!is_called)
            for (const Formal &formal : function_.parameters) given.insert(formal.index);
        std::uint64_t given_bytes = 0;
        for (std::uint32_t at = 0; at < variables_.size(); ++at) {
            const Variable &variable = function_.variables[at];
            if (variable.space == Space::local) {
                code_->local_bytes = static_cast<std::uint32_t>(round_up(code_->local_bytes, variable.alignment));
                variables_[at].offset = code_->local_bytes;
                code_->local_bytes += static_cast<std::uint32_t>(variable.size);
            } else if (given.contains(at)) {
                given_bytes = round_up(given_bytes, variable.alignment);
                variables_[at].offset = static_cast<std::uint32_t>(given_bytes);
                variables_[at].is_given = true;
                given_bytes += variable.size;
            } else {
                next_ = static_cast<std::uint32_t>(round_up(next_, 64));
                variables_[at].offset = next_;
                variables_[at].stride = static_cast<std::uint32_t>(round_up(std::max<std::uint64_t>(variable.size, 1), 8));
                next_ += variables_[at].stride * warp_lanes;
            }
        }
        code_->local_bytes = static_cast<std::uint32_t>(round_up(code_->local_bytes, 16));
        if (is_called) {
            const auto passed = [&](const std::vector<Formal> &formals, std::vector<Passed> &into) {
                for (const Formal &formal : formals)
                    into.push_back(formal.is_register ? of_register(formal.index) : of_variable(formal.index));
            };
            passed(function_.returns, code_->returns);
            passed(function_.parameters, code_->parameters);
        }
    }

    void tell_places(const std::vector<std::uint32_t> &first_op) {
        FunctionPlaces &places = code_->places;
        places.registers = places_;
        for (std::size_t reg = 0; reg < places_.size(); ++reg)
            if (!is_used_[reg]) places.registers[reg] = FunctionPlaces::none;
        for (std::size_t at = 0; at < variables_.size(); ++at) {
            const bool is_local = function_.variables[at].space == Space::local;
            places.given.push_back(variables_[at].is_given ? variables_[at].offset : FunctionPlaces::none);
            places.local.push_back(is_local ? variables_[at].offset : FunctionPlaces::none);
        }
        places.local_bytes = code_->local_bytes;
        places.carry = carry_;
        // What is passed to functions of the engine stands in the frame, where all that is done with it is done. What is passed to other
        // functions, and what a function is given, compiled code holds itself.
        const auto is_other_call = [&](const Op &op) {
            return op.control == Control::call && code_->calls[op.target].builtin == Builtin::none;
        };
        std::set<std::uint32_t> passed;
        for (const Op &op : code_->ops)
            if (is_other_call(op))
                for (const std::size_t list : {0, 2})
                    for (const Operand &element : function_.elements_of(function_.operands_of(function_.code[op.instruction])[list]))
                        if (element.kind == Operand::Kind::own_variable) passed.insert(element.index);
        if (!function_.is_entry)
            for (const auto *formals : {&function_.returns, &function_.parameters})
                for (const Formal &formal : *formals)
                    if (!formal.is_register) passed.insert(formal.index);
        for (std::uint32_t at = 0; at < variables_.size(); ++at) {
            const bool is_held = passed.contains(at) && places.given[at] == FunctionPlaces::none;
            places.held.push_back(is_held ? variables_[at].offset : FunctionPlaces::none);
            places.stride.push_back(variables_[at].stride);
        }
        const auto is_passed = [&](const Operand &operand) {
            return operand.kind == Operand::Kind::own_variable && passed.contains(operand.index);
        };
        for (std::size_t at = 0; at < function_.code.size(); ++at) {
            bool can_run = true;
            for (std::uint32_t op = first_op[at]; op < first_op[at + 1]; ++op) {
                const Control control = code_->ops[op].control;
                can_run &=
                    control == Control::none || control == Control::clock || (control == Control::call && !is_other_call(code_->ops[op]));
            }
            for (const Operand &operand : function_.operands_of(function_.code[at])) {
                can_run &= !is_passed(operand);
                if (operand.kind == Operand::Kind::list) can_run &= std::ranges::none_of(function_.elements_of(operand), is_passed);
            }
            places.can_run.push_back(can_run ? 1 : 0);
        }
        code_->first_op = first_op;
    }

    Passed of_register(std::uint32_t reg) const { return {false, places_[reg], 0, bytes_of(function_.registers[reg])}; }
    Passed of_variable(std::uint32_t at) const {
        return {true, variables_[at].offset, variables_[at].stride, static_cast<std::uint32_t>(function_.variables[at].size)};
    }

    std::uint32_t temporary(std::uint32_t bytes) {
        // One for each step of an instruction; they are used again by the next.
        auto &free = temporaries_[bytes];
        if (used_[bytes] == free.size()) free.push_back(aligned_room(bytes));
        return free[used_[bytes]++];
    }

    std::uint32_t constant(Constant::Kind kind, std::uint32_t bytes, std::uint64_t value, std::uint32_t stride = 0) {
        const auto key = std::make_tuple(kind, bytes, value);
        const auto known = constants_.find(key);
        if (known != constants_.end()) return known->second;
        const std::uint32_t offset = aligned_room(bytes);
        code_->constants.push_back({kind, static_cast<std::uint8_t>(bytes), offset, stride, value});
        constants_.emplace(key, offset);
        return offset;
    }

    // --- Operations ---

    Op &add(Handler run, std::uint32_t d = 0, std::uint32_t a = 0, std::uint32_t b = 0, std::uint32_t c = 0, std::uint32_t e = 0) {
        Op op;
        op.run = run;
        op.d = d;
        op.a = a;
        op.b = b;
        op.c = c;
        op.e = e;
        op.instruction = at_;
        if (!function_.code.empty()) {
            const Instruction &instruction = function_.code[at_];
            if (instruction.guard >= 0) {
                op.guard = places_[static_cast<std::size_t>(instruction.guard)];
                if (instruction.guard_negated) op.flags |= op_guard_negated;
            }
        }
        code_->ops.push_back(op);
        return code_->ops.back();
    }
    Op &add(Control control) {
        Op &op = add(Handler{});
        op.control = control;
        return op;
    }

    void unable(std::string why) {
        if (!late_errors_) {
            error_ = std::move(why);
            return;
        }
        Op &op = add(Control::unable);
        op.target = static_cast<std::uint32_t>(code_->errors.size());
        code_->errors.push_back(std::move(why));
    }

    // --- Operands ---

    /// Where the value of an operand of a type stands.
    std::uint32_t source(const Operand &operand, Type type) {
        const std::uint32_t bytes = bytes_of(type);
        switch (operand.kind) {
            case Operand::Kind::reg: {
                const Type has = function_.registers[operand.index];
                const std::uint32_t place = places_[operand.index];
                if (type == Type::pred) {
                    if (!operand.is_negated) return place;
                    const std::uint32_t inverse = temporary(0);
                    add(lanes(Form::not_pred, Type::pred), inverse, place);
                    return inverse;
                }
                if (bytes_of(has) == bytes) return place;
                const std::uint32_t other = temporary(bytes);
                add(handlers_.resize[width_index(register_bits(has))][width_index(register_bits(type))][has_sign(type) && has_sign(has)],
                    other, place);
                return other;
            }
            case Operand::Kind::integer:
            case Operand::Kind::single:
            case Operand::Kind::real: return constant(Constant::Kind::number, bytes, number_as(operand, type));
            case Operand::Kind::special: {
                const auto which = static_cast<Special>(operand.index);
                const Type has = info(which).type;
                std::uint32_t place = 0;
                if (info(which).is_anew) {
                    place = temporary(bytes_of(has));
                    Op &op = add(Control::clock);
                    op.d = place;
                    op.target = operand.index;
                } else {
                    place = constant(Constant::Kind::special, bytes_of(has), operand.index);
                }
                if (bytes_of(has) == bytes) return place;
                if (has == Type::pred || type == Type::pred) return place;
                const std::uint32_t other = temporary(bytes);
                add(handlers_.resize[width_index(register_bits(has))][width_index(register_bits(type))][0], other, place);
                return other;
            }
            case Operand::Kind::module_variable:
                return constant(Constant::Kind::number, bytes,
                                addresses_.variables[operand.index] + static_cast<std::uint64_t>(operand.value));
            case Operand::Kind::function: return constant(Constant::Kind::number, bytes, addresses_.functions[operand.index]);
            case Operand::Kind::own_variable: {
                const Place &place = variables_[operand.index];
                const std::uint64_t value = place.offset + static_cast<std::uint64_t>(operand.value);
                if (function_.variables[operand.index].space == Space::local) return constant(Constant::Kind::local, bytes, value);
                if (place.is_given) return constant(Constant::Kind::given, bytes, value);
                return constant(Constant::Kind::param, bytes, value, place.stride);
            }
            default: error_ = "this operand is not expected here"; return 0;
        }
    }

    /// Where a result of a type goes; if the register is wider or there is none, it is put there by finish().
    std::uint32_t destination(const Operand &operand, Type type) {
        const std::uint32_t bytes = bytes_of(type);
        if (operand.kind != Operand::Kind::reg) return temporary(bytes);
        const Type has = function_.registers[operand.index];
        if (bytes_of(has) == bytes) return places_[operand.index];
        const std::uint32_t place = temporary(bytes);
        pending_.push_back({operand.index, place, type});
        return place;
    }
    void finish() {
        for (const auto &[reg, place, type] : pending_)
            add(handlers_.resize[width_index(register_bits(type))][width_index(register_bits(function_.registers[reg]))][has_sign(type)],
                places_[reg], place);
        pending_.clear();
    }

    Handler lanes(Form form, Type type, std::size_t modes = 2) const {
        const auto &row = handlers_.lanes[static_cast<std::size_t>(form)];
        const Handler wanted = row[modes][static_cast<std::size_t>(type)];
        return wanted != nullptr ? wanted : row[2][static_cast<std::size_t>(type)];
    }

    static std::uint32_t rounding(Word word) {
        switch (word) {
            case Word::rz:
            case Word::rzi: return mode_round * static_cast<std::uint32_t>(Rounding::zero);
            case Word::rm:
            case Word::rmi: return mode_round * static_cast<std::uint32_t>(Rounding::down);
            case Word::rp:
            case Word::rpi: return mode_round * static_cast<std::uint32_t>(Rounding::up);
            default: return 0;
        }
    }

    static std::uint32_t modes_of(const Opcode &opcode) {
        std::uint32_t modes = rounding(opcode.round);
        if (opcode.has(Word::ftz)) modes |= mode_ftz;
        if (opcode.has(Word::sat)) modes |= mode_sat;
        if (opcode.has(Word::relu)) modes |= mode_relu;
        if (opcode.has(Word::nan)) modes |= mode_nan;
        if (opcode.has(Word::xorsign)) modes |= mode_xorsign;
        if (opcode.has(Word::wrap)) modes |= mode_wrap;
        switch (opcode.mode) {
            case Word::f4e:
            case Word::infinite: modes |= 1 * mode_choice; break;
            case Word::b4e:
            case Word::number: modes |= 2 * mode_choice; break;
            case Word::rc8:
            case Word::notanumber: modes |= 3 * mode_choice; break;
            case Word::ecl:
            case Word::normal: modes |= 4 * mode_choice; break;
            case Word::ecr:
            case Word::subnormal: modes |= 5 * mode_choice; break;
            case Word::rc16: modes |= 6 * mode_choice; break;
            case Word::hi: modes |= mode_high; break;
            default: break;
        }
        if (opcode.form == Form::dp4a || opcode.form == Form::dp2a) {
            if (has_sign(opcode.second)) modes |= mode_signed_second;
        }
        return modes;
    }

    // --- Instructions ---

    Type type_of(const OperandSpec &spec, const Opcode &opcode) const {
        const Type type = spec.of_first ? opcode.type : spec.of_second ? opcode.second : spec.type;
        if (!spec.is_twice) return type;
        switch (type) {
            case Type::u16: return Type::u32;
            case Type::s16: return Type::s32;
            case Type::u32: return Type::u64;
            default: return Type::s64;
        }
    }

    void on_lanes(const Opcode &opcode, std::span<const Operand> operands) {
        const FormInfo &form = info(opcode.form);
        const std::uint32_t modes = modes_of(opcode);
        const Handler run = lanes(opcode.form, opcode.type, modes == 0 ? 0 : modes == mode_ftz ? 1 : 2);
        std::array<std::uint32_t, 4> sources{};
        for (std::size_t at = 1; at < operands.size(); ++at) sources[at - 1] = source(operands[at], type_of(form.operands[at], opcode));
        const std::uint32_t to = destination(operands[0], type_of(form.operands[0], opcode));
        add(run, to, sources[0], sources[1], sources[2], sources[3]).modes = modes;
    }

    /// Gives a predicate, or two of p|q, what stands at `asked` and `other`, combined with another as the opcode says.
    void give_predicates(const Opcode &opcode, const Operand &to, std::uint32_t asked, std::optional<std::uint32_t> other,
                         std::uint32_t with, bool is_combined) {
        std::array<Operand, 2> registers;
        if (to.kind == Operand::Kind::pair) {
            std::ranges::copy(function_.elements_of(to), registers.begin());
        } else {
            registers[0] = to;
        }
        if (registers[1].kind == Operand::Kind::reg && !other) {
            other = temporary(0);
            add(lanes(Form::not_pred, Type::pred), *other, asked);
        }
        for (std::size_t at = 0; at < 2; ++at) {
            if (registers[at].kind != Operand::Kind::reg) continue;
            const std::uint32_t answer = at == 0 ? asked : *other;
            if (is_combined) {
                add(combination(opcode), places_[registers[at].index], answer, with);
            } else if (places_[registers[at].index] != answer) {
                add(handlers_.move[0], places_[registers[at].index], answer);
            }
        }
    }
    Handler combination(const Opcode &opcode) const {
        return lanes(opcode.combine == Word::and_  ? Form::and_pred
                     : opcode.combine == Word::or_ ? Form::or_pred
                                                   : Form::xor_pred,
                     Type::pred);
    }

    void compare(const Opcode &opcode, std::span<const Operand> operands) {
        const bool is_pair = info(opcode.type).kind == TypeKind::packed;
        const Type type = opcode.type == Type::f16x2 ? Type::f16 : opcode.type == Type::bf16x2 ? Type::bf16 : opcode.type;
        const Handler run = handlers_.compare[static_cast<std::size_t>(opcode.compare)][static_cast<std::size_t>(type)];
        if (run == nullptr) return unable(fmt::format("there is no comparison {} of .{}", text_of(opcode.compare), info(opcode.type).name));
        const std::uint32_t a = source(operands[1], opcode.type), b = source(operands[2], opcode.type);
        const bool is_combined = operands.size() > 3;
        const std::uint32_t with = is_combined ? source(operands[3], Type::pred) : 0;
        const bool is_simple = opcode.action() == Action::compare && operands[0].kind == Operand::Kind::reg && !is_combined;
        const std::uint32_t asked = is_simple ? places_[operands[0].index] : temporary(0);
        std::optional<std::uint32_t> other;
        if (is_pair) {
            // Of the lower halves, then of the upper ones.
            other = temporary(0);
            for (const std::uint32_t by : {0u, 16u}) {
                const std::uint32_t x = temporary(2), y = temporary(2);
                add(handlers_.split[2], x, a).value = by;
                add(handlers_.split[2], y, b).value = by;
                add(run, by == 0 ? asked : *other, x, y).modes = modes_of(opcode);
            }
        } else {
            add(run, asked, a, b).modes = modes_of(opcode);
        }
        if (opcode.action() == Action::compare) {
            if (!is_simple) give_predicates(opcode, operands[0], asked, other, with, is_combined);
            return;
        }
        // All bits, or 1 as a float; of pairs in each half.
        const Type result = opcode.second;
        const unsigned bits = bits_of(result);
        if (bits == 64 || (is_pair && bits != 32)) return unable("set gives 16 or 32 bits, of pairs 32");
        const std::uint64_t yes = is_real(result) || info(result).kind == TypeKind::packed ? one_of(result) : is_pair ? 0xffff : ~0u;
        const auto chosen = [&](std::uint32_t answer, std::uint64_t number, std::uint32_t to) {
            if (is_combined) {
                const std::uint32_t combined = temporary(0);
                add(combination(opcode), combined, answer, with);
                answer = combined;
            }
            const unsigned bytes = bits / 8;
            const std::uint32_t one = constant(Constant::Kind::number, bytes, bits == 16 ? number & 0xffff : number);
            add(lanes(Form::selp, bits == 16 ? Type::b16 : Type::b32), to, one, constant(Constant::Kind::number, bytes, 0), answer);
        };
        if (!is_pair) return chosen(asked, yes, destination(operands[0], result));
        const std::uint32_t low = temporary(4), high = temporary(4);
        chosen(asked, yes, low);
        chosen(*other, yes << 16, high);
        add(lanes(Form::or_, Type::b32), destination(operands[0], result), low, high);
    }
    /// 1 as a float; of a pair, as one half.
    static std::uint64_t one_of(Type type) {
        return type == Type::f32 ? 0x3f800000 : type == Type::f16 || type == Type::f16x2 ? 0x3c00 : 0x3f80;
    }

    void move(const Opcode &opcode, std::span<const Operand> operands) {
        const Type type = opcode.type;
        if (type == Type::b128) return unable("128 bits at once are not executed");
        const bool gives_list = operands[0].kind == Operand::Kind::list, takes_list = operands[1].kind == Operand::Kind::list;
        const auto part_handler = [&](const std::array<Handler, 4> &by, unsigned part) -> Handler {
            if (bits_of(type) == 64) return part == 32 ? by[0] : part == 16 ? by[1] : nullptr;
            return bits_of(type) == 32 && part == 16 ? by[2] : nullptr;
        };
        const auto parts = [&](const Operand &list, auto each) {
            unsigned at = 0;
            for (const Operand &element : function_.elements_of(list)) {
                const unsigned bits =
                    element.kind == Operand::Kind::reg ? register_bits(function_.registers[element.index]) : bits_of(type) / list.count;
                each(element, at, bits);
                at += bits;
            }
        };
        if (!gives_list && !takes_list) {
            if (operands[0].kind == Operand::Kind::sink) return;
            const std::uint32_t from = source(operands[1], type);
            const std::uint32_t to = destination(operands[0], type);
            add(handlers_.move[type == Type::pred ? 0 : log_of(bytes_of(type))], to, from);
            return;
        }
        std::uint32_t whole = 0;
        if (takes_list) {
            whole = temporary(bytes_of(type));
            bool is_good = true;
            parts(operands[1], [&](const Operand &element, unsigned at, unsigned bits) {
                const Handler run = part_handler(handlers_.join, bits);
                if (run == nullptr) {
                    is_good = false;
                    return;
                }
                const Type part = bits == 32 ? Type::b32 : Type::b16;
                add(run, whole, source(element, part)).value = at;
            });
            if (!is_good) return unable("parts of 8 bits are not executed");
            if (!gives_list) {
                add(handlers_.move[log_of(bytes_of(type))], destination(operands[0], type), whole);
                return;
            }
        } else {
            whole = source(operands[1], type);
            // A part may be the register itself.
            const std::uint32_t copy = temporary(bytes_of(type));
            add(handlers_.move[log_of(bytes_of(type))], copy, whole);
            whole = copy;
        }
        bool is_good = true;
        parts(operands[0], [&](const Operand &element, unsigned at, unsigned bits) {
            const Handler run = part_handler(handlers_.split, bits);
            if (run == nullptr) {
                is_good = false;
            } else if (element.kind == Operand::Kind::reg) {
                add(run, places_[element.index], whole).value = at;
            }
        });
        if (!is_good) unable("parts of 8 bits are not executed");
    }

    void convert(const Opcode &opcode, std::span<const Operand> operands) {
        const Type to = opcode.second, from = opcode.type;
        if (to == Type::none || info(to).kind == TypeKind::packed ||
            handlers_.convert[0][static_cast<std::size_t>(to)][static_cast<std::size_t>(from)] == nullptr)
            return unable("this conversion is not executed");
        std::uint32_t modes = modes_of(opcode);
        const bool to_real = is_real(to);
        const bool is_integral =
            opcode.round == Word::rni || opcode.round == Word::rzi || opcode.round == Word::rmi || opcode.round == Word::rpi;
        if (to_real && is_integral) modes |= mode_to_integer;
        // To integers, plain is towards zero; to floats, to the nearest.
        const bool is_plain = to_real || !is_real(from) ? modes == 0 : modes == rounding(Word::rzi);
        const Handler run = handlers_.convert[is_plain ? 0 : 1][static_cast<std::size_t>(to)][static_cast<std::size_t>(from)];
        // A wider register's upper bits do not count.
        const Operand &operand = operands[1];
        std::uint32_t a = 0;
        if (operand.kind == Operand::Kind::reg && bytes_of(function_.registers[operand.index]) != bytes_of(from)) {
            a = temporary(bytes_of(from));
            add(handlers_.resize[width_index(register_bits(function_.registers[operand.index]))][width_index(register_bits(from))][0], a,
                places_[operand.index]);
        } else {
            a = source(operand, from);
        }
        add(run, destination(operands[0], to), a).modes = modes;
    }

    void convert_pair(const Opcode &opcode, std::span<const Operand> operands) {
        const std::uint32_t a = source(operands[1], Type::f32), b = source(operands[2], Type::f32), modes = modes_of(opcode);
        add(handlers_.convert_pair[static_cast<std::size_t>(opcode.second)][modes == 0 ? 0 : 1], destination(operands[0], opcode.second), a,
            b)
            .modes = modes;
    }

    void carry(const Opcode &opcode, std::span<const Operand> operands) {
        if (carry_ == no_offset) carry_ = room(0);
        const Type type = opcode.type;
        const bool takes = opcode.root() == "addc" || opcode.root() == "subc" || opcode.root() == "madc";
        std::uint32_t a = source(operands[1], type), b = source(operands[2], type);
        if (opcode.root() == "mad" || opcode.root() == "madc") {
            const std::uint32_t product = temporary(bytes_of(type));
            add(lanes(opcode.mode == Word::hi ? Form::mul_hi : Form::mul_lo, type), product, a, b);
            a = product;
            b = source(operands[3], type);
        }
        const bool is_difference = opcode.root() == "sub" || opcode.root() == "subc";
        const auto &by_type = is_difference ? handlers_.carry_sub : handlers_.carry_add;
        Op &op = add(by_type[static_cast<std::size_t>(type)], destination(operands[0], type), a, b, 0, carry_);
        op.modes = (takes ? 1u : 0u) | (opcode.has(Word::cc) ? 2u : 0u);
    }

    // --- Memory ---

    static Addressing addressing(Space space) {
        return space == Space::shared ? Addressing::shared : space == Space::local ? Addressing::local : Addressing::pointer;
    }

    struct Address {
        std::uint32_t place = 0;
        std::int64_t offset = 0;
        Space space = Space::generic;
        bool is_same = false;
    };
    Address address(const Operand &operand, Space space) {
        Address result;
        result.space = space;
        Operand base = operand;
        base.is_address = false;
        if (operand.kind == Operand::Kind::reg) {
            result.offset = operand.value;
            base.value = 0;
        } else {
            const Space of_variable = operand.kind == Operand::Kind::module_variable ? program_.variables[operand.index].space
                                      : operand.kind == Operand::Kind::own_variable  ? function_.variables[operand.index].space
                                                                                     : space;
            if (space == Space::generic) result.space = of_variable;
            result.is_same =
                of_variable != Space::local && !(operand.kind == Operand::Kind::own_variable && !variables_[operand.index].is_given);
        }
        result.place = source(base, Type::u64);
        return result;
    }

    void access(const Opcode &opcode, std::span<const Operand> operands, bool is_load) {
        const Type type = opcode.type;
        if (type == Type::b128) return unable("128 bits at once are not executed: use two of 64");
        const Address where = address(operands[is_load ? 1 : 0], opcode.space);
        const Operand &value = operands[is_load ? 0 : 1];
        const unsigned bytes = bits_of(type) / 8;
        const std::span<const Operand> elements = value.kind == Operand::Kind::list ? function_.elements_of(value) : std::span(&value, 1);
        // The address may be one of the registers that are loaded.
        std::uint32_t at = where.place;
        if (is_load && elements.size() > 1) {
            at = temporary(8);
            add(handlers_.move[3], at, where.place);
        }
        const auto how = static_cast<std::size_t>(addressing(where.space));
        for (std::size_t element = 0; element < elements.size(); ++element) {
            const Operand &one = elements[element];
            Op *op = nullptr;
            if (is_load) {
                const bool is_register = one.kind == Operand::Kind::reg;
                const Type has = is_register ? function_.registers[one.index] : type;
                const Handler run = handlers_.load[how][log_of(bytes)][width_index(register_bits(has))][has_sign(type)];
                op = &add(run, is_register ? places_[one.index] : temporary(bytes_of(type)), at);
            } else {
                std::uint32_t from = 0;
                Type has = type;
                if (one.kind == Operand::Kind::reg) {
                    has = function_.registers[one.index];
                    from = places_[one.index];
                } else {
                    from = source(one, type);
                }
                op = &add(handlers_.store[how][log_of(bytes)][width_index(register_bits(has))], 0, at, from);
                op->modes = bytes_of(has);
            }
            op->value = where.offset + static_cast<std::int64_t>(element * bytes);
            op->space = where.space;
            op->bytes = static_cast<std::uint8_t>(bytes);
            op->lane_bytes = element == 0 ? static_cast<std::uint8_t>(bytes * elements.size()) : 0;
            op->flags |= is_load ? op_reads_memory : op_writes_memory;
            if (where.is_same) op->flags |= op_same_address;
            if (opcode.is_volatile || opcode.has(Word::relaxed) || opcode.has(Word::acquire) || opcode.has(Word::release))
                op->flags |= op_is_atomic;
        }
    }

    void atomic(const Opcode &opcode, std::span<const Operand> operands);
    void copy_async(std::span<const Operand> operands) {
        if (operands[2].kind != Operand::Kind::integer || (operands[2].value != 4 && operands[2].value != 8 && operands[2].value != 16))
            return unable("4, 8 or 16 bytes are copied at once");
        const Address to = address(operands[0], Space::shared), from = address(operands[1], Space::global);
        std::uint32_t source_place = from.place;
        if (from.offset != 0) {
            source_place = temporary(8);
            add(lanes(Form::add, Type::u64), source_place, from.place,
                constant(Constant::Kind::number, 8, static_cast<std::uint64_t>(from.offset)));
        }
        const std::uint32_t size = operands.size() > 3 ? source(operands[3], Type::u32)
                                                       : constant(Constant::Kind::number, 4, static_cast<std::uint64_t>(operands[2].value));
        Op &op = add(handlers_.copy_async, 0, to.place, source_place, size);
        op.value = to.offset;
        op.space = Space::shared;
        op.bytes = op.lane_bytes = static_cast<std::uint8_t>(operands[2].value);
        op.flags |= op_writes_memory;
    }

    void texture_query(const Opcode &opcode, std::span<const Operand> operands) {
        Operand handle = operands[1];
        handle.is_address = false;
        const std::uint32_t a = source(handle, Type::u64);
        add(texture_handler(opcode, 0), destination(operands[0], Type::b32), a);
    }

    void texture(const Opcode &opcode, std::span<const Operand> operands) {
        const Action action = opcode.action();
        const bool is_store = action == Action::surface_store, is_fetch = action == Action::texture;
        const Operand &value = operands[is_store ? 1 : 0];
        const auto place = function_.elements_of(operands[is_store ? 0 : 1]);
        const std::span<const Operand> elements = value.kind == Operand::Kind::list ? function_.elements_of(value) : std::span(&value, 1);
        const Type type = is_fetch ? opcode.second : opcode.type;
        if (is_fetch && (opcode.vector != 4 || (type != Type::f32 && type != Type::u32 && type != Type::s32)))
            return unable("textures give four of .f32, .u32 or .s32");
        const bool has_layers = opcode.has(Word::layers_d1) || opcode.has(Word::layers_d2);
        const unsigned dimensions = opcode.has(Word::d1) || opcode.has(Word::layers_d1) ? 1 : opcode.has(Word::d3) ? 3 : 2;
        const Type coordinate = is_fetch ? opcode.type : Type::s32;
        const std::uint32_t handle = source(place[0], Type::u64);
        std::array<std::uint32_t, 3> at = {no_offset, no_offset, no_offset};
        const std::size_t first = has_layers ? 2 : 1;
        for (std::size_t dimension = 0; dimension < dimensions; ++dimension) at[dimension] = source(place[first + dimension], coordinate);
        if (has_layers) at[2] = source(place[1], Type::u32);
        // Elements stand one behind the other: those of a texture in 4 bytes a lane, those of surfaces in 8.
        const std::uint32_t bytes = is_fetch ? 4 : 8, all = temporary(bytes * 4);
        const auto element_at = [&](std::size_t element) { return all + static_cast<std::uint32_t>(element) * bytes * warp_lanes; };
        if (is_store)
            for (std::size_t element = 0; element < elements.size(); ++element) {
                const Type has = elements[element].kind == Operand::Kind::reg ? function_.registers[elements[element].index] : type;
                const std::uint32_t from = source(elements[element], has == Type::b8 ? Type::b16 : has);
                const std::size_t width = width_index(register_bits(has));
                add(width == 2 ? handlers_.move[3] : handlers_.resize[width][2][0], element_at(element), from);
            }
        Op &op = add(texture_handler(opcode, dimensions), all, handle, at[0], at[1], at[2]);
        if (!is_fetch) {
            op.bytes = static_cast<std::uint8_t>(bits_of(type) / 8);
            op.lane_bytes = static_cast<std::uint8_t>(elements.size());
            op.word = opcode.has(Word::clamp) ? Word::clamp : opcode.has(Word::zero) ? Word::zero : Word::trap;
        }
        if (is_store) return;
        for (std::size_t element = 0; element < elements.size(); ++element) {
            if (elements[element].kind != Operand::Kind::reg) continue;
            const std::uint32_t to = places_[elements[element].index];
            const std::size_t width = width_index(register_bits(function_.registers[elements[element].index]));
            if (is_fetch) add(handlers_.move[2], to, element_at(element));
            else add(width == 2 ? handlers_.move[3] : handlers_.resize[2][width][0], to, element_at(element));
        }
    }

    void generic(const Opcode &opcode, std::span<const Operand> operands) {
        const bool is_to = opcode.action() == Action::to_generic;
        const std::uint32_t a = source(operands[1], Type::u64);
        const std::uint32_t to = destination(operands[0], Type::u64);
        Handler run = handlers_.move[3];
        if (opcode.space == Space::shared) run = is_to ? handlers_.to_shared : handlers_.from_shared;
        if (opcode.space == Space::local) run = is_to ? handlers_.to_local : handlers_.from_local;
        add(run, to, a);
    }

    void call(std::span<const Operand> operands) {
        CallSite site;
        if (operands[1].kind == Operand::Kind::function) {
            site.function = operands[1].index;
            const Function &callee = program_.functions[site.function];
            if (!callee.has_body) {
                if (callee.name == "vprintf") site.builtin = Builtin::vprintf;
                if (callee.name == "__assertfail") site.builtin = Builtin::assert_fail;
                if (callee.name == "malloc") site.builtin = Builtin::malloc;
                if (callee.name == "free") site.builtin = Builtin::free;
                if (site.builtin == Builtin::none)
                    return unable(fmt::format("{} has no body: compile and link it with the kernel", callee.name));
            }
        } else {
            site.address = source(operands[1], Type::u64);
        }
        const auto passed = [&](const Operand &list, std::vector<Passed> &into) {
            for (const Operand &element : function_.elements_of(list)) {
                if (element.kind == Operand::Kind::own_variable) {
                    into.push_back(of_variable(element.index));
                } else if (element.kind == Operand::Kind::reg) {
                    into.push_back(of_register(element.index));
                } else {
                    into.push_back({false,
                                    constant(Constant::Kind::number, 8,
                                             number_as(element, element.kind == Operand::Kind::single ? Type::f32 : Type::b64)),
                                    0, 8});
                }
            }
        };
        passed(operands[0], site.returns);
        passed(operands[2], site.parameters);
        add(Control::call).target = static_cast<std::uint32_t>(code_->calls.size());
        code_->calls.push_back(std::move(site));
        code_->calls_others = true;
    }

    /// Shuffles, votes and their like: what each lane brings at a, the rest at b and c, the mask of lanes at e.
    void together(const Opcode &opcode, Control control, const Operand &to, Type result, std::span<const Operand> brought,
                  std::span<const Type> types, const Operand *mask) {
        std::array<std::uint32_t, 3> sources{};
        for (std::size_t at = 0; at < brought.size(); ++at) sources[at] = source(brought[at], types[at]);
        const std::uint32_t members = mask != nullptr ? source(*mask, Type::b32) : no_offset;
        std::uint32_t first = no_offset, second = no_offset;
        if (to.kind == Operand::Kind::pair) {
            const auto elements = function_.elements_of(to);
            first = destination(elements[0], result);
            if (elements[1].kind == Operand::Kind::reg) second = places_[elements[1].index];
        } else {
            first = destination(to, result);
        }
        Op &op = add(control);
        op.d = first;
        op.meeting = second;
        op.a = sources[0];
        op.b = sources[1];
        op.c = sources[2];
        op.e = members;
        op.word = opcode.atomic != Word::none ? opcode.atomic : opcode.combine != Word::none ? opcode.combine : opcode.mode;
        op.bytes = static_cast<std::uint8_t>(bytes_of(opcode.type));
        op.modes = has_sign(opcode.type);
    }

    void translate(const Instruction &instruction);
    void barrier(const Opcode &opcode, std::span<const Operand> operands);

    /// Targets of branches, and where the ways from them meet.
    void connect(const Blocks &blocks, const std::vector<std::uint32_t> &first_op) {
        const auto end = static_cast<std::uint32_t>(code_->ops.size() - 1);
        const auto op_of_label = [&](std::uint32_t label) {
            const std::uint32_t at = function_.labels[label].at;
            return at < function_.code.size() ? first_op[at] : end;
        };
        for (const Block &block : blocks.blocks) {
            if (first_op[block.begin] < code_->ops.size()) code_->ops[first_op[block.begin]].flags |= op_begins_block;
        }
        code_->ops[end].flags |= op_begins_block | op_begins_instruction;
        const Graph graph = blocks.graph();
        std::vector<Graph::Node> exits = final_nodes(graph);
        for (const Graph::Node node : endless_exits(graph, exits)) exits.push_back(node);
        // Blocks that end with a guarded return or lead behind the last instruction leave, too.
        const DominatorTree meets = post_dominators(graph, exits);
        for (Op &op : code_->ops) {
            if (op.control != Control::branch && op.control != Control::branch_table) continue;
            if (op.control == Control::branch) op.target = op_of_label(op.target);
            const Graph::Node block = blocks.block_of[op.instruction];
            if (!meets.is_reached(block)) continue;
            const Graph::Node meeting = meets.parent(block);
            op.meeting = meeting == meets.root() || meeting == DominatorTree::none ? no_offset : first_op[blocks.blocks[meeting].begin];
        }
        for (const Table &table : function_.tables) {
            code_->tables.emplace_back();
            for (const std::uint32_t label : table.targets) code_->tables.back().push_back(op_of_label(label));
        }
    }

    struct Place {
        std::uint32_t offset = 0, stride = 0;
        bool is_given = false;
    };
    struct Pending {
        std::uint32_t reg, place;
        Type type;
    };

    const Program &program_;
    const Function &function_;
    const Addresses &addresses_;
    bool late_errors_;
    const Handlers &handlers_;
    std::unique_ptr<Code> code_;
    std::vector<std::uint32_t> places_;  // by register
    std::vector<bool> is_used_;
    std::vector<Place> variables_;
    std::map<std::tuple<Constant::Kind, std::uint32_t, std::uint64_t>, std::uint32_t> constants_;
    std::map<std::uint32_t, std::vector<std::uint32_t>> temporaries_;
    std::map<std::uint32_t, std::size_t> used_;
    std::vector<Pending> pending_;
    std::optional<std::string> error_;
    std::uint32_t next_ = 0, at_ = 0, carry_ = no_offset;
};

void Decoder::atomic(const Opcode &opcode, std::span<const Operand> operands) {
    const bool is_red = opcode.root() == "red";
    const Handler run = atomic_handler(opcode.atomic, opcode.type, addressing(opcode.space));
    if (run == nullptr) return unable(fmt::format("there is no atomic {} of .{}", text_of(opcode.atomic), info(opcode.type).name));
    const Address where = address(operands[is_red ? 0 : 1], opcode.space);
    const auto given = operands.subspan(is_red ? 1 : 2);
    const std::uint32_t b = source(given[0], opcode.type);
    const std::uint32_t c = given.size() > 1 ? source(given[1], opcode.type) : b;
    const std::uint32_t to = is_red ? temporary(bytes_of(opcode.type)) : destination(operands[0], opcode.type);
    // What a variable's address says of its space counts here too.
    Op &op =
        add(where.space == opcode.space ? run : atomic_handler(opcode.atomic, opcode.type, addressing(where.space)), to, where.place, b, c);
    op.value = where.offset;
    op.space = where.space;
    op.bytes = op.lane_bytes = static_cast<std::uint8_t>(bits_of(opcode.type) / 8);
    op.flags |= op_reads_memory | op_writes_memory | op_is_atomic;
}

void Decoder::barrier(const Opcode &opcode, std::span<const Operand> operands) {
    const Action action = opcode.action();
    const bool gives = action == Action::barrier_vote || action == Action::barrier_count;
    const auto rest = operands.subspan(gives ? 1 : 0);
    // Of those that vote, the last operand is the predicate.
    const std::size_t numbers = gives ? rest.size() - 1 : rest.size();
    const std::uint32_t number = source(rest[0], Type::u32);
    const std::uint32_t count = numbers > 1 ? source(rest[1], Type::u32) : no_offset;
    const std::uint32_t predicate = gives ? source(rest.back(), Type::pred) : 0;
    const std::uint32_t to = gives ? destination(operands[0], opcode.type) : 0;
    Op &op = add(action == Action::barrier          ? Control::barrier
                 : action == Action::barrier_arrive ? Control::barrier_arrive
                 : action == Action::barrier_vote   ? Control::barrier_vote
                                                    : Control::barrier_count);
    op.d = to;
    op.a = number;
    op.b = count;
    op.c = predicate;
    op.word = opcode.combine;
    // barrier.sync may be executed by parts of a warp; bar.sync says that the warp is together.
    op.modes = opcode.root() == "bar" || opcode.has(Word::aligned);
}

void Decoder::translate(const Instruction &instruction) {
    const Opcode &opcode = program_.opcode_of(instruction);
    const auto operands = function_.operands_of(instruction);
    for (auto &[bytes, used] : used_) used = 0;
    switch (opcode.action()) {
        case Action::lanes: on_lanes(opcode, operands); break;
        case Action::unable: unable(std::string(info(opcode.form).why)); break;
        case Action::carry: carry(opcode, operands); break;
        case Action::compare:
        case Action::set: compare(opcode, operands); break;
        case Action::lop3: {
            const std::uint32_t result = temporary(4), asked = temporary(0);
            add(lanes(Form::lop3, Type::b32), result, source(operands[1], Type::b32), source(operands[2], Type::b32),
                source(operands[3], Type::b32), source(operands[4], Type::u32));
            add(handlers_.compare[static_cast<std::size_t>(Word::ne)][static_cast<std::size_t>(Type::u32)], asked, result,
                constant(Constant::Kind::number, 4, 0));
            give_predicates(opcode, operands[0], asked, {}, source(operands[5], Type::pred), true);
            break;
        }
        case Action::move: move(opcode, operands); break;
        case Action::convert: convert(opcode, operands); break;
        case Action::convert_pair: convert_pair(opcode, operands); break;
        case Action::from_generic:
        case Action::to_generic: generic(opcode, operands); break;
        case Action::is_space: {
            const Handler run = space_handler(opcode.space);
            const std::uint32_t a = source(operands[1], Type::u64);
            add(run, destination(operands[0], Type::pred), a);
            break;
        }
        case Action::map_address: {
            const std::uint32_t a = source(operands[1], Type::u64);
            add(handlers_.move[3], destination(operands[0], Type::u64), a);
            break;
        }
        case Action::load: access(opcode, operands, true); break;
        case Action::store: access(opcode, operands, false); break;
        case Action::atomic: atomic(opcode, operands); break;
        case Action::copy_async: copy_async(operands); break;
        case Action::texture:
        case Action::surface_load:
        case Action::surface_store: texture(opcode, operands); break;
        case Action::texture_query: texture_query(opcode, operands); break;
        case Action::fence: add(Control::fence); break;
        case Action::nothing: break;
        case Action::branch: add(Control::branch).target = operands[0].index; break;
        case Action::branch_table: {
            const std::uint32_t index = source(operands[0], Type::u32);
            Op &op = add(Control::branch_table);
            op.a = index;
            op.target = operands[1].index;
            break;
        }
        case Action::call: call(operands); break;
        case Action::ret: add(Control::ret); break;
        case Action::exit: add(Control::exit); break;
        case Action::trap: add(Control::trap); break;
        case Action::yield: add(Control::yield); break;
        case Action::warp_barrier: {
            const std::uint32_t members = source(operands[0], Type::b32);
            add(Control::warp_barrier).e = members;
            break;
        }
        case Action::barrier:
        case Action::barrier_arrive:
        case Action::barrier_vote:
        case Action::barrier_count: barrier(opcode, operands); break;
        case Action::cluster_barrier: {
            // A cluster is one block here.
            const std::uint32_t number = constant(Constant::Kind::number, 4, 16);
            Op &op = add(Control::barrier);
            op.a = number;
            op.b = no_offset;
            break;
        }
        case Action::shuffle: {
            constexpr Type types[] = {Type::b32, Type::u32, Type::u32};
            together(opcode, Control::shuffle, operands[0], Type::b32, operands.subspan(1, 3), types,
                     operands.size() > 4 ? &operands[4] : nullptr);
            break;
        }
        case Action::ballot:
        case Action::vote: {
            constexpr Type types[] = {Type::pred};
            together(opcode, opcode.action() == Action::vote ? Control::vote : Control::ballot, operands[0], opcode.type,
                     operands.subspan(1, 1), types, operands.size() > 2 ? &operands[2] : nullptr);
            break;
        }
        case Action::match_any:
        case Action::match_all: {
            const Type types[] = {opcode.type};
            together(opcode, opcode.action() == Action::match_any ? Control::match_any : Control::match_all, operands[0], Type::b32,
                     operands.subspan(1, 1), types, &operands[2]);
            break;
        }
        case Action::redux: {
            const Type types[] = {opcode.type};
            together(opcode, Control::redux, operands[0], opcode.type, operands.subspan(1, 1), types, &operands[2]);
            break;
        }
        case Action::activemask: together(opcode, Control::activemask, operands[0], Type::b32, {}, {}, nullptr); break;
        case Action::elect: together(opcode, Control::elect, operands[0], Type::b32, {}, {}, &operands[1]); break;
    }
    finish();
}

}  // namespace

Result<std::unique_ptr<Code>> decode(const Program &program, const Function &function, const Addresses &addresses, bool late_errors) {
    return Decoder(program, function, addresses, late_errors).all();
}

}  // namespace mog::ptx
