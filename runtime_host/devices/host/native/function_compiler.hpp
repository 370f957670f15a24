// function_compiler.hpp: a unit of MOG instructions as native code, in one pass over its blocks.
//
// ACC and D are not computed where they are set but where they are used: a register, a register and a constant, or a constant stay
// what they are until something else is made of them, so that most instructions of an accumulator machine become operands of one of
// the processor's. Where blocks meet they are in their places if anything reads them there. An instruction that would stop the PE
// leaves the unit with everything as it was before it, and the interpreter does it again.
#pragma once

#include <asmjit/x86.h>

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "assembler/blocks/group_plan.hpp"
#include "runtime_host/devices/host/native/native_registers.hpp"
#include "runtime_host/devices/host/native/native_units.hpp"
#include "runtime_host/devices/host/native/parked_pe.hpp"
#include "runtime_host/devices/host/native/register_homes.hpp"
#include "runtime_host/devices/host/native/vector_loops.hpp"

namespace mog {

/// What the code of all units shares, by address.
struct NativeLinks {
    std::uint32_t data_bytes = 0;
    const void *window = nullptr;
    std::uint32_t window_bytes = 0;  ///< that all PEs share, at their place from each PE's DATA if `by_processor`
    const void *constants = nullptr;
    std::uint32_t constants_bytes = 0;     ///< the same of what all PEs have once, and may not write
    bool by_processor = false;             ///< bad addresses fault (address_faults.hpp); else the code asks
    ReadOnlyData read_only{};              ///< stores to it are the interpreter's
    bool floats = true;                    ///< of the processor; else what computes with them is the interpreter's
    const void *const *by_text = nullptr;  ///< by TEXT index: where to go for the code there
    const void *const *by_word = nullptr;  ///< the same by word of the code map (jump_table.hpp)
    const void *by_address = nullptr;      ///< the same by address, which asks nothing; null: there is no such table
    const void *exit = nullptr;            ///< what by_text has where there is no code yet
    const void *exit_cold = nullptr;       ///< with the TEXT index in ecx; the interpreter does the instruction there
    const void *next_turn = nullptr;       ///< with the way back to the PE in rdx, and a Yield before that; null: there are no turns
};

class FunctionCompiler {
public:
    using Gp = asmjit::x86::Gp;
    using Xmm = asmjit::x86::Xmm;
    using Mem = asmjit::x86::Mem;
    using Label = asmjit::Label;

    FunctionCompiler(const NativeUnits &units, std::uint32_t unit, const NativeLinks &links, asmjit::CodeHolder &holder);

    /// Writes the code; the holder's error handler is told what could not be written.
    void compile();
    /// Each entry's TEXT index, and its label.
    const std::vector<std::pair<std::uint32_t, Label>> &entries() const { return entries_; }

    /// An access that may fault: where its instructions begin and end, and the way out.
    struct Site {
        Label begin, end, stop;
    };
    /// In the order of the code.
    const std::vector<Site> &sites() const { return sites_; }
    /// Behind each `yield`, by TEXT index, where another turn of the PE begins.
    const std::vector<std::pair<std::uint32_t, Label>> &turns() const { return turns_; }
    /// Loads and stores, and those of them before which the code asks something.
    std::uint32_t accesses() const { return accesses_; }
    std::uint32_t asking() const { return asking_; }
    /// Loops of which several rounds are done at once.
    std::uint32_t vector_loops() const { return static_cast<std::uint32_t>(vector_loops_.size()); }
    /// What is not compiled: where control comes to one of these, the interpreter does it.
    const std::set<Op> &left() const { return left_; }

private:
    /// Where the value of ACC is: in `acc`; a constant; a register's value and a constant; a float in `float_acc`.
    struct Acc {
        enum class In : std::uint8_t { acc, constant, sum, float_acc } in = In::acc;
        std::uint32_t reg = 0, offset = 0;
    };
    /// D: in `d`, or what a pair of registers holds.
    struct Double {
        bool in_pair = false;
        std::uint32_t reg = 0;
    };

    // --- blocks, ways (function_compiler.cpp)
    void block(std::uint32_t b, std::uint32_t next);
    void instruction(std::uint32_t at);
    void enter(std::uint32_t b);
    void entry(std::uint32_t at);
    std::vector<std::uint32_t> successors(std::uint32_t b) const;
    bool is_switch(std::uint32_t b) const;
    Label label_of(std::uint32_t b) { return labels_[b - first_]; }
    /// Where a branch in the block at hand leads: back to its own rounds, not to the question how many could be done at once.
    Label way_to(std::uint32_t b) {
        const auto loop = vector_loops_.find(b);
        return loop != vector_loops_.end() && block_ >= b && block_ <= loop->second.last ? again_.at(b) : label_of(b);
    }
    std::uint32_t operand(std::uint32_t at) const { return image_.text[at] & 0xffu; }
    Op op(std::uint32_t at) const { return op_at(image_, at); }
    bool has_break(std::uint32_t at) const { return group_.plan.has_break(at); }
    /// The accumulators to where others expect them that go on at this block; leaves the processor's flags alone.
    void settle(std::uint32_t b);
    void settle_all(std::optional<std::uint32_t> b);
    void count(std::int32_t due);
    /// Where to jump to for an instruction that is not done here: everything as it is now, and the interpreter at it.
    Label stop(std::uint32_t at);
    void restore(const Acc &acc, const Double &d, std::uint32_t nans);
    void store_homes(RegisterHomes::Set set);
    void load_homes(RegisterHomes::Set set);
    void to_memory(RegisterHomes::Set changed);
    /// Registers from their homes in the block at hand to those in another one of the unit; leaves the processor's flags alone.
    void move_homes(std::uint32_t to);
    bool moves_homes(std::uint32_t to) const { return places_ != &homes_->of(to); }
    void go(std::uint32_t b, std::uint32_t target);
    void leave(std::uint32_t target);
    std::uint32_t rounds(std::uint32_t b) const;
    void next_round(std::uint32_t at);
    asmjit::x86::CondCode condition_for(std::uint32_t at);
    void branch(std::uint32_t at);
    void jump(std::uint32_t at);
    std::int32_t by_cases();
    void yield(std::uint32_t at);
    template <typename F>
    void later(F what) {
        later_.push_back([this, places = places_, what = std::move(what)] {
            places_ = places;
            what();
        });
    }

    // --- several rounds at once (vectors.cpp)
    void find_vectors();
    void vectors(const VectorLoop &loop);
    void far_apart(const VectorLoop &loop, std::uint32_t rounds, Label yes, Label no);
    void rounds_from_distance(const VectorLoop &loop, Label none);

    // --- values (function_compiler.cpp)
    bool has_home(std::uint32_t r) const { return places_->integer(r) != RegisterHomes::nowhere; }
    Gp home(std::uint32_t r) const { return native::integer_homes[places_->integer(r)]; }
    bool pair_has_home(std::uint32_t r) const { return places_->pair(r) != RegisterHomes::nowhere; }
    bool float_has_home(std::uint32_t r) const { return places_->single(r) != RegisterHomes::nowhere; }
    Xmm float_home(std::uint32_t r) const { return native::double_home(places_->single(r)); }
    bool is_half(std::uint32_t r) const { return places_->half(r) != RegisterHomes::nowhere; }
    Xmm half_home(std::uint32_t r) const { return native::double_home(places_->half(r)); }
    /// A half of a pair becomes what is in `from`; leaves the flags alone.
    void put_half(std::uint32_t r, Gp from);
    void put_half(std::uint32_t r, Xmm from);
    /// A register of floats whose first one is such a half's: its pair's, or `to`.
    Xmm half_as_float(Xmm to, std::uint32_t r);
    /// A register's value, wherever it is; leaves the flags alone.
    void fetch(Gp to, std::uint32_t r);
    Xmm pair_home(std::uint32_t r) const { return native::double_home(places_->pair(r)); }
    static Mem word(std::uint32_t r) { return asmjit::x86::dword_ptr(native::registers, static_cast<std::int32_t>(4 * r)); }
    static Mem two_words(std::uint32_t r) { return asmjit::x86::qword_ptr(native::registers, static_cast<std::int32_t>(4 * r)); }
    void changes(std::uint32_t r);
    void pair_changes(std::uint32_t r);
    /// ACC's value into a register; its state stays as it is, and the flags too.
    void acc_to(Gp to);
    /// The same for good.
    void to_acc();
    /// A register that has ACC's value: a home, `acc`, or, if it had to be computed, `acc` from now on.
    Gp acc_register();
    Xmm acc_as_float();
    /// Whether a register for floats has ACC's value.
    bool acc_is_float() const;
    /// Whether the next instruction takes ACC as a float, in this block.
    bool is_float_next(std::uint32_t at) const;
    Xmm float_result(std::uint32_t at) const;
    Xmm d_register();
    /// D in its own place, if it is what a pair holds of which this register is one, which changes.
    void d_apart_from(std::uint32_t r);
    /// Calls emit with the register, in its home, in memory or, a half of a pair, in `copy`; not for those of floats.
    template <typename F>
    void with(std::uint32_t r, F emit, Gp copy = native::scratch2) {
        if (has_home(r)) {
            emit(home(r));
        } else if (is_half(r)) {
            fetch(copy, r);
            emit(copy);
        } else {
            emit(word(r));
        }
    }
    /// Where a result belongs that becomes ACC: the home of the register that the next instruction puts it into, else `acc`.
    Gp result(std::uint32_t at) const;
    void is_result(Gp in, std::uint32_t at);
    Xmm result_d(std::uint32_t at) const;
    void is_result_d(Xmm in, std::uint32_t at);
    std::optional<std::uint32_t> put_next(std::uint32_t at, Op by) const;

    // --- instructions (integers.cpp, accesses.cpp, floats.cpp); false: not done here
    bool integer(std::uint32_t at);
    bool access(std::uint32_t at);
    bool floats(std::uint32_t at);
    void put(std::uint32_t at);
    void put_sp(std::uint32_t at);
    void add(std::uint32_t at, std::uint32_t r);
    enum class Bits : std::uint8_t { and_, or_, xor_ };
    void bits(std::uint32_t at, Bits how, bool constant);
    void shift(std::uint32_t at);
    void compare(std::uint32_t at, bool constant);
    void quotient_or_rest(Gp quotient, Gp rest, Gp divisor, bool is_signed, bool remainder);
    void divide(std::uint32_t at);
    void divide64(std::uint32_t at);
    bool is_only_asked(std::uint32_t at) const;
    void is_asked(asmjit::x86::CondCode condition);
    void is_condition(std::uint32_t at, asmjit::x86::CondCode condition);
    Mem address(std::uint32_t at);
    void ask_for_read_only(std::uint32_t at, const Mem &mem);
    /// Whether the processor is to say that an access's address is bad.
    bool may_fault(std::uint32_t at) const;
    bool transfer(std::uint32_t at, const Mem &mem, Gp value);
    void load_anywhere(Gp to, const Mem &mem);
    bool reaches_spaces(std::uint32_t at) const;
    bool may_be_constant(std::uint32_t at) const;
    void to_space_from_data(const void *space);
    void ask_for_spaces(std::uint32_t at, std::uint32_t shift, std::uint32_t spare);
    void store_anywhere(std::uint32_t at, const Mem &mem, Gp value);
    void load_part(std::uint32_t at, const Mem &mem, bool left);
    void store_part(std::uint32_t at, const Mem &mem, bool left);
    Mem word_for_step(const Mem &mem);
    void compare_and_swap(std::uint32_t at, const Mem &mem);
    void reserve(std::uint32_t at, const Mem &mem);
    void exchange(std::uint32_t at, const Mem &mem, bool adds);
    void replace(std::uint32_t at, const Mem &mem, Bits how);
    Mem shift_in_word(const Mem &mem, bool left);
    Mem data_at(std::uint32_t offset);
    Mem data_at_scratch() const;
    Mem at_address(Gp base, std::uint32_t offset) const;
    static Mem in_segment(Mem mem) {
        mem.setSegment(native::pe_segment);
        return mem;
    }
    void is_float(Xmm in, std::uint32_t at);
    void is_float_result(Xmm in, std::uint32_t at);
    void is_double(Xmm in, std::uint32_t at);
    void default_nan_float(Xmm of, std::optional<Mem> back_to = std::nullopt);
    void default_nan_double(Xmm of, std::optional<Mem> back_to = std::nullopt);
    void default_nans(const NanResults::Variables &variables);
    void float_to_integer(std::uint32_t at, Xmm from, bool is_double);

    const NativeUnits &units_;
    const Image &image_;
    const NativeLinks &links_;
    GroupPlan group_;
    std::optional<RegisterHomes> homes_;
    asmjit::x86::Assembler to_;
    std::uint32_t first_;
    std::vector<Label> labels_;  ///< by block, from first_ on
    std::map<std::uint32_t, VectorLoop> vector_loops_;
    std::map<std::uint32_t, Label> again_;  ///< by block of these: where one round begins
    std::vector<std::pair<std::uint32_t, Label>> entries_, turns_;
    std::vector<std::function<void()>> later_;  ///< what stands behind the blocks

    // At the instruction at hand:
    std::uint32_t block_ = 0, at_ = 0;  ///< at_: the next one
    std::uint32_t ahead_ = 0;           ///< instructions counted for rounds of this block that are still to come
    bool inside_ = true;                ///< registers are where this unit has them; else where they are between units
    Acc acc_;
    Double d_;
    const RegisterHomes::Assignment *places_ = nullptr;  ///< where registers are
    RegisterHomes::Set changed_ = 0;
    std::map<std::uint32_t, std::int64_t> at_least_;  ///< by register, below which its value is not, as stores asked
    std::optional<asmjit::x86::CondCode> condition_;  ///< of the flags: ACC is not 0
    std::optional<Label> stop_;                       ///< of this instruction
    bool faults_ = false;                             ///< it relies on the processor

    std::vector<Site> sites_;
    /// Tables of cases, by where registers are, and what has been changed there if it moves on the way to one.
    std::map<std::pair<const RegisterHomes::Assignment *, RegisterHomes::Set>, Label> case_tables_;
    std::uint32_t accesses_ = 0, asking_ = 0;
    std::set<Op> left_;
};

}  // namespace mog
