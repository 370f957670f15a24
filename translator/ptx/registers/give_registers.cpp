// give_registers.cpp: guards into branches, then what an allocator decided of the function as a kernel, in the function's own text.
#include "translator/ptx/registers/give_registers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <set>

#include "translator/ptx/blocks.hpp"
#include "translator/ptx/kernels.hpp"
#include "translator/ptx/passes.hpp"
#include "translator/ptx/uses.hpp"

namespace mog::ptx {
namespace {

using registers::Tag;
using OfLanes = divergence::Instruction;
using Do = divergence::Operation;

constexpr unsigned warp_lanes = 32, slot_bytes = 8;

/// Of what kernels without .reqntid say of their blocks: one that asks for tid.y and tid.z by no word has blocks of one row.
divergence::ThreadShape shape_of(const Function &function) {
    divergence::ThreadShape shape;
    shape.warp = warp_lanes;
    if (const auto &block = function.required_block) {
        shape.x = (*block)[0];
        shape.y = (*block)[1];
        shape.z = (*block)[2];
        return shape;
    }
    const auto is_of_rows = [](const Operand &operand) {
        constexpr Special of_rows[] = {Special::tid_y, Special::tid_z, Special::ntid_y, Special::ntid_z};
        return operand.kind == Operand::Kind::special &&
               std::ranges::find(of_rows, static_cast<Special>(operand.index)) != std::end(of_rows);
    };
    if (function.is_entry && std::ranges::none_of(function.operands, is_of_rows)) shape.y = shape.z = 1;
    return shape;
}

/// What a lane reads to know its T, where that is known at all.
Special thread_of(const divergence::ThreadShape &shape) {
    if (shape.x != 1 || (shape.y == 1 && shape.z == 1)) return Special::tid_x;
    return shape.z == 1 ? Special::tid_y : Special::tid_z;
}

/// A function that is called may be run by lanes that parted, and by itself again: there is no word that is one warp's alone.
registers::Allocator without_words(registers::Allocator allocator) {
    using registers::Allocator;
    switch (allocator) {
        case Allocator::divergent: return Allocator::linear;
        case Allocator::affine: return Allocator::rematerialising;
        default: return allocator;
    }
}

class Giver {
public:
    Giver(Program &program, std::uint32_t function, const RegistersOptions &options)
        : program_(program), function_(program.functions[function]), options_(options) {}

    Result<GivenRegisters> run() {
        MOG_TRY(check());
        remove_unreached(program_, function_);
        begin_outside_loops(program_, function_);  // again, for its branch went with the others
        MOG_TRY(guards_into_branches());
        given_.function = function_.name;
        given_.is_entry = function_.is_entry;
        given_.allocator = function_.is_entry ? options_.allocator : without_words(options_.allocator);
        given_.shape = shape_of(function_);
        registers::AllocateOptions how;
        how.allocator = given_.allocator;
        how.registers = options_.registers;
        how.bits = options_.bits;
        how.shape = given_.shape;
        how.exact_may_stop = false;
        auto kernels = divergence_kernels(program_, {function_.name}, {options_.arithmetic_is_exact, true});
        kernel_ = std::move(kernels.front());
        auto allocated = registers::allocate(kernel_.kernel, how);
        if (!allocated) return Error{function_.name + ": " + allocated.error().message, allocated.error().where};
        allocated_ = std::move(*allocated);
        write();
        given_.counts = allocated_.counts;
        given_.bytes = allocated_.bytes;
        given_.webs = allocated_.webs;
        given_.spilled = allocated_.spilled;
        given_.words = allocated_.words;
        return std::move(given_);
    }

private:
    Result<void> check() const {
        const std::string where = program_.text_of(function_.place);
        if (!function_.texts.empty())
            return Error{
                fmt::format("{} has instructions that are not executed here: nobody knows which registers they want", function_.name),
                where};
        for (const auto *formals : {&function_.returns, &function_.parameters})
            for (const Formal &formal : *formals)
                if (formal.is_register)
                    return Error{fmt::format("{} has parameters in registers, and not in .param", function_.name), where};
        return {};
    }

    std::string unused_label() {
        for (;;) {
            std::string name = fmt::format("$behind{}", ++labels_made_);
            if (std::ranges::find(function_.labels, name, &Label::name) == function_.labels.end()) return name;
        }
    }

    /// Registers that an instruction leaves as they were would have to be the same before and behind it; branches around it want nothing.
    Result<void> guards_into_branches() {
        const auto branch = program_.opcodes.find("bra");
        if (!branch) return branch.error();
        std::vector<Instruction> code;
        std::vector<std::uint32_t> new_place;
        std::vector<Label> added;
        for (const Instruction &instruction : function_.code) {
            new_place.push_back(static_cast<std::uint32_t>(code.size()));
            bool wants = instruction.guard >= 0 && program_.opcode_of(instruction).action() == Action::branch_table;
            each_register(program_, function_, instruction, [&](const Operand &reg, bool writes) {
                wants |= instruction.guard >= 0 && writes && function_.registers[reg.index] != Type::pred;
            });
            if (wants) {
                Instruction &around = code.emplace_back();
                around.opcode = *branch;
                around.guard = instruction.guard;
                around.guard_negated = !instruction.guard_negated;
                around.place = instruction.place;
                around.operand_count = 1;
                around.first_operand = static_cast<std::uint32_t>(function_.operands.size());
                Operand target;
                target.kind = Operand::Kind::label;
                target.index = static_cast<std::uint32_t>(function_.labels.size() + added.size());
                function_.operands.push_back(target);
                added.push_back({unused_label(), static_cast<std::uint32_t>(code.size() + 1)});
            }
            code.push_back(instruction);
            if (wants) code.back().guard = -1;
        }
        new_place.push_back(static_cast<std::uint32_t>(code.size()));
        for (Label &label : function_.labels) label.at = new_place[label.at];
        function_.labels.insert(function_.labels.end(), added.begin(), added.end());
        function_.code = std::move(code);
        return {};
    }

    // --- the function anew
    void write() {
        const Function before = function_;
        before_ = &before;
        const Blocks blocks = find_blocks(program_, before);
        function_.code.clear();
        function_.operands.clear();
        function_.elements.clear();
        function_.registers.clear();
        function_.ranges.clear();
        for (std::uint32_t reg = 0; reg < before.registers.size(); ++reg)
            if (before.registers[reg] == Type::pred) predicates_[reg] = function_.add_register(before.register_name(reg), Type::pred);
        overlaps_ = options_.has_junk ? allocated_.overlaps() : std::vector<std::vector<divergence::Variable>>(allocated_.places.size());
        if (allocated_.rows != 0) {
            rows_ = static_cast<std::uint32_t>(function_.variables.size());
            function_.variables.push_back(memory(unused_name("rows"), Space::local, allocated_.rows));
        }
        if (allocated_.words != 0) find_words();
        std::vector<std::uint32_t> new_place(before.code.size() + 1);
        for (std::uint32_t number = 0; number < blocks.blocks.size(); ++number) {
            new_place[blocks.blocks[number].begin] = static_cast<std::uint32_t>(function_.code.size());
            write_block(blocks.blocks[number], number + 1);
        }
        new_place.back() = static_cast<std::uint32_t>(function_.code.size());
        for (Label &label : function_.labels) label.at = new_place[label.at];
    }

    static Variable memory(std::string name, Space space, std::size_t slots) {
        Variable variable;
        variable.name = std::move(name);
        variable.type = Type::b8;
        variable.space = space;
        variable.alignment = slot_bytes;
        variable.size = slots * slot_bytes;
        variable.is_array = true;
        return variable;
    }
    std::string unused_name(const std::string &what) const {
        std::string name = fmt::format("{}_of_{}", what, function_.name);
        while (std::ranges::find(program_.variables, name, &Variable::name) != program_.variables.end() ||
               std::ranges::find(function_.variables, name, &Variable::name) != function_.variables.end())
            name += "_";
        return name;
    }

    void write_block(const Block &block, divergence::BlockIndex b) {
        const auto &made_of = kernel_.made_of[b];
        const auto &tags = allocated_.tags[b];
        std::size_t part = 0, next = 0;
        for (std::uint32_t at = block.begin; at < block.end; ++at) {
            const std::size_t begin = part;
            while (part < made_of.size() && made_of[part] == at) ++part;
            const Action action = program_.opcode_of(before_->code[at]).action();
            const bool is_branch = action == Action::branch || action == Action::branch_table;
            // Parts that are all left out are not needed, or copies of a register to itself.
            bool is_there = part == begin || is_branch;
            std::map<std::uint32_t, divergence::Variable> reads, writes;
            std::size_t last = next;
            while (last < tags.size() && (tags[last].of < part || is_branch)) ++last;
            for (std::size_t one = next; one < last; ++one) {
                if (tags[one].kind != Tag::Kind::program) continue;
                is_there = true;
                const OfLanes &old_part = kernel_.kernel.blocks[b].code[tags[one].of], &new_part = allocated_.kernel.blocks[b].code[one];
                for (std::size_t o = 0; o < old_part.operands.size(); ++o)
                    if (!old_part.operands[o].is_constant()) reads.emplace(old_part.operands[o].variable, new_part.operands[o].variable);
                if (old_part.result != divergence::no_variable) writes.emplace(old_part.result, new_part.result);
            }
            if (is_branch) {
                const auto &old_condition = kernel_.kernel.blocks[b].end.condition,
                           &new_condition = allocated_.kernel.blocks[b].end.condition;
                if (!old_condition.is_constant()) reads.emplace(old_condition.variable, new_condition.variable);
            }
            for (; next < last && tags[next].kind != Tag::Kind::store; ++next)
                if (tags[next].kind == Tag::Kind::load) write_spill(b, next, before_->code[at].place);
            if (is_there) write_instruction(before_->code[at], reads, writes);
            for (; next < last; ++next) write_spill(b, next, before_->code[at].place);
        }
    }

    /// A register by what an allocator calls it.
    std::uint32_t reg(divergence::Variable variable) {
        const auto &place = allocated_.places[variable];
        if (place.count == 0) return predicates_.at(place.origin);
        return reg(place.first, allocated_.kernel.variables[variable].width);
    }
    std::uint32_t reg(unsigned number, unsigned width) {
        const auto [at, is_new] = registers_.try_emplace({number, width}, 0);
        if (!is_new) return at->second;
        const std::string name = unused_register(fmt::format("%{}{}", width <= 16 ? "h" : width == 32 ? "r" : "d", number));
        return at->second = function_.add_register(name, width <= 16 ? Type::b16 : width == 32 ? Type::b32 : Type::b64);
    }
    std::string unused_register(std::string name) const {
        while (std::ranges::find(function_.ranges, name, &RegisterRange::name) != function_.ranges.end()) name += "_";
        return name;
    }

    using Map = std::map<std::uint32_t, divergence::Variable>;
    Operand renamed(Operand operand, const Map &map) {
        if (operand.kind == Operand::Kind::reg) {
            const auto predicate = predicates_.find(operand.index);
            operand.index = predicate != predicates_.end() ? predicate->second : reg(map.at(operand.index));
        }
        if (operand.kind == Operand::Kind::list || operand.kind == Operand::Kind::pair) {
            std::vector<Operand> elements;
            for (const Operand &element : before_->elements_of(operand)) elements.push_back(renamed(element, map));
            operand.index = static_cast<std::uint32_t>(function_.elements.size());
            function_.elements.insert(function_.elements.end(), elements.begin(), elements.end());
        }
        return operand;
    }

    void write_instruction(Instruction instruction, const Map &reads, const Map &writes) {
        const Opcode &opcode = program_.opcode_of(instruction);
        std::vector<Operand> operands;
        for (std::size_t at = 0; at < instruction.operand_count; ++at) {
            const Operand &operand = before_->operands_of(instruction)[at];
            operands.push_back(renamed(operand, is_written(opcode, operand, at) ? writes : reads));
        }
        if (instruction.guard >= 0)
            instruction.guard = static_cast<std::int32_t>(predicates_.at(static_cast<std::uint32_t>(instruction.guard)));
        instruction.first_operand = static_cast<std::uint32_t>(function_.operands.size());
        function_.operands.insert(function_.operands.end(), operands.begin(), operands.end());
        function_.code.push_back(instruction);
        for (const auto &[old_one, new_one] : writes) junk_over(new_one, instruction.place);
    }

    void emit(const std::string &opcode, std::initializer_list<Operand> operands, const Place &place) {
        Instruction &instruction = function_.code.emplace_back();
        instruction.opcode = *program_.opcodes.find(opcode);  // these words are in ptx.def
        instruction.place = place;
        instruction.operand_count = static_cast<std::uint16_t>(operands.size());
        instruction.first_operand = static_cast<std::uint32_t>(function_.operands.size());
        function_.operands.insert(function_.operands.end(), operands.begin(), operands.end());
    }
    static Operand of(Operand::Kind kind, std::uint32_t index, std::int64_t value = 0, bool is_address = false) {
        Operand operand;
        operand.kind = kind;
        operand.index = index;
        operand.value = value;
        operand.is_address = is_address;
        return operand;
    }
    static Operand of_register(std::uint32_t index) { return of(Operand::Kind::reg, index); }
    static Operand number(std::int64_t value) { return of(Operand::Kind::integer, 0, value); }
    static Operand special(Special which) { return of(Operand::Kind::special, static_cast<std::uint32_t>(which)); }

    /// Where this warp's words are: behind those of the warps before it in its block.
    void find_words() {
        const std::uint32_t warps =
            (function_.required_block ? (*function_.required_block)[0] * (*function_.required_block)[1] * (*function_.required_block)[2]
                                      : function_.max_threads) +
            warp_lanes - 1;
        const auto variable = static_cast<std::uint32_t>(program_.variables.size());
        program_.variables.push_back(memory(unused_name("words"), Space::shared, allocated_.words * (warps / warp_lanes)));
        words_ = function_.add_register(unused_register("%words"), Type::b32);
        const std::uint32_t base = function_.add_register(unused_register("%base"), Type::b32);
        const Place place = function_.place;
        const auto copy = [&](std::uint32_t to, Special which) { emit("mov.u32", {of_register(to), special(which)}, place); };
        const bool is_one_row = given_.shape.y == 1 && given_.shape.z == 1;
        if (!is_one_row) {
            copy(words_, Special::tid_z);
            copy(base, Special::ntid_y);
            emit("mul.lo.u32", {of_register(words_), of_register(words_), of_register(base)}, place);
            copy(base, Special::tid_y);
            emit("add.u32", {of_register(words_), of_register(words_), of_register(base)}, place);
            copy(base, Special::ntid_x);
            emit("mul.lo.u32", {of_register(words_), of_register(words_), of_register(base)}, place);
        }
        copy(is_one_row ? words_ : base, Special::tid_x);
        if (!is_one_row) emit("add.u32", {of_register(words_), of_register(words_), of_register(base)}, place);
        emit("shr.u32", {of_register(words_), of_register(words_), number(5)}, place);
        emit("mul.lo.u32", {of_register(words_), of_register(words_), number(static_cast<std::int64_t>(allocated_.words * slot_bytes))},
             place);
        emit("mov.u32", {of_register(base), of(Operand::Kind::module_variable, variable)}, place);
        emit("add.u32", {of_register(words_), of_register(words_), of_register(base)}, place);
    }

    Operand slot(const OfLanes &access) const {
        const std::int64_t offset = access.operands[0].constant * slot_bytes;
        return access.memory == divergence::Memory::warp ? of(Operand::Kind::reg, words_, offset, true)
                                                         : of(Operand::Kind::own_variable, rows_, offset, true);
    }

    void write_spill(divergence::BlockIndex b, std::size_t at, const Place &place) {
        const OfLanes &what = allocated_.kernel.blocks[b].code[at];
        const auto width_of = [&](divergence::Variable variable) {
            return std::max(16u, unsigned{allocated_.kernel.variables[variable].width});
        };
        const auto value = [&](const divergence::Operand &operand) {
            return operand.is_constant() ? number(operand.constant) : of_register(reg(operand.variable));
        };
        if (what.operation == Do::store) {
            const divergence::Variable stored = what.operands[1].variable;
            emit(fmt::format("st.{}.b{}", what.memory == divergence::Memory::warp ? "shared" : "local", width_of(stored)),
                 {slot(what), of_register(reg(stored))}, place);
            return;
        }
        const unsigned width = width_of(what.result);
        const Operand to = of_register(reg(what.result));
        switch (what.operation) {
            case Do::constant: emit(fmt::format("mov.b{}", width), {to, number(what.operands[0].constant)}, place); break;
            case Do::special: {
                const Special which = what.special == divergence::Special::lane ? Special::laneid : thread_of(given_.shape);
                const Operand narrow = of_register(reg(allocated_.places[what.result].first, 32));
                emit("mov.u32", {narrow, special(which)}, place);
                if (width == 64) emit("cvt.u64.u32", {to, narrow}, place);
                break;
            }
            case Do::add: emit(fmt::format("add.s{}", width), {to, value(what.operands[0]), value(what.operands[1])}, place); break;
            case Do::multiply: emit(fmt::format("mul.lo.s{}", width), {to, value(what.operands[0]), value(what.operands[1])}, place); break;
            case Do::multiply_add:
                emit(fmt::format("mad.lo.s{}", width), {to, value(what.operands[0]), value(what.operands[1]), value(what.operands[2])},
                     place);
                break;
            default:
                emit(fmt::format("ld.{}.b{}", what.memory == divergence::Memory::warp ? "shared" : "local", width), {to, slot(what)},
                     place);
        }
        junk_over(what.result, place);
    }

    void junk_over(divergence::Variable written, const Place &place) {
        for (const divergence::Variable other : overlaps_[written]) {
            if (allocated_.places[other].count == 0 || allocated_.places[written].count == 0) continue;
            constexpr std::int64_t junk = 0x5a5a;
            emit(fmt::format("mov.b{}", std::max(16u, unsigned{allocated_.kernel.variables[other].width})),
                 {of_register(reg(other)), number(junk)}, place);
        }
    }

    Program &program_;
    Function &function_;
    const RegistersOptions &options_;
    GivenRegisters given_;
    DivergenceKernel kernel_;
    registers::Allocated allocated_;
    const Function *before_ = nullptr;
    std::map<std::uint32_t, std::uint32_t> predicates_;                 // by register before
    std::map<std::pair<unsigned, unsigned>, std::uint32_t> registers_;  // by number and width
    std::vector<std::vector<divergence::Variable>> overlaps_;
    std::uint32_t rows_ = 0, words_ = 0;  // the variable of the function; the register
    unsigned labels_made_ = 0;
};

}  // namespace

Result<RegistersOptions> read_registers_options(std::string_view words) {
    RegistersOptions options;
    bool has_allocator = false;
    while (true) {
        const std::string_view word = words.substr(0, words.find(','));
        const auto number = [&](std::string_view text, unsigned &into) {
            const auto read = std::from_chars(text.data(), text.data() + text.size(), into);
            return read.ec == std::errc() && read.ptr == text.data() + text.size();
        };
        const auto named =
            std::ranges::find(registers::allocators, word, [](registers::Allocator one) { return std::string_view(name_of(one)); });
        if (named != std::end(registers::allocators)) {
            options.allocator = *named;
            has_allocator = true;
        } else if (word == "exact") {
            options.arithmetic_is_exact = true;
        } else if (word == "junk") {
            options.has_junk = true;
        } else if (word.starts_with("bits=") && number(word.substr(5), options.bits) && (options.bits == 32 || options.bits == 64)) {
        } else if (!number(word, options.registers) || options.registers == 0) {
            return Error{fmt::format("`{}` is none of what registers are given out by: {}", word, registers_help())};
        }
        if (word.size() == words.size()) break;
        words.remove_prefix(word.size() + 1);
    }
    if (!has_allocator) return Error{fmt::format("no allocator is named: {}", registers_help())};
    return options;
}

std::string_view registers_help() {
    return "linear, divergent, rematerialising or affine; behind commas how many registers (default: 8), bits=32 (default: 64), exact: "
           "sums and "
           "products of 32 bits do not wrap";
}

Result<std::vector<GivenRegisters>> give_registers(Program &program, const RegistersOptions &options,
                                                   const std::vector<std::string> &names) {
    std::vector<GivenRegisters> all;
    for (const std::string &name : names)
        if (const Function *const function = program.function(name); function == nullptr || !function->has_body)
            return Error{fmt::format("no function is called {}", name), program.name};
    for (std::uint32_t at = 0; at < program.functions.size(); ++at) {
        const Function &function = program.functions[at];
        if (!function.has_body || (!names.empty() && std::ranges::find(names, function.name) == names.end())) continue;
        auto given = Giver(program, at, options).run();
        if (!given) return given.error();
        all.push_back(std::move(*given));
    }
    MOG_TRY(verify(program));
    return all;
}

std::string objection_to(const GivenRegisters &given, std::uint32_t x, std::uint32_t y, std::uint32_t z) {
    const auto fits = [](const std::optional<std::uint32_t> &wanted, std::uint32_t is) { return !wanted || *wanted == is; };
    if (fits(given.shape.x, x) && fits(given.shape.y, y) && fits(given.shape.z, z)) return {};
    return fmt::format("{} has registers for {}, and not for blocks of {} x {} x {}: .reqntid in its text says of which they are",
                       given.function, given.shape.text(), x, y, z);
}

std::string describe(const std::vector<GivenRegisters> &given, const RegistersOptions &options) {
    std::string text;
    for (const GivenRegisters &one : given) {
        text += fmt::format("\n// {}: {} allocation to {} registers of {} bits, for {}; of {} variables that are apart, {} are spilled\n",
                            one.function, name_of(one.allocator), options.registers, options.bits, one.shape.text(), one.webs, one.spilled);
        text += "// home       loads  stores      bytes\n";
        for (std::size_t home = 0; home < registers::homes; ++home)
            text += fmt::format("// {:<9} {:>6} {:>7} {:>10.0f}\n", name_of(static_cast<registers::Home>(home)), one.counts.loads[home],
                                one.counts.stores[home], one.bytes[home]);
        text += fmt::format("// {} of {} loads and stores are no row's\n", one.counts.replaced(), one.counts.operations());
    }
    if (!given.empty())
        text +=
            "// Stores of what is computed again are those that are not needed. Bytes are those of a warp, in the text, ten times in a "
            "loop.\n"
            "// Words hold if lanes that part at a branch meet again where its region ends, and not before.\n";
    return text;
}

}  // namespace mog::ptx
