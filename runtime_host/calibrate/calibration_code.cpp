// calibration_code.cpp: loops of random instructions, each with operands that let it do its work and go on.
//
// The operands stand in registers that the host sets before a loop runs: an integer, two floats, two doubles, addresses.
// So an instruction is preceded by `lr` or `lrd`, which bring the right kind of value into ACC or D, whatever the
// instructions before have left there.
#include "runtime_host/calibrate/calibration_code.hpp"

#include <optional>
#include <set>
#include <utility>

#include "assembler/emit/generate.hpp"
#include "assembler/image/encode.hpp"
#include "interp_templates/launch_abi.h"
#include "support/random.hpp"

namespace mog {
namespace {

constexpr std::uint32_t code_base = 0x00400000, heap = MOG_DATA_BASE + 0x1000;

// The registers, in the order of their numbers. Doubles are 1.25 and 1.5.
#define CALIBRATION_REGISTERS(X)            \
    X(integer, 1000003, false)              \
    X(small, 7, false)                      \
    X(zero, 0, false)                       \
    X(address, heap, true)                  \
    X(odd, heap + 1, true)                  \
    X(stack, MOG_DATA_BASE + 0x7000, false) \
    X(f1, 0x3fa00000, false)                \
    X(f2, 0x3fc00000, false)                \
    X(d1, 0, false)                         \
    X(d1_high, 0x3ff40000, false)           \
    X(d2, 0, false)                         \
    X(d2_high, 0x3ff80000, false)           \
    X(target, 0, false)                     \
    X(target_low, 0, false)                 \
    X(target_high, 0, false)
#define NUMBER(name, value, is_address) name##_register,
enum Register : std::uint32_t { CALIBRATION_REGISTERS(NUMBER) register_count };
#undef NUMBER

bool has_address_in_register(const OpInfo &row) { return row.access.address == AddressIn::reg && !row.access.any; }

/// What ACC has to hold for an instruction; nothing if that does not matter.
std::optional<Register> acc_for(const OpInfo &row) {
    if (!(row.reads & Acc) || row.op == Op::sr_ || row.op == Op::j_) return {};
    if (row.op == Op::srsp_) return stack_register;
    if (row.op == Op::tnz_) return zero_register;
    // What accesses memory in another way than aligned does so at any address.
    if (((row.reads | row.writes) & Mem) && !has_address_in_register(row))
        return row.access && !row.access.any ? address_register : odd_register;
    if (row.reads & Floats) return f2_register;
    return integer_register;
}

std::uint32_t register_operand(const OpInfo &row) {
    if (row.operand == OperandKind::Pair) return row.writes & Pair ? target_low_register : d1_register;
    if (row.writes & Reg) return target_register;
    if (!row.access.any && row.access.address == AddressIn::reg) return address_register;
    if (!row.access.any && row.access.address == AddressIn::sum) return zero_register;
    return row.reads & Floats ? f1_register : small_register;
}

/// Writes blocks; the instructions of the loop at hand are noted beside.
class Writer {
public:
    void begin_loop() {
        block();
        first_ = program_.blocks.back().id;
        loops_.emplace_back();
    }

    void end_loop() {
        put(Op::ja_, first_);
        first_blocks_.push_back(first_);
    }

    /// The instruction and before it what it needs.
    void write(const OpInfo &row) {
        if (const auto acc = acc_for(row)) put(Op::lr_, *acc);
        if ((row.reads & D) && row.op != Op::srd_) put(Op::lrd_, d2_register);
        if (row.op == Op::j_) {
            next_code_ += 4;
            put(Op::li_, next_code_);
        }
        switch (row.operand) {
            case OperandKind::None: put(row.op, 0); break;
            case OperandKind::Byte: put(row.op, 3); break;
            case OperandKind::Const: put(row.op, 1000001); break;
            case OperandKind::Label: put(row.op, static_cast<BlockId>(program_.blocks.size())); break;
            case OperandKind::Reg:
            case OperandKind::Pair: put(row.op, register_operand(row)); break;
        }
        if (row.writes & Pc) {
            block();
            if (row.op == Op::j_) program_.blocks.back().code_address = next_code_;
        }
    }

    Result<CalibrationCode> finish(std::vector<Op> slots) {
        CalibrationCode code;
#define ENTRY(name, value, is_address)        \
    program_.register_names.push_back(#name); \
    code.registers.push_back({value, is_address});
        CALIBRATION_REGISTERS(ENTRY)
#undef ENTRY
        program_.roles.fill(0xff);
        program_.code_base = code_base;
        program_.code_bytes = next_code_ + 4 - code_base;
        program_.brk = heap;
        auto image = encode(program_);
        if (!image) return image.error();
        code.image = *std::move(image);
        while (code.registers.size() < code.image.register_names.size()) code.registers.push_back({});  // of roles
        code.registers[code.image.roles[static_cast<std::size_t>(Role::sp)]].value = MOG_DATA_BASE + 0x7000;
        std::uint32_t at = 0;
        std::size_t loop = 0;
        for (const Block &block : program_.blocks) {
            if (loop < loops_.size() && block.id == first_blocks_[loop]) loops_[loop++].start = at;
            at += static_cast<std::uint32_t>(block.code.size());
        }
        code.loops = std::move(loops_);
        code.order.slots = std::move(slots);
        for (const auto &[dialect, product] :
             {std::pair{Dialect::opencl, ProductKind::opencl}, std::pair{Dialect::host, ProductKind::cpp}}) {
            const auto source = generate(code.image, dialect, code.order, {});
            if (!source) return source.error();
            code.image.products.set_text(product, *source);
        }
        return code;
    }

private:
    void block() {
        const auto id = static_cast<BlockId>(program_.blocks.size());
        program_.blocks.push_back({id, "L" + std::to_string(id), {}, {}});
    }
    void put(Op op, std::uint32_t operand) {
        program_.blocks.back().code.push_back({op, operand, 0, 0});
        loops_.back().code.push_back(op);
    }

    MogProgram program_;
    std::uint32_t next_code_ = code_base;
    BlockId first_ = 0;
    std::vector<BlockId> first_blocks_;
    std::vector<CalibrationLoop> loops_;
};

/// The slots that one instruction with what it needs takes.
void append_slots(std::vector<Op> &slots, const OpInfo &row) {
    if (acc_for(row)) slots.push_back(Op::lr_);
    if ((row.reads & D) && row.op != Op::srd_) slots.push_back(Op::lrd_);
    if (row.op == Op::j_) slots.push_back(Op::li_);
    slots.push_back(row.op);
}

/// Loops of the instructions of one group. What is frequent in one loop is rare in the next.
void write_group(Writer &writer, const std::vector<const OpInfo *> &rows, Random &random) {
    constexpr int pairs = 20, passes = 160;        // so many that no processor learns the branches of a loop by heart
    constexpr double often = 0.35, rarely = 0.05;  // a pass executes few instructions, as in real programs
    for (int pair = 0; pair < pairs; ++pair) {
        std::vector<bool> frequent(rows.size());
        for (std::size_t i = 0; i < rows.size(); ++i) frequent[i] = random.below(2) != 0;
        for (const bool twin : {false, true}) {
            writer.begin_loop();
            for (int pass = 0; pass < passes; ++pass)
                for (std::size_t i = 0; i < rows.size(); ++i)
                    if (random.unit() < (frequent[i] != twin ? often : rarely)) writer.write(*rows[i]);
            writer.end_loop();
        }
    }
}

std::vector<std::vector<const OpInfo *>> groups() {
    std::vector<const OpInfo *> rows;
    for (const OpInfo &row : isa)
        if (is_measurable(row)) rows.push_back(&row);
    // Dear and cheap ones in each group.
    Random random(3);
    for (std::size_t k = rows.size(); k > 1; --k) std::swap(rows[k - 1], rows[random.below(k)]);
    std::vector<std::vector<const OpInfo *>> result(calibration_groups);
    for (std::size_t i = 0; i < rows.size(); ++i) result[i % calibration_groups].push_back(rows[i]);
    return result;
}

Result<CalibrationCode> group_code(std::size_t first, std::size_t end, std::size_t padding) {
    const auto all = groups();
    std::vector<Op> slots, others;
    for (std::size_t group = 0; group < all.size(); ++group)
        for (const OpInfo *row : all[group])
            if (group < first || group >= end) others.push_back(row->op);
    Writer writer;
    Random random(1 + first);
    for (std::size_t group = first; group < end; ++group) {
        for (const OpInfo *row : all[group]) append_slots(slots, *row);
        write_group(writer, all[group], random);
    }
    slots.push_back(Op::ja_);  // of the loops
    if (padding == 0) return writer.finish(std::move(slots));
    std::vector<Op> padded;
    std::size_t other = 0;
    for (const Op slot : slots) {
        padded.push_back(slot);
        for (std::size_t i = 0; i < padding; ++i) padded.push_back(others[other++ % others.size()]);
    }
    // A slot is for an instruction that the program has.
    writer.begin_loop();
    const std::set<Op> used(padded.begin(), padded.end());
    // And what an instruction of the padding needs has a slot, too.
    std::vector<Op> needed;
    for (const Op op : used) append_slots(needed, info(op));
    for (const Op op : std::set<Op>(needed.begin(), needed.end()))
        if (!used.contains(op)) padded.push_back(op);
    for (const Op op : used) writer.write(info(op));
    writer.end_loop();
    auto code = writer.finish(std::move(padded));
    if (code) code->loops.pop_back();
    return code;
}

}  // namespace

bool is_measurable(const OpInfo &row) {
    // The FPU's control register would make all floats of the program software's.
    return !always_stops(row.op) && !((row.reads | row.writes) & Fcsr);
}

Result<CalibrationCode> make_calibration_code(std::optional<std::size_t> group) {
    constexpr std::size_t paddings[] = {0, 2, 5};
    if (!group) return group_code(0, calibration_groups, 0);
    return group_code(*group, *group + 1, paddings[*group % std::size(paddings)]);
}

std::array<double, 256> executed_in_a_pass(const CalibrationLoop &loop, const std::vector<Op> &slots) {
    // From some pass on everything comes again; each instruction of the loop can begin a pass once before.
    struct Mark {
        bool seen = false;
        std::size_t passes = 0;
        std::array<double, 256> executed{};
    };
    std::vector<Mark> marks(loop.code.size());
    std::array<double, 256> executed{};
    std::size_t at = 0;
    for (std::size_t passes = 0;; ++passes) {
        Mark &mark = marks[at];
        if (mark.seen) {
            for (std::size_t op = 0; op < executed.size(); ++op)
                executed[op] = (executed[op] - mark.executed[op]) / static_cast<double>(passes - mark.passes);
            return executed;
        }
        mark = {true, passes, executed};
        for (const Op slot : slots) {
            if (loop.code[at] != slot) continue;
            ++executed[static_cast<std::uint8_t>(slot)];
            at = at + 1 == loop.code.size() ? 0 : at + 1;
        }
    }
}

std::array<double, 256> executed_in_a_turn(const CalibrationLoop &loop) {
    std::array<double, 256> executed{};
    for (const Op op : loop.code) executed[static_cast<std::uint8_t>(op)] += 1.0 / static_cast<double>(loop.code.size());
    return executed;
}

}  // namespace mog
