// mog_kernels.cpp: instructions of isa.def as operations on variables: what is arithmetic as such, all else by its effects.
#include "assembler/divergence_report/mog_kernels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "assembler/analysis/effects.hpp"
#include "assembler/divergence/analysis.hpp"
#include "interp_templates/launch_abi.h"

namespace mog {
namespace {

namespace dv = divergence;

constexpr std::uint32_t nproc_address = MOG_DATA_BASE + 4 * MOG_CB_NPROC, iproc_address = MOG_DATA_BASE + 4 * MOG_CB_IPROC;

/// A MOG instruction that is an operation of kernels: ACC with a register, a constant or a number.
struct Plain {
    Op op;
    dv::Operation operation;
    bool is_unsigned = false;
};
constexpr Plain plain_operations[] = {
    {Op::add_, dv::Operation::add},          {Op::addi_, dv::Operation::add},
    {Op::addo_, dv::Operation::add},         {Op::sub_, dv::Operation::subtract},
    {Op::subo_, dv::Operation::subtract},    {Op::mul_, dv::Operation::multiply},
    {Op::and_, dv::Operation::bit_and},      {Op::andi_, dv::Operation::bit_and},
    {Op::or_, dv::Operation::bit_or},        {Op::ori_, dv::Operation::bit_or},
    {Op::xor_, dv::Operation::bit_xor},      {Op::xori_, dv::Operation::bit_xor},
    {Op::slli_, dv::Operation::shift_left},  {Op::srli_, dv::Operation::shift_right, true},
    {Op::srai_, dv::Operation::shift_right}, {Op::slt_, dv::Operation::less},
    {Op::slti_, dv::Operation::less},        {Op::sltu_, dv::Operation::less, true},
    {Op::sltui_, dv::Operation::less, true},
};

/// Registers that a function leaves as they were, by MIPS' calling convention.
bool is_preserved(std::string_view name) {
    static const std::set<std::string_view> names = {"sp",  "fp",  "gp",  "s0",  "s1",  "s2",  "s3",  "s4",  "s5",  "s6",  "s7",  "s8",
                                                     "f20", "f21", "f22", "f23", "f24", "f25", "f26", "f27", "f28", "f29", "f30", "f31"};
    return names.contains(name);
}

/// What a function, and all that it calls, may write.
struct Clobbers {
    RegisterSet written;
    std::set<std::size_t> callees;  ///< by position
    bool may_be_any = false;        ///< it calls or goes where is not known
};

/// Where a function comes to the begin of another one: before an instruction of its kernel.
struct Handover {
    dv::BlockIndex block = 0;
    std::size_t index = 0;
    std::size_t callee = 0;  ///< by position
};

struct ReadFunction {
    MogKernel of;
    std::vector<Handover> handovers;
};

class FunctionReader {
public:
    FunctionReader(const MogProgram &program, const BlockPositions &positions, const std::set<std::size_t> &functions,
                   const std::map<std::size_t, Clobbers> &clobbers)
        : program_(program), positions_(positions), functions_(functions), clobbers_(clobbers) {}

    /// Of this function alone, with what it calls by name.
    Clobbers own_clobbers(std::size_t entry) {
        find_blocks(entry);
        Clobbers result;
        for (const std::size_t position : blocks_) {
            for (const Instruction &instruction : all()[position].code)
                result.written |= may_write(info(instruction.op), instruction.operand, program_.roles);
            const Ways ways = ways_from(position);
            result.callees.insert(ways.functions.begin(), ways.functions.end());
            result.may_be_any |= ways.may_go_anywhere;
        }
        return result;
    }

    ReadFunction read(std::size_t entry, std::string name) {
        MogKernel made;
        kernel_ = &made.kernel;
        origins_ = &made.origins;
        sum_ = dv::no_variable;
        handovers_.clear();
        made.kernel.name = std::move(name);
        made.kernel.files = program_.files;
        for (const std::string &of : program_.register_names) made.kernel.add_variable("$" + of);
        acc_ = made.kernel.add_variable("ACC");
        d_ = made.kernel.add_variable("D", 64);
        fcsr_ = made.kernel.add_variable("FCSR");
        writes_fcsr_ = std::ranges::any_of(program_.blocks, [](const Block &block) {
            return std::ranges::any_of(block.code,
                                       [](const Instruction &instruction) { return (info(instruction.op).writes & Fcsr) != 0; });
        });
        find_blocks(entry);
        // First an empty block: a function may begin with a loop.
        made.kernel.blocks.resize(blocks_.size() + 2);
        made.origins.resize(made.kernel.blocks.size());
        made.acc = acc_;
        made.d = d_;
        made.kernel.blocks[0].label = "begin";
        set_end(0, {1});
        for (std::size_t b = 0; b < blocks_.size(); ++b) read_block(static_cast<dv::BlockIndex>(b + 1), blocks_[b]);
        made.kernel.blocks.back().label = "elsewhere";
        settle_control_block();
        return {std::move(made), std::move(handovers_)};
    }

private:
    const std::vector<Block> &all() const { return program_.blocks; }

    // --- which blocks a function has
    /// Where a block leads to, by position.
    struct Ways {
        std::vector<std::size_t> inside;     ///< the function
        std::vector<std::size_t> functions;  ///< that it calls or goes on with
        bool returns = false, may_go_anywhere = false;
        bool leaves() const { return returns || may_go_anywhere || !functions.empty(); }
    };
    Ways ways_from(std::size_t position) const {
        Ways ways;
        const auto &code = all()[position].code;
        const auto go = [&](std::size_t to) {
            if (to >= all().size()) ways.may_go_anywhere = true;
            else if (to != entry_ && functions_.contains(to)) ways.functions.push_back(to);
            else ways.inside.push_back(to);
        };
        if (code.empty()) {
            go(position + 1);
            return ways;
        }
        const Instruction &last = code.back();
        const bool is_named = info(last.op).operand == OperandKind::Label;
        if (last.jump == JumpKind::call) {
            go(position + 1);
            if (is_named) ways.functions.push_back(positions_.at(last.operand));
            else ways.may_go_anywhere = true;
        } else if (is_named) {
            go(positions_.at(last.operand));
            if (!ends_block(last.op)) go(position + 1);
        } else if (jumps_to_address(last.op)) {
            ways.returns = last.jump == JumpKind::returns;
            ways.may_go_anywhere = !ways.returns;
            if (ways.may_go_anywhere)
                for (std::size_t at = entry_; at < all().size() && (at == entry_ || !functions_.contains(at)); ++at)
                    if (all()[at].code_address && all()[at].entry == Entry::Label) ways.inside.push_back(at);
        } else if (!ends_block(last.op)) {
            go(position + 1);
        }
        return ways;
    }

    void find_blocks(std::size_t entry) {
        entry_ = entry;
        blocks_ = {entry};
        block_of_ = {{entry, 1}};
        for (std::size_t at = 0; at < blocks_.size(); ++at)
            for (const std::size_t to : ways_from(blocks_[at]).inside)
                if (block_of_.try_emplace(to, static_cast<dv::BlockIndex>(blocks_.size() + 1)).second) blocks_.push_back(to);
    }

    void set_end(dv::BlockIndex block, std::vector<dv::BlockIndex> targets) {
        dv::End &end = kernel_->blocks[block].end;
        end.kind = targets.empty()       ? dv::End::Kind::stop
                   : targets.size() == 1 ? dv::End::Kind::jump
                   : targets.size() == 2 ? dv::End::Kind::branch
                                         : dv::End::Kind::choice;
        if (targets.size() > 1) end.condition = dv::Operand::of(acc_);
        end.targets = std::move(targets);
    }

    // --- instructions
    void read_block(dv::BlockIndex to, std::size_t position) {
        kernel_->blocks[to].label = all()[position].label;
        to_ = to;
        const auto &code = all()[position].code;
        MogKernel::Origin &origin = (*origins_)[to];
        origin.position = position;
        for (std::uint32_t i = 0; i < code.size(); ++i) {
            place_ = place_of(code[i].address);
            read_instruction(code[i]);
            origin.made_from.resize(kernel_->blocks[to].code.size(), i);
        }
        const Ways ways = ways_from(position);
        std::vector<dv::BlockIndex> targets;
        for (const std::size_t next : ways.inside)
            if (const dv::BlockIndex target = block_of_.at(next); std::ranges::find(targets, target) == targets.end())
                targets.push_back(target);
        // Where it may lead out, and goes on inside too: the last block is outside. A call comes back.
        const bool is_call = !all()[position].code.empty() && all()[position].code.back().jump == JumpKind::call;
        if (ways.leaves() && !is_call && !targets.empty()) targets.push_back(static_cast<dv::BlockIndex>(kernel_->blocks.size() - 1));
        if (!is_call)
            for (const std::size_t function : ways.functions) handovers_.push_back({to, kernel_->blocks[to].code.size(), function});
        set_end(to, std::move(targets));
        kernel_->blocks[to].end.place = place_;
    }

    dv::Place place_of(std::uint32_t address) const {
        if (address == 0) return {};
        const auto behind = std::ranges::upper_bound(program_.lines, address, {}, &Line::address);
        return behind == program_.lines.begin() ? dv::Place{} : dv::Place{std::prev(behind)->file, std::prev(behind)->line};
    }

    dv::Instruction &add(dv::Operation operation, dv::Variable result, std::vector<dv::Operand> operands) {
        dv::Instruction &instruction = kernel_->blocks[to_].code.emplace_back();
        instruction.operation = operation;
        instruction.result = result;
        instruction.operands = std::move(operands);
        instruction.place = place_;
        return instruction;
    }

    dv::Operand second_operand(const Instruction &instruction) const {
        if (info(instruction.op).operand == OperandKind::Reg) return dv::Operand::of(instruction.operand);
        const auto number = static_cast<std::int32_t>(instruction.operand);
        return dv::Operand::number(info(instruction.op).operand == OperandKind::Byte ? number & 31 : number);
    }

    void read_instruction(const Instruction &instruction) {
        const OpInfo &row = info(instruction.op);
        const dv::Operand acc = dv::Operand::of(acc_);
        for (const Plain &plain : plain_operations) {
            if (plain.op != instruction.op) continue;
            dv::Instruction &made = add(plain.operation, acc_, {acc, second_operand(instruction)});
            made.is_unsigned = plain.is_unsigned;
            // A sum that does not fit stops the PE.
            made.exact = instruction.op == Op::addo_ || instruction.op == Op::subo_;
            return;
        }
        switch (instruction.op) {
            case Op::li_: add(dv::Operation::constant, acc_, {dv::Operand::number(static_cast<std::int32_t>(instruction.operand))}); return;
            case Op::lr_: add(dv::Operation::copy, acc_, {dv::Operand::of(instruction.operand)}); return;
            case Op::sr_:
            case Op::srsp_: add(dv::Operation::copy, instruction.operand, {acc}); return;
            case Op::neg_: add(dv::Operation::subtract, acc_, {dv::Operand::number(0), acc}); return;
            default: break;
        }
        if (instruction.jump == JumpKind::call) {
            if (row.operand == OperandKind::Label)
                handovers_.push_back({to_, kernel_->blocks[to_].code.size(), positions_.at(instruction.operand)});
            call(row.operand == OperandKind::Label ? &clobbers_.at(positions_.at(instruction.operand)) : nullptr);
        } else if (row.access && (row.writes & Mem) != 0) {
            const bool in_acc = row.access.address == AddressIn::acc;
            add(dv::Operation::store, dv::no_variable, {address_of(instruction), in_acc ? dv::Operand::of(instruction.operand) : acc});
            // What was there, of an operation in one step.
            if ((row.writes & Acc) != 0) add(dv::Operation::opaque, acc_, {}).word = row.name;
            if ((row.writes & D) != 0) add(dv::Operation::opaque, d_, {}).word = row.name;
        } else if (row.access) {
            dv::Instruction &load = add(dv::Operation::load, (row.writes & D) != 0 ? d_ : acc_, {address_of(instruction)});
            load.memory = dv::Memory::own;
        } else {
            by_effects(instruction);
        }
    }

    dv::Operand address_of(const Instruction &instruction) {
        const AddressIn where = info(instruction.op).access.address;
        if (where == AddressIn::acc) return dv::Operand::of(acc_);
        if (where == AddressIn::reg) return dv::Operand::of(instruction.operand);
        if (sum_ == dv::no_variable) sum_ = kernel_->add_variable("address");
        add(dv::Operation::add, sum_, {dv::Operand::of(acc_), dv::Operand::of(instruction.operand)});
        return dv::Operand::of(sum_);
    }

    dv::Variable variable_of(std::size_t number) const {
        return number == acc_variable ? acc_ : number == d_variable ? d_ : static_cast<dv::Variable>(number);
    }

    /// What it writes is made of all that it reads; what the host does, of anything.
    void by_effects(const Instruction &instruction) {
        const OpInfo &row = info(instruction.op);
        const RegisterSet reads = reads_of(instruction, program_.roles), writes = may_write(row, instruction.operand, program_.roles);
        std::vector<dv::Operand> operands;
        const bool by_host = always_stops(instruction.op) || (row.reads & Fcsr) != 0;
        if (!by_host)
            for (std::size_t number = 0; number < reads.size(); ++number)
                if (reads[number]) operands.push_back(dv::Operand::of(variable_of(number)));
        // How it rounds is a matter of a register that a program seldom writes.
        if ((row.writes & Fpu) != 0 && writes_fcsr_) operands.push_back(dv::Operand::of(fcsr_));
        for (std::size_t number = 0; number < writes.size(); ++number) {
            if (!writes[number]) continue;
            add(by_host ? dv::Operation::opaque : dv::Operation::other, variable_of(number), operands).word = row.name;
        }
        if ((row.writes & Fcsr) != 0) add(dv::Operation::copy, fcsr_, {dv::Operand::of(acc_)});
    }

    /// `callee`: what is called; nullptr: that is not known.
    void call(const Clobbers *callee) {
        const auto is_written = [&](std::size_t number) { return callee == nullptr || callee->may_be_any || callee->written[number]; };
        for (dv::Variable variable = 0; variable < program_.register_names.size(); ++variable)
            if (is_written(variable) && !is_preserved(program_.register_names[variable]))
                add(dv::Operation::opaque, variable, {}).word = "call";
        if (is_written(acc_variable)) add(dv::Operation::opaque, acc_, {}).word = "call";
        if (is_written(d_variable)) add(dv::Operation::opaque, d_, {}).word = "call";
    }

    /// Loads of NPROC and IPROC, where the address is a constant: it often stands in a register, and is known when constants are.
    void settle_control_block() {
        dv::AnalysisOptions options;
        options.degree = 1;
        const dv::Analysis analysis(*kernel_, options);
        const dv::SsaForm &form = analysis.form();
        for (dv::BlockIndex b = 0; b < kernel_->blocks.size(); ++b)
            for (std::size_t i = 0; i < kernel_->blocks[b].code.size(); ++i) {
                dv::Instruction &instruction = kernel_->blocks[b].code[i];
                if (instruction.operation != dv::Operation::load || instruction.result != acc_ || !form.is_reached(b)) continue;
                const dv::ValueIndex address = form.read_by(b, i, 0);
                if (address == dv::no_value || !analysis.fact(address).is_constant()) continue;
                const auto at = static_cast<std::uint32_t>(analysis.fact(address).a[0].number);
                if (at != nproc_address && at != iproc_address) continue;
                instruction.operands.clear();
                instruction.operation = at == iproc_address ? dv::Operation::special : dv::Operation::parameter;
                instruction.special = dv::Special::tid;
                instruction.word = at == iproc_address ? "IPROC" : "NPROC";
            }
    }

    const MogProgram &program_;
    const BlockPositions &positions_;
    const std::set<std::size_t> &functions_;
    const std::map<std::size_t, Clobbers> &clobbers_;  // by position of the function
    dv::Kernel *kernel_ = nullptr;
    std::vector<MogKernel::Origin> *origins_ = nullptr;
    dv::Variable acc_ = 0, d_ = 0, fcsr_ = 0, sum_ = dv::no_variable;
    bool writes_fcsr_ = false;
    std::vector<Handover> handovers_;
    std::size_t entry_ = 0;
    std::vector<std::size_t> blocks_;                 // positions, in the order of the kernel's blocks from 1 on
    std::map<std::size_t, dv::BlockIndex> block_of_;  // by position
    dv::BlockIndex to_ = 0;
    dv::Place place_;
};

std::vector<dv::Variable> incoming_of(const dv::Kernel &kernel) {
    std::vector<dv::Variable> variables;
    for (const dv::Value &value : dv::SsaForm(kernel).values)
        if (value.kind == dv::Value::Kind::incoming) variables.push_back(value.variable);
    return variables;
}

std::vector<std::string> hypotheses_of(const dv::Kernel &kernel) {
    std::vector<std::string> sentences = {
        "the PEs that stand together came into the function together, and are in the same round of each loop that they are in"};
    std::string same, other;
    for (const dv::Variable variable : incoming_of(kernel)) {
        std::string &names = kernel.incoming[variable] == dv::Incoming::uniform ? same : other;
        names += (names.empty() ? "" : " ") + kernel.variables[variable].name;
    }
    if (!same.empty()) sentences.push_back("these hold the same in all of them when they come in: " + same);
    if (!other.empty()) sentences.push_back("these need not, by what callers give: " + other);
    const auto any = [&](auto is_it) {
        return std::ranges::any_of(kernel.blocks, [&](const dv::Block &block) { return std::ranges::any_of(block.code, is_it); });
    };
    if (any([](const dv::Instruction &of) { return of.word == "call"; }))
        sentences.push_back("what is called preserves the registers that the calling convention says, and all come back together");
    if (any([](const dv::Instruction &of) { return of.word == "IPROC" || of.word == "NPROC"; }))
        sentences.push_back("nobody writes to NPROC and IPROC; the PEs of a warp have consecutive numbers (T is IPROC)");
    return sentences;
}

/// Finds what functions are given that differs among lanes: where one comes to another, the registers that the latter reads as it found
/// them, as far as the former's analysis does not know them to be the same; until nothing changes.
void settle_incoming(std::map<std::size_t, ReadFunction> &functions) {
    std::map<std::size_t, std::vector<dv::Variable>> wanted;
    for (const auto &[position, function] : functions)
        for (const dv::Variable variable : incoming_of(function.of.kernel))
            if (variable < function.of.acc) wanted[position].push_back(variable);
    std::set<std::size_t> waiting;
    for (const auto &[position, function] : functions)
        if (!function.handovers.empty()) waiting.insert(position);
    while (!waiting.empty()) {
        const ReadFunction &caller = functions.at(*waiting.begin());
        waiting.erase(waiting.begin());
        dv::Kernel asking = caller.of.kernel;
        std::vector<Handover> handovers = caller.handovers;
        std::ranges::sort(handovers,
                          [](const Handover &a, const Handover &b) { return std::pair(a.block, a.index) > std::pair(b.block, b.index); });
        for (const Handover &one : handovers) {
            dv::Instruction reader;
            reader.operation = dv::Operation::opaque;
            for (const dv::Variable variable : wanted[one.callee]) reader.operands.push_back(dv::Operand::of(variable));
            auto &code = asking.blocks[one.block].code;
            code.insert(code.begin() + static_cast<std::ptrdiff_t>(one.index), std::move(reader));
        }
        const dv::Analysis analysis(asking);
        for (std::size_t i = 0; i < handovers.size(); ++i) {
            const Handover &one = handovers[i];
            if (!analysis.form().is_reached(one.block) || !functions.contains(one.callee)) continue;
            // Those of the same block that stand before it have one more each.
            const auto before =
                static_cast<std::size_t>(std::count_if(handovers.begin() + static_cast<std::ptrdiff_t>(i) + 1, handovers.end(),
                                                       [&](const Handover &other) { return other.block == one.block; }));
            MogKernel &callee = functions.at(one.callee).of;
            for (std::size_t o = 0; o < wanted[one.callee].size(); ++o) {
                const dv::Variable variable = wanted[one.callee][o];
                const dv::Fact fact = analysis.fact_at(analysis.form().read_by(one.block, one.index + before, o),
                                                       analysis.form().reading_of(one.block, one.index + before, o));
                if (fact.is_top() || fact.is_uniform() || callee.kernel.incoming[variable] == dv::Incoming::divergent) continue;
                callee.kernel.incoming[variable] = dv::Incoming::divergent;
                if (!functions.at(one.callee).handovers.empty()) waiting.insert(one.callee);
            }
        }
    }
}

}  // namespace

std::vector<MogKernel> mog_kernels(const MogProgram &program, const std::function<bool(std::string_view)> &is_wanted) {
    const auto positions = program.positions();
    std::set<std::size_t> functions = {positions.at(program.entry)};
    for (std::size_t b = 0; b < program.blocks.size(); ++b) {
        const Block &block = program.blocks[b];
        if (block.code_address && block.entry == Entry::Function) functions.insert(b);
        if (!block.code.empty() && block.code.back().jump == JumpKind::call && info(block.code.back().op).operand == OperandKind::Label)
            functions.insert(positions.at(block.code.back().operand));
    }
    std::map<std::size_t, Clobbers> clobbers;
    FunctionReader reader(program, positions, functions, clobbers);
    for (const std::size_t function : functions) clobbers.emplace(function, reader.own_clobbers(function));
    for (bool again = true; again;) {
        again = false;
        for (auto &[function, of] : clobbers)
            for (const std::size_t callee : of.callees) {
                const Clobbers &called = clobbers.at(callee);
                const RegisterSet all = of.written | called.written;
                again |= all != of.written || (called.may_be_any && !of.may_be_any);
                of.written = all;
                of.may_be_any |= called.may_be_any;
            }
    }
    std::map<std::size_t, ReadFunction> all;
    for (const std::size_t function : functions) all.emplace(function, reader.read(function, program.blocks[function].label));
    settle_incoming(all);
    std::vector<MogKernel> kernels;
    for (auto &[function, read] : all) {
        if (!is_wanted(program.blocks[function].label)) continue;
        read.of.hypotheses = hypotheses_of(read.of.kernel);
        kernels.push_back(std::move(read.of));
    }
    return kernels;
}

}  // namespace mog
