// stand_ins.cpp: instruction by instruction, in place.
#include "bench/stand_ins.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

namespace mog::bench {
namespace {

using namespace divergence;

/// Registers that a callee reads, and that a caller does when it is returned to: by MIPS' calling convention.
constexpr std::array<std::string_view, 7> given = {"$a0", "$a1", "$a2", "$a3", "$sp", "$f12", "$f14"},
                                          left = {"$v0", "$v1", "$sp", "$ra", "$f0", "$f1", "$gp"};
bool is_preserved(std::string_view name) { return name.size() == 3 && (name.starts_with("$s") || name == "$fp"); }

class Maker {
public:
    Maker(const MogKernel &function, std::uint32_t threads) : from_(function.kernel) {
        program_.kernel = from_;
        program_.cells.resize(threads);
        memory_ = hidden("memory", 64);
        way_ = hidden("way", 32);
        thread_ = hidden("thread", 64);
    }

    usimd::Program make() {
        const Graph graph = from_.graph();
        constexpr Graph::Node begin[] = {0};
        const std::vector<bool> reached = reached_from(graph, begin);
        for (BlockIndex b = 0; b < from_.blocks.size(); ++b) {
            std::vector<divergence::Instruction> &code = program_.kernel.blocks[b].code;
            code.clear();
            if (!reached[b]) continue;
            bool in_call = false;
            for (const divergence::Instruction &one : from_.blocks[b].code) {
                const bool is_call = one.operation == Operation::opaque && one.word == "call";
                if (is_call && !in_call)
                    read_all(code, [](std::string_view name) { return std::ranges::find(given, name) != given.end(); });
                in_call = is_call;
                add(code, one);
            }
            End &end = program_.kernel.blocks[b].end;
            if (end.targets.size() > 1) {
                code.push_back(make_of(Operation::other, way_, "way", {end.condition}));
                code.push_back(
                    make_of(Operation::bit_and, way_, {}, {Operand::of(way_), Operand::number(end.targets.size() == 2 ? 1 : 7)}));
                end.condition = Operand::of(way_);
            } else if (end.targets.empty()) {
                read_all(code, [](std::string_view name) { return std::ranges::find(left, name) != left.end() || is_preserved(name); });
                code.push_back(make_of(Operation::special, thread_, {}, {}));
                code.push_back(make_of(Operation::store, no_variable, {}, {Operand::of(thread_), Operand::of(memory_)}));
            }
        }
        // Numbers that are no others'.
        for (Variable variable = 0; variable < program_.kernel.variables.size(); ++variable)
            program_.parameters.push_back(1000003 * (static_cast<std::int64_t>(variable) + 1));
        return std::move(program_);
    }

private:
    Variable hidden(std::string name, std::uint8_t width) {
        const Variable made = program_.kernel.add_variable(std::move(name), width);
        program_.kernel.variables.back().wants_register = false;
        return made;
    }

    static divergence::Instruction make_of(Operation operation, Variable result, std::string_view word, std::vector<Operand> operands) {
        divergence::Instruction made;
        made.operation = operation;
        made.result = result;
        made.word = word;
        made.operands = std::move(operands);
        return made;
    }

    void add(std::vector<divergence::Instruction> &code, divergence::Instruction one) const {
        // What does not fit would end the program here.
        one.exact = false;
        if (one.operation == Operation::load) {
            one = make_of(Operation::opaque, one.result, "load", {Operand::of(memory_), one.operands[0]});
        } else if (one.operation == Operation::store) {
            one = make_of(Operation::opaque, memory_, "store", {Operand::of(memory_), one.operands[0], one.operands[1]});
        } else if (one.operation == Operation::parameter) {
            one = make_of(Operation::other, one.result, "parameter", {});
        } else if (one.operation == Operation::opaque) {
            one.word += std::to_string(one.result);
            one.operands.push_back(Operand::of(memory_));
        }
        code.push_back(std::move(one));
    }

    template <typename Is>
    void read_all(std::vector<divergence::Instruction> &code, Is is) const {
        for (Variable variable = 0; variable < from_.variables.size(); ++variable)
            if (is(from_.variables[variable].name))
                code.push_back(make_of(Operation::opaque, memory_, "read", {Operand::of(memory_), Operand::of(variable)}));
    }

    const Kernel &from_;
    usimd::Program program_;
    Variable memory_ = 0, way_ = 0, thread_ = 0;
};

}  // namespace

usimd::Program with_stand_ins(const MogKernel &function, std::uint32_t threads) { return Maker(function, threads).make(); }

}  // namespace mog::bench
