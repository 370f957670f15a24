// lane_compiler.hpp: a group of blocks as native code for the lanes of a warp, by AVX-512: what lanes_writer.hpp writes as C++, without a
// compiler, in a thousandth of its time.
//
// A variable of the group lives in a vector of the processor, those used most often, or in the warp's frame. ACC and D are not computed
// where they are set but where they are used, as in function_compiler.hpp. Variables are right for all lanes all the time: they are
// set by masks. What is not compiled stops the lanes before it, and the interpreter does it.
#pragma once

#include <asmjit/x86.h>

#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "assembler/blocks/group_plan.hpp"
#include "assembler/blocks/guarded_regions.hpp"
#include "assembler/image/read_only.hpp"

namespace mog::lane_code {

/// What the code of all groups of a run shares.
struct LaneLinks {
    std::uint32_t data_bytes = 0;
    ReadOnlyData read_only{};
    const std::uint32_t *constants = nullptr;  ///< what all PEs have once, from constants_base on
    std::uint32_t constants_bytes = 0;
    const std::uint32_t *entry_of = nullptr;                       ///< by TEXT index: group << 16 | number of the block there in its group
    const std::vector<std::uint8_t> *live_accumulators = nullptr;  ///< by block: 1 ACC, 2 D
};

class LaneCompiler {
public:
    using Gp = asmjit::x86::Gp;
    using Zmm = asmjit::x86::Zmm;
    using KReg = asmjit::x86::KReg;
    using Mem = asmjit::x86::Mem;
    using Label = asmjit::Label;
    using Operand = asmjit::Operand;

    /// `first_guard`: the number of its first guard among those of all groups.
    LaneCompiler(const Image &image, const BlockPlan &plan, std::uint32_t number, std::uint32_t first_guard, const LaneLinks &links,
                 asmjit::CodeHolder &holder);

    /// Writes void(LaneFrame *, u32 *mem): runs the lanes whose turn it is until that of others comes whose code is elsewhere.
    void compile();

    /// Where it begins.
    Label begin() const { return begin_; }
    std::size_t regions() const { return regions_.size(); }
    std::uint32_t guards() const { return guards_; }

private:
    /// Where the value of ACC is, of all lanes: in `acc`; a register's; a constant; 1 where a bit of `condition` is set.
    struct Acc {
        enum class In : std::uint8_t { acc, reg, constant, condition } in = In::acc;
        std::uint32_t value = 0;
    };
    /// The same of D: in its vectors, or those of a pair that is one variable.
    struct Double {
        bool in_pair = false;
        std::uint32_t reg = 0;
    };
    /// The value of ACC where all lanes have the same: in `one_acc`; a register's and a constant; a constant; the processor's flags.
    struct One {
        enum class In : std::uint8_t { acc, sum, constant, flags } in = In::acc;
        std::uint32_t reg = 0, offset = 0;
        asmjit::x86::CondCode set = asmjit::x86::CondCode::kNZ;
    };
    struct State {
        Acc acc;
        Double d;
        One one;
        RegisterSet differs;
    };
    struct Two {
        Operand low, high;  ///< of eight lanes each
    };

    // --- the frame, turns (lane_compiler.cpp)
    void write_what_is_later();
    void give_homes();
    void find_guards();
    void load_variables();
    void store_variables();
    void turns();
    void least_of_running(Gp to, const KReg &lanes);
    void epilogue();
    void data();
    Mem field(std::size_t offset, std::uint32_t size) const;
    Mem row(std::uint32_t r, std::uint32_t more = 0) const;
    Mem guard_field(std::uint32_t number, std::size_t offset) const;
    Mem word(std::uint32_t value);
    Mem two_words(std::uint64_t value);
    Mem splat(std::uint32_t value) { return word(value)._1to16(); }
    Mem splat_double(std::uint64_t value) { return two_words(value)._1to8(); }
    Mem table(const std::vector<std::uint32_t> &words);
    template <typename F>
    void later(F what) {
        later_.push_back(
            [this, state = state_, masked = masked_, region = region_, joins = joins_, block = block_, what = std::move(what)] {
                state_ = state;
                masked_ = masked;
                region_ = region;
                joins_ = joins;
                block_ = block;
                what();
            });
    }

    // --- blocks, ways (lane_compiler.cpp)
    void block(std::uint32_t b, std::uint32_t next);
    void begin_block(std::uint32_t b);
    void instruction(std::uint32_t at);
    void go(std::uint32_t target);
    void stand(const KReg &of, std::optional<std::uint32_t> at);
    void branch(std::uint32_t at);
    void jump(std::uint32_t at);
    void diverge(std::uint32_t next, std::uint32_t to);
    void taken(std::uint32_t at);
    void settle(std::uint32_t at_end_of);
    std::uint8_t live_behind(std::uint32_t last) const;
    /// Where to jump to for an instruction that is not done here: all as it is now, and the interpreter at it.
    Label stop();
    void stop_if_any(const KReg &lanes);
    NanResults::Variables nans_before(std::uint32_t at) const;
    NanResults::Variables nans_after(std::uint32_t last) const;
    std::uint32_t operand(std::uint32_t at) const { return image_.text[at] & 0xffu; }
    Op op(std::uint32_t at) const { return op_at(image_, at); }
    bool is_here(std::uint32_t target) const {
        const auto to = group_.block_at(target);
        return to && group_.here(*to);
    }

    // --- copies of loops (lane_copies.cpp)
    void copies();
    void question(const GuardedRegion::Block &head);
    void copied_block(const GuardedRegion::Block &block);
    void copied_instruction(std::uint32_t at);
    void copied_branch(std::uint32_t at);
    void before_way_out();
    void leave_copy();
    void stop_in_copy(std::uint32_t at, std::uint32_t left);
    void spread(const RegisterSet &which);
    void spread_one(std::uint32_t variable);
    RegisterSet to_write_back() const { return ~state_.differs & region_->written; }
    Label here_or_out(std::uint32_t target);
    Label out_to(std::uint32_t target);
    Label out_parted(std::uint32_t next, std::uint32_t to);
    void settle_out();
    void to_guard();
    static Mem of_guard(std::size_t offset);
    void try_later();
    void begin_some(std::uint32_t b);
    void end_some();
    void merge_some();
    void some_stopped(std::uint32_t at, std::uint32_t left);
    void count_away(std::uint32_t instructions, bool executed);
    bool scalar(std::uint32_t at);
    void is_one(Gp in, std::uint32_t at);
    Gp one_result(std::uint32_t at) const;
    void one_to(Gp to);
    Gp one_register();
    bool has_scalar_home(std::uint32_t r) const { return scalar_homes_.contains(r); }
    Operand scalar_operand(std::uint32_t r) const;
    void fetch_scalar(Gp to, std::uint32_t r);
    void give_scalar_homes();
    void confirm(std::uint32_t at);
    bool is_scalar(std::uint32_t variable) const { return region_ != nullptr && !state_.differs[variable]; }

    // --- values (lane_values.cpp)
    bool has_home(std::uint32_t r) const { return homes_.contains(r); }
    Zmm home(std::uint32_t r) const { return asmjit::x86::zmm(homes_.at(r)); }
    Zmm acc_vector();
    void to_acc();
    void acc_as_it_is();
    /// A register's value: a vector, memory, or `spare`.
    Operand value(std::uint32_t r, const Zmm &spare);
    Zmm vector(std::uint32_t r, const Zmm &spare);
    void put(std::uint32_t r, const Zmm &value);
    /// Where a result belongs that becomes ACC, and whether it is the register that the next instruction puts it into.
    std::optional<std::uint32_t> put_next(std::uint32_t at) const;
    void emit_result(std::uint32_t at, asmjit::x86::Inst::Id id, const Operand &a, const Operand &b = {});
    void is_acc() { state_.acc = {}; }
    void is_condition() { state_.acc = {Acc::In::condition, 0}; }
    /// The same of D, and the pair; and what there is to do when it is there.
    std::optional<std::uint32_t> put_pair_next(std::uint32_t at) const;
    struct DoubleResult {
        Zmm low, high;
        std::optional<std::uint32_t> pair;
    };
    DoubleResult double_result(std::uint32_t at) const;
    void is_double(const DoubleResult &result);
    template <typename F>
    void emit_double(std::uint32_t at, F emit);
    Two pair(std::uint32_t r, const Zmm &low, const Zmm &high);
    Two d_value();
    void to_d();
    void d_apart_from(std::uint32_t r);
    void put_pair(std::uint32_t r);
    void words_of_two(std::uint32_t r, const Zmm &low, const Zmm &high);
    void words_of_pair(std::uint32_t r, bool high, const Zmm &to);
    void words_to_pair(const Zmm &low, const Zmm &high, const Zmm &to_low, const Zmm &to_high);
    void put_half(std::uint32_t r, const Zmm &value);
    void default_nan(const Zmm &of, bool is_double, bool upper);
    void default_nans(const NanResults::Variables &variables);
    void masked() {
        if (masked_) to_.k(asmjit::x86::k1);
    }
    void masked_high() {
        if (masked_) to_.k(asmjit::x86::k2);
    }

    // --- instructions (lane_integers.cpp, lane_floats.cpp, lane_accesses.cpp); false: not done here
    bool integer(std::uint32_t at);
    void divide(std::uint32_t at);
    void high_product(std::uint32_t at);
    void put_sp(std::uint32_t at);
    bool floats(std::uint32_t at);
    bool doubles(std::uint32_t at);
    void compare_doubles(std::uint32_t at, std::uint8_t how);
    void is_float(std::uint32_t at);
    void to_integer(std::optional<std::uint8_t> round, bool is_double);
    bool access(std::uint32_t at);
    bool scalar_address(std::uint32_t at);
    void address(std::uint32_t at);
    void ask_scalar(std::uint32_t shift, bool stores, Label bad);
    void load_scalar(std::uint32_t at);
    void store_scalar(std::uint32_t at);
    void load_constant(std::uint32_t at);
    void value_to_store(std::uint32_t at);
    Label apart_routine(Op op);
    void write_apart_routine(Op op);

    const Image &image_;
    const LaneLinks &links_;
    GroupPlan group_;
    const std::vector<GuardedRegion> regions_;
    asmjit::x86::Assembler to_;
    std::uint32_t first_guard_, guards_ = 0;
    std::map<std::uint32_t, std::uint32_t> homes_;  ///< by variable, of pairs the first of two
    std::map<std::uint32_t, Label> labels_;         ///< by block
    /// Guards by block, by region from outside to inside.
    std::map<std::uint32_t, std::map<std::size_t, std::uint32_t>> heads_;
    std::map<std::uint32_t, Label> questions_;     ///< by guard: where it is asked,
    std::map<std::uint32_t, Label> without_copy_;  ///< and where control goes on if it does not hold
    std::map<std::uint32_t, Label> again_;         ///< by TEXT index: loads that are confirmed in a copy
    std::map<std::uint32_t, Mem> splats_;
    std::map<std::uint64_t, Mem> double_splats_;
    std::map<std::vector<std::uint32_t>, Label> tables_;
    std::map<Op, Label> apart_routines_;
    std::vector<std::function<void()>> later_;
    Label begin_, select_, choose_, leave_, stopped_, entries_;

    // At the instruction at hand:
    State state_;
    std::uint32_t block_ = 0, at_ = 0;  ///< at_: the next one
    std::uint32_t here_ = 0;            ///< this one
    bool masked_ = true;                ///< some lanes may be elsewhere
    bool is_over_ = false;              ///< the interpreter does the rest of the block
    std::optional<Label> stop_;
    bool keeps_acc_ = false;                 ///< the result is looked at before it may go to a register
    State before_;                           ///< in a copy, before this instruction
    const GuardedRegion *region_ = nullptr;  ///< whose copy is written
    std::size_t region_number_ = 0;
    std::optional<std::uint32_t> joins_;
    std::map<std::uint32_t, std::uint32_t> scalar_homes_;  ///< of the region: by register, number of the processor's
    std::map<std::uint32_t, Label> copied_;                ///< of the region: by block
};

}  // namespace mog::lane_code
