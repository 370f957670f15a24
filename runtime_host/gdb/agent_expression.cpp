// agent_expression.cpp: see agent_expression.hpp. Numbers in the code have their highest byte first; values are of 64 bits.
#include "runtime_host/gdb/agent_expression.hpp"

#include <utility>
#include <vector>

namespace mog::gdb {

namespace {

enum Opcode : std::uint8_t {
    op_add = 0x02,
    op_sub,
    op_mul,
    op_div_signed,
    op_div_unsigned,
    op_rem_signed,
    op_rem_unsigned,
    op_lsh,
    op_rsh_signed,
    op_rsh_unsigned,
    op_log_not = 0x0e,
    op_bit_and,
    op_bit_or,
    op_bit_xor,
    op_bit_not,
    op_equal,
    op_less_signed,
    op_less_unsigned,
    op_ext,
    op_ref8,
    op_ref16,
    op_ref32,
    op_ref64,
    op_if_goto = 0x20,
    op_goto,
    op_const8,
    op_const16,
    op_const32,
    op_const64,
    op_reg,
    op_end,
    op_dup,
    op_pop,
    op_zero_ext,
    op_swap,
    op_pick = 0x32,
    op_rot,
};

constexpr std::size_t most_values = 256, most_steps = 100'000;

class Evaluation {
public:
    Evaluation(std::string_view code, const AgentContext &context) : code_(code), context_(context) {}

    std::optional<std::uint64_t> run() {
        for (std::size_t steps = 0; steps < most_steps; steps++) {
            const std::uint64_t opcode = operand(1);
            if (opcode == op_end) return good_ && !stack_.empty() ? stack_.back() : std::nullopt;
            if (good_) execute(opcode);
            if (!good_ || is_forked_ || stack_.size() > most_values) return std::nullopt;
        }
        return std::nullopt;
    }

    /// By all ways that it may go; `steps`: so many instructions more at most.
    bool may_hold(std::size_t &steps) {
        while (steps-- > 0) {
            const std::uint64_t opcode = operand(1);
            if (opcode == op_end) return !good_ || stack_.empty() || stack_.back().value_or(1) != 0;
            if (good_) execute(opcode);
            if (!good_ || stack_.size() > most_values) break;
            if (!std::exchange(is_forked_, false)) continue;
            Evaluation there = *this;
            there.at_ = target_;
            if (there.may_hold(steps)) return true;
        }
        steps = 0;
        return true;
    }

private:
    using u64 = std::uint64_t;
    using s64 = std::int64_t;
    using Value = std::optional<u64>;  ///< nothing: it is not known

    u64 operand(std::size_t bytes) {
        if (at_ > code_.size() || code_.size() - at_ < bytes) return fail();
        u64 value = 0;
        for (; bytes > 0; bytes--) value = value << 8 | static_cast<std::uint8_t>(code_[at_++]);
        return value;
    }
    u64 fail() {
        good_ = false;
        return 0;
    }
    Value pop() {
        if (stack_.empty()) return fail();
        const Value value = stack_.back();
        stack_.pop_back();
        return value;
    }
    void push(Value value) { stack_.push_back(value); }
    void fetch(std::uint32_t bytes) {
        const Value address = pop();
        push(address ? context_.memory(static_cast<std::uint32_t>(*address), bytes) : std::nullopt);
    }
    /// Of one operand.
    template <typename F>
    void unary(F &&f) {
        const Value value = pop();
        push(value ? Value(f(*value)) : std::nullopt);
    }
    void divide(std::uint64_t opcode, u64 a, u64 b) {
        if (b == 0 || (a == u64{1} << 63 && ~b == 0)) {
            fail();
            return;
        }
        switch (opcode) {
            case op_div_signed: return push(static_cast<u64>(static_cast<s64>(a) / static_cast<s64>(b)));
            case op_div_unsigned: return push(a / b);
            case op_rem_signed: return push(static_cast<u64>(static_cast<s64>(a) % static_cast<s64>(b)));
            default: return push(a % b);
        }
    }
    void binary(std::uint64_t opcode) {
        const Value right = pop(), left = pop();
        if (!left || !right) {
            // A part of && or & that is 0 is enough.
            const bool is_zero = opcode == op_bit_and && (left == u64{0} || right == u64{0});
            return push(is_zero ? Value(0) : std::nullopt);
        }
        const u64 a = *left, b = *right;
        switch (opcode) {
            case op_add: return push(a + b);
            case op_sub: return push(a - b);
            case op_mul: return push(a * b);
            case op_lsh: return push(b < 64 ? a << b : 0);
            case op_rsh_signed: return push(static_cast<u64>(static_cast<s64>(a) >> (b < 64 ? b : 63)));
            case op_rsh_unsigned: return push(b < 64 ? a >> b : 0);
            case op_bit_and: return push(a & b);
            case op_bit_or: return push(a | b);
            case op_bit_xor: return push(a ^ b);
            case op_equal: return push(a == b);
            case op_less_signed: return push(static_cast<s64>(a) < static_cast<s64>(b));
            case op_less_unsigned: return push(a < b);
            default: return divide(opcode, a, b);
        }
    }
    void execute(std::uint64_t opcode) {
        if ((opcode >= op_add && opcode <= op_rsh_unsigned) || (opcode >= op_bit_and && opcode <= op_bit_xor) ||
            (opcode >= op_equal && opcode <= op_less_unsigned))
            return binary(opcode);
        switch (opcode) {
            case op_log_not: return unary([](u64 value) { return u64{value == 0}; });
            case op_bit_not: return unary([](u64 value) { return ~value; });
            case op_ext: {
                const u64 bits = operand(1);
                return unary([&](u64 value) {
                    return bits == 0 || bits >= 64 ? value : static_cast<u64>(static_cast<s64>(value << (64 - bits)) >> (64 - bits));
                });
            }
            case op_zero_ext: {
                const u64 bits = operand(1);
                return unary([&](u64 value) { return bits < 64 ? value & ((u64{1} << bits) - 1) : value; });
            }
            case op_ref8: return fetch(1);
            case op_ref16: return fetch(2);
            case op_ref32: return fetch(4);
            case op_ref64: return fetch(8);
            case op_if_goto: {
                const u64 target = operand(2);
                const Value condition = pop();
                is_forked_ = !condition;
                target_ = target;
                if (condition && *condition != 0) at_ = target;
                return;
            }
            case op_goto: at_ = operand(2); return;
            case op_const8: return push(operand(1));
            case op_const16: return push(operand(2));
            case op_const32: return push(operand(4));
            case op_const64: return push(operand(8));
            case op_reg: {
                const std::optional<std::uint32_t> value = context_.reg(static_cast<std::uint32_t>(operand(2)));
                return push(value ? Value(static_cast<u64>(static_cast<s64>(static_cast<std::int32_t>(*value)))) : std::nullopt);
            }
            case op_dup: return pick(0);
            case op_pop: pop(); return;
            case op_swap: {
                const Value b = pop(), a = pop();
                push(b);
                return push(a);
            }
            case op_pick: return pick(operand(1));
            case op_rot: {
                const Value c = pop(), b = pop(), a = pop();
                push(c);
                push(a);
                return push(b);
            }
            default: fail();
        }
    }
    void pick(u64 depth) {
        if (depth >= stack_.size()) fail();
        else push(stack_[stack_.size() - 1 - depth]);
    }

    std::string_view code_;
    const AgentContext &context_;
    std::vector<Value> stack_;
    std::size_t at_ = 0;
    bool good_ = true;
    bool is_forked_ = false;  ///< where it goes on is not known: there, or
    u64 target_ = 0;
};

}  // namespace

std::optional<std::uint64_t> evaluate(std::string_view code, const AgentContext &context) { return Evaluation(code, context).run(); }

bool may_hold(std::string_view code, const AgentContext &context) {
    std::size_t steps = 1000;
    return Evaluation(code, context).may_hold(steps);
}

}  // namespace mog::gdb
