// passes.cpp: the passes one after the other.
#include "translator/ptx/passes.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "assembler/analysis/data_flow.hpp"
#include "assembler/divergence/explain.hpp"
#include "translator/ptx/blocks.hpp"
#include "translator/ptx/kernels.hpp"
#include "translator/ptx/uses.hpp"

namespace mog::ptx {
namespace {

struct Pass {
    std::string_view name;
    void (*run)(Program &, Function &);
};
constexpr Pass passes[] = {
#define MOG_PTX_PASS(name, function, purpose) {#name, [](Program &program, Function &one) { function(program, one); }},
#include "translator/ptx/passes.def"
};

/// Leaves out instructions; labels stand before the next that stays.
void keep_only(Function &function, const std::vector<bool> &stays) {
    std::vector<std::uint32_t> new_place(function.code.size() + 1);
    std::uint32_t next = 0;
    for (std::size_t at = 0; at < function.code.size(); ++at) {
        new_place[at] = next;
        if (stays[at]) function.code[next++] = function.code[at];
    }
    new_place.back() = next;
    function.code.resize(next);
    for (Label &label : function.labels) label.at = new_place[label.at];
}

/// Registers of a function, as a set.
struct Registers {
    std::vector<std::uint64_t> words;
    Registers &operator|=(const Registers &other) {
        if (words.size() < other.words.size()) words.resize(other.words.size());
        for (std::size_t at = 0; at < other.words.size(); ++at) words[at] |= other.words[at];
        return *this;
    }
    bool operator==(const Registers &other) const {
        const auto word = [](const Registers &set, std::size_t at) { return at < set.words.size() ? set.words[at] : 0; };
        for (std::size_t at = 0; at < std::max(words.size(), other.words.size()); ++at)
            if (word(*this, at) != word(other, at)) return false;
        return true;
    }
    bool has(std::uint32_t reg) const { return reg / 64 < words.size() && (words[reg / 64] >> reg % 64 & 1) != 0; }
    void add(std::uint32_t reg) {
        if (words.size() <= reg / 64) words.resize(reg / 64 + 1);
        words[reg / 64] |= std::uint64_t{1} << reg % 64;
    }
    void remove(std::uint32_t reg) {
        if (reg / 64 < words.size()) words[reg / 64] &= ~(std::uint64_t{1} << reg % 64);
    }
};

class DeadCode {
public:
    DeadCode(const Program &program, Function &function) : program_(program), function_(function) {}

    void run() {
        const Blocks blocks = find_blocks(program_, function_);
        // What a function gives back in registers is read behind it.
        Registers given;
        for (const Formal &formal : function_.returns)
            if (formal.is_register) given.add(formal.index);
        const std::vector<Registers> outside(blocks.blocks.size(), given);
        const auto flow = solve_backward<Registers>(
            blocks.graph(),
            [&](Graph::Node node, Registers live) {
                for (std::uint32_t at = blocks.blocks[node].end; at-- > blocks.blocks[node].begin;) step(function_.code[at], live);
                return live;
            },
            outside);
        std::vector<bool> stays(function_.code.size(), true);
        for (Graph::Node node = 0; node < blocks.blocks.size(); ++node) {
            Registers live = flow.out[node];
            for (std::uint32_t at = blocks.blocks[node].end; at-- > blocks.blocks[node].begin;) stays[at] = step(function_.code[at], live);
        }
        keep_only(function_, stays);
    }

private:
    bool has_effects(const Opcode &opcode) const {
        switch (opcode.action()) {
            case Action::lanes:
            case Action::compare:
            case Action::set:
            case Action::lop3:
            case Action::move:
            case Action::convert:
            case Action::convert_pair:
            case Action::from_generic:
            case Action::to_generic:
            case Action::is_space:
            case Action::map_address: return false;
            default: return true;
        }
    }

    /// Whether the instruction stays; `live` is behind it, and before it then.
    bool step(const Instruction &instruction, Registers &live) const {
        bool is_wanted = has_effects(program_.opcode_of(instruction));
        const auto each = [&](auto visit) { each_register(program_, function_, instruction, visit); };
        each([&](const Operand &reg, bool writes) { is_wanted |= writes && live.has(reg.index); });
        if (!is_wanted) return false;
        // What a guard may leave undone is needed before, too.
        each([&](const Operand &reg, bool writes) {
            if (writes && instruction.guard < 0) live.remove(reg.index);
        });
        each([&](const Operand &reg, bool writes) {
            if (!writes) live.add(reg.index);
        });
        if (instruction.guard >= 0) live.add(static_cast<std::uint32_t>(instruction.guard));
        return true;
    }

    const Program &program_;
    Function &function_;
};

std::string in_ssa(const Program &program) {
    std::string text;
    for (const DivergenceKernel &one : divergence_kernels(program)) {
        const divergence::Analysis analysis(one.kernel);
        const divergence::SsaForm &form = analysis.form();
        text += fmt::format("{}{}\n", text.empty() ? "" : "\n", one.kernel.name);
        for (divergence::BlockIndex block = 0; block < one.kernel.blocks.size(); ++block) {
            if (!form.is_reached(block)) continue;
            const divergence::Block &here = one.kernel.blocks[block];
            const Graph::Node parent = form.dominators.parent(block);
            text +=
                fmt::format("{}:{}\n", here.label,
                            parent < one.kernel.blocks.size() ? fmt::format("  // dominated by {}", one.kernel.blocks[parent].label) : "");
            for (const std::uint32_t phi : form.phis_of[block]) text += fmt::format("    {}\n", divergence::gated_text(analysis, phi));
            for (std::size_t at = 0; at < here.code.size(); ++at)
                text += fmt::format("    {}\n", divergence::gated_text(analysis, block, at));
            const auto label_of = [&](divergence::BlockIndex target) { return one.kernel.blocks[target].label; };
            if (here.end.kind == divergence::End::Kind::jump) {
                text += fmt::format("    to {}\n", label_of(here.end.targets[0]));
            } else if (here.end.kind != divergence::End::Kind::stop) {
                text += fmt::format("    {}:", divergence::gated_condition(analysis, block));
                for (const divergence::BlockIndex target : here.end.targets) text += " " + label_of(target);
                text += "\n";
            }
        }
    }
    return text;
}

Result<void> run_passes_to(Program &program, std::string_view last) {
    MOG_TRY(verify(program));
    if (last == "parse") return {};
    for (const Pass &pass : passes) {
        for (Function &function : program.functions)
            if (function.has_body) pass.run(program, function);
        MOG_TRY(verify(program));
        if (pass.name == last) break;
    }
    return {};
}

}  // namespace

void remove_unreached(const Program &program, Function &function) {
    const Blocks blocks = find_blocks(program, function);
    if (blocks.blocks.empty()) return;
    const Graph::Node roots[] = {0};
    const std::vector<bool> is_reached = reached_from(blocks.graph(), roots);
    std::vector<bool> stays(function.code.size());
    for (std::uint32_t at = 0; at < function.code.size(); ++at) stays[at] = is_reached[blocks.block_of[at]];
    for (std::uint32_t at = 0; at < function.code.size(); ++at) {
        const Instruction &instruction = function.code[at];
        if (!stays[at] || program.opcode_of(instruction).action() != Action::branch) continue;
        // Nothing that stays is between a branch to what follows and its target.
        const std::uint32_t target = function.labels[function.operands_of(instruction)[0].index].at;
        if (target > at && std::none_of(stays.begin() + at + 1, stays.begin() + target, [](bool one) { return one; })) stays[at] = false;
    }
    keep_only(function, stays);
    std::vector<bool> is_named(function.labels.size());
    for (const Instruction &instruction : function.code)
        for (const Operand &operand : function.operands_of(instruction))
            if (operand.kind == Operand::Kind::label) is_named[operand.index] = true;
    for (const Table &table : function.tables)
        for (const std::uint32_t label : table.targets) is_named[label] = true;
    std::vector<std::uint32_t> new_number(function.labels.size());
    std::vector<Label> labels;
    for (std::size_t at = 0; at < function.labels.size(); ++at) {
        new_number[at] = static_cast<std::uint32_t>(labels.size());
        if (is_named[at]) labels.push_back(std::move(function.labels[at]));
    }
    function.labels = std::move(labels);
    for (const Instruction &instruction : function.code)
        for (Operand &operand : function.operands_of(instruction))
            if (operand.kind == Operand::Kind::label) operand.index = new_number[operand.index];
    for (Table &table : function.tables)
        for (std::uint32_t &label : table.targets) label = new_number[label];
}

void begin_outside_loops(Program &program, Function &function) {
    if (function.code.empty() || find_blocks(program, function).graph().predecessors(0).empty()) return;
    Operand to;
    to.kind = Operand::Kind::label;
    const auto first = std::ranges::find(function.labels, 0u, &Label::at);
    to.index = static_cast<std::uint32_t>(first - function.labels.begin());  // there is one: something leads there
    Instruction branch;
    branch.opcode = *program.opcodes.find("bra.uni");
    branch.operand_count = 1;
    branch.first_operand = static_cast<std::uint32_t>(function.operands.size());
    branch.place = function.code.front().place;
    function.operands.push_back(to);
    function.code.insert(function.code.begin(), branch);
    for (Label &label : function.labels) ++label.at;
}

void remove_dead(const Program &program, Function &function) {
    // What is not understood may read anything.
    if (!function.texts.empty()) return;
    DeadCode(program, function).run();
}

Result<void> run_passes(Program &program) { return run_passes_to(program, ""); }

std::vector<std::string> dump_names() {
    std::vector<std::string> names = {"parse"};
    for (const Pass &pass : passes) names.emplace_back(pass.name);
    names.emplace_back("ssa");
    return names;
}

Result<std::string> dump_after(Program &program, const std::string &name) {
    MOG_TRY(run_passes_to(program, name));
    return name == "ssa" ? in_ssa(program) : print(program);
}

}  // namespace mog::ptx
