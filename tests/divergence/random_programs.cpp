// random_programs.cpp: random kernels. They are made of what decides: numbers of threads, sums, products, comparisons of them, loads from
// cells of which all lanes or only some have the same, and branches on all of that.
#include "tests/divergence/random_programs.hpp"

#include <fmt/format.h>

namespace mog::test {
namespace {

using namespace divergence;

constexpr std::size_t cells = 16;

class Maker {
public:
    Maker(Random &random, const RandomKernel &kind) : random_(random), kind_(kind) {
        program_.kernel.files = {"random.usimd"};
        const auto width = static_cast<std::uint8_t>(kind.wraps ? 32 : 64);
        const std::size_t variables = 4 + random.below(4);
        for (std::size_t v = 0; v < variables; ++v) {
            program_.kernel.add_variable(fmt::format("v{}", v), width);
            program_.parameters.push_back(random.below(3) == 0 ? random.below(8) : 0);
        }
        address_ = program_.kernel.add_variable("address", width);
        program_.parameters.push_back(0);
        for (std::size_t c = 0; c < cells; ++c) program_.cells.push_back(random.below(3));
    }

    usimd::Program make() {
        open();  // nothing leads back to it
        if (kind_.is_calm) {
            Instruction number;
            number.operation = Operation::special;
            number.result = 0;
            add(0, number);
        }
        if (kind_.style == Style::structured) structured();
        else unstructured();
        return std::move(program_);
    }

private:
    auto &blocks() { return program_.kernel.blocks; }
    BlockIndex open() {
        blocks().emplace_back();
        blocks().back().label = fmt::format("b{}", blocks().size() - 1);
        return static_cast<BlockIndex>(blocks().size() - 1);
    }
    /// Of calm programs, the first is the thread's number and only conditions read it.
    Variable variable() {
        const std::size_t count = program_.kernel.variables.size() - 1;
        return kind_.is_calm ? 1 + random_.below(count - 1) : random_.below(count);
    }
    Operand operand() {
        // Where sums wrap, some are near to it.
        if (kind_.wraps && random_.below(10) == 0) return Operand::number(0x7fffffff - std::int64_t{random_.below(4)});
        if (random_.below(4) == 0) return Operand::number(std::int64_t{random_.below(5)} - 1);
        return Operand::of(variable());
    }
    void add(BlockIndex block, Instruction instruction) {
        instruction.place = {0, ++line_};
        instruction.exact = !kind_.wraps;
        blocks()[block].code.push_back(std::move(instruction));
    }
    void fill(BlockIndex block, std::size_t most) {
        for (std::size_t i = random_.below(most + 1); i != 0; --i) instruction(block);
    }
    void instruction(BlockIndex block) {
        Instruction instruction;
        instruction.result = variable();
        const std::uint32_t kind = random_.below(20);
        if (kind < 4 && kind_.is_calm) {
            instruction.operation = Operation::add;
            instruction.operands = {Operand::of(variable()), Operand::number(1)};
        } else if (kind < 4) {
            instruction.operation = Operation::special;
            instruction.special = kind_.has_lanes && random_.below(4) == 0 ? Special::lane : Special::tid;
        } else if (kind < 6) {
            instruction.operation = Operation::constant;
            instruction.operands = {Operand::number(random_.below(6))};
        } else if (kind < 7) {
            instruction.operation = Operation::copy;
            instruction.operands = {Operand::of(variable())};
        } else if (kind < 16) {
            static constexpr Operation two[] = {Operation::add,        Operation::add,     Operation::subtract, Operation::subtract,
                                                Operation::multiply,   Operation::less,    Operation::less,     Operation::equal,
                                                Operation::less_equal, Operation::unequal, Operation::bit_and,  Operation::remainder,
                                                Operation::shift_left, Operation::minimum, Operation::bit_xor};
            instruction.operation = two[random_.below(std::size(two))];
            instruction.operands = {operand(), operand()};
            if (instruction.operation == Operation::shift_left) instruction.operands[1] = Operand::number(random_.below(3));
            if (kind_.wraps && info(instruction.operation).shape == Shape::order) instruction.is_unsigned = random_.below(3) == 0;
        } else if (kind < 17) {
            instruction.operation = random_.below(2) == 0 ? Operation::multiply_add : Operation::select;
            instruction.operands = {operand(), operand(), operand()};
        } else {
            // Addresses stay inside the cells.
            Instruction masked;
            masked.operation = Operation::bit_and;
            masked.result = address_;
            masked.operands = {operand(), Operand::number(cells - 1)};
            add(block, masked);
            const bool stores = kind_.has_stores && random_.below(2) == 0;
            instruction.operation = !stores ? Operation::load : random_.below(3) == 0 ? Operation::atomic_add : Operation::store;
            instruction.operands = {Operand::of(address_)};
            if (stores) instruction.operands.push_back(instruction.operation == Operation::store ? operand() : Operand::number(1));
            if (instruction.operation == Operation::store) instruction.result = no_variable;
            if (!kind_.has_stores && random_.below(2) == 0) instruction.memory = Memory::constant;
        }
        add(block, instruction);
    }
    /// A condition that has something to say: a comparison, mostly.
    Operand condition(BlockIndex block) {
        const bool by_thread = kind_.is_calm && random_.below(2) == 0;
        if (random_.below(3) == 0 && !by_thread) return Operand::of(variable());
        static constexpr Operation tests[] = {Operation::less, Operation::equal, Operation::less_equal, Operation::unequal};
        Instruction test;
        test.operation = tests[random_.below(std::size(tests))];
        test.result = variable();
        test.operands = {Operand::of(by_thread ? 0 : variable()), by_thread ? Operand::number(1 + random_.below(4)) : operand()};
        add(block, test);
        return Operand::of(test.result);
    }
    void end(BlockIndex block, std::vector<BlockIndex> targets, Operand of = {}) {
        End &end = blocks()[block].end;
        end.kind = targets.empty()       ? End::Kind::stop
                   : targets.size() == 1 ? End::Kind::jump
                   : targets.size() == 2 ? End::Kind::branch
                                         : End::Kind::choice;
        end.targets = std::move(targets);
        end.condition = of;
        end.place = {0, ++line_};
    }

    void unstructured() {
        const std::size_t count = 3 + random_.below(7);
        for (std::size_t b = 0; b < count; ++b) open();
        fill(0, 5);
        end(0, {1});
        const auto any = [&] { return static_cast<BlockIndex>(1 + random_.below(count)); };
        for (BlockIndex b = 1; b <= count; ++b) {
            fill(b, 4);
            const std::uint32_t kind = random_.below(12);
            if (b == count || kind == 0) end(b, {});
            else if (kind < 4) end(b, {random_.below(3) == 0 ? any() : b + 1});
            else if (kind == 4) {
                const Operand of = condition(b);
                end(b, {any(), any(), any()}, of);
            } else {
                const Operand of = condition(b);
                // Forward mostly, so that something is reached.
                end(b, {random_.below(2) == 0 ? b + 1 : any(), any()}, of);
            }
        }
    }

    void structured() {
        fill(0, 6);
        const BlockIndex body = open();
        end(0, {body});
        const BlockIndex last = statements(body, 3, no_block);
        end(last, {});
    }
    static constexpr BlockIndex no_block = 0xffffffff;
    /// Statements from `block` on; the block that control leaves them in. `out`: where break leads; no_block: there is no loop.
    BlockIndex statements(BlockIndex block, std::size_t depth, BlockIndex out) {
        for (std::size_t count = 1 + random_.below(3); count != 0; --count) {
            fill(block, 3);
            const std::uint32_t kind = depth == 0 ? 9 : random_.below(10);
            if (kind < 4) {  // if, with or without else
                const Operand of = condition(block);
                const BlockIndex then = open(), otherwise = open(), after = open();
                const bool has_else = random_.below(2) == 0;
                end(block, {then, has_else ? otherwise : after}, of);
                const BlockIndex then_end = statements(then, depth - 1, out);
                end(then_end, {out != no_block && random_.below(4) == 0 ? out : after});
                end(has_else ? statements(otherwise, depth - 1, out) : otherwise, {after});
                block = after;
            } else if (kind < 6) {  // while
                const BlockIndex head = open(), body = open(), after = open();
                end(block, {head});
                fill(head, 2);
                const Operand of = condition(head);
                end(head, {body, after}, of);
                end(statements(body, depth - 1, after), {head});
                block = after;
            } else if (kind < 8) {  // do ... while, around one, at times
                const BlockIndex body = open(), after = open();
                if (kind_.has_guards) {
                    const Operand guard = condition(block);
                    end(block, {body, after}, guard);
                } else {
                    end(block, {body});
                }
                const BlockIndex body_end = statements(body, depth - 1, after);
                const Operand of = condition(body_end);
                end(body_end, {body, after}, of);
                block = after;
            }
        }
        fill(block, 2);
        return block;
    }

    Random &random_;
    RandomKernel kind_;
    usimd::Program program_;
    Variable address_ = 0;
    std::uint32_t line_ = 0;
};

}  // namespace

usimd::Program random_program(Random &random, const RandomKernel &kind) { return Maker(random, kind).make(); }

std::string text_of(const usimd::Program &program) {
    std::string text;
    for (const Block &block : program.kernel.blocks) {
        text += block.label + ":\n";
        for (const Instruction &instruction : block.code)
            text += fmt::format("    {}{}   # {}\n", divergence::text_of(program.kernel, instruction),
                                instruction.is_unsigned ? " unsigned" : "", instruction.place.line);
        text += block.end.targets.empty() ? "    stop" : "    to";
        for (const BlockIndex target : block.end.targets) text += fmt::format(" b{}", target);
        if (block.end.targets.size() > 1) text += fmt::format(" by {}", divergence::text_of(program.kernel, block.end.condition));
        text += "\n";
    }
    return text;
}

}  // namespace mog::test
