// nan_results.hpp: which floating-point results of compiled blocks are made the default NaN, and when.
//
// MIPS gives its default NaN where a processor gives one of its own, so each operation asks whether its result is a NaN
// (integer_arithmetic.h). But no operation on floats tells NaNs apart. A result that only such operations use until something else takes
// its place may be any NaN; and one that is stored, looked at as an integer, or still needed where the group is left, is looked after
// then. Where straight code ends, in a loop above all, those results are looked after that may be stored or looked at further on:
// better once than at each use. What is in a variable whose value nobody reads any more may so be another NaN than the
// interpreter would have left there.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <vector>

#include "assembler/analysis/effects.hpp"
#include "assembler/blocks/block_plan.hpp"
#include "assembler/blocks/group_cfg.hpp"
#include "assembler/image/image.hpp"

namespace mog {

class NanResults {
public:
    /// A register, or a pair of them that lives in one variable, by its (first) number; or an accumulator.
    using Variable = std::uint16_t;
    static constexpr Variable acc = acc_variable, d = d_variable;
    using Variables = std::vector<Variable>;

    /// Of a group of a plan. `is_pair`: the registers that live in a variable with the one behind; `begins`: whether control may come to
    /// this block from elsewhere than the end of the block before it. No `flow`: NaNs are looked after at the end of each block, for
    /// lanes part and meet there.
    NanResults(const Image &image, const BlockPlan &plan, std::uint32_t group, const std::array<bool, 257> &is_pair,
               const std::function<bool(std::uint32_t)> &begins, const GroupCfg *flow);

    /// The operation at this TEXT index may leave any NaN.
    bool any_nan(std::uint32_t at) const { return find(at).any_nan; }
    /// What becomes the default NaN, if it is one, before the instruction at this TEXT index.
    const Variables &before(std::uint32_t at) const { return find(at).before; }
    /// And where it jumps; of a `j`, to a place that is not known.
    const Variables &on_jump(std::uint32_t at) const { return find(at).on_jump; }
    /// And at the end of the block whose last instruction it is, where that does not jump.
    const Variables &at_end(std::uint32_t at) const { return find(at).at_end; }
    /// And if the interpreter is to do it: place in stop_sets(), from 1; 0: nothing.
    std::uint32_t on_stop(std::uint32_t at) const { return find(at).on_stop; }
    /// The same, if a slice is over at the beginning of this block.
    std::uint32_t on_ask(std::uint32_t block) const {
        const auto found = asks_.find(block);
        return found == asks_.end() ? 0 : found->second;
    }
    const std::vector<Variables> &stop_sets() const { return stop_sets_; }

private:
    friend class NanAnalysis;
    struct Instruction {
        bool any_nan = false;
        Variables before, on_jump, at_end;
        std::uint32_t on_stop = 0;
    };
    const Instruction &find(std::uint32_t at) const {
        static const Instruction nothing;
        const auto found = instructions_.find(at);
        return found == instructions_.end() ? nothing : found->second;
    }

    std::map<std::uint32_t, Instruction> instructions_;  ///< those with something to say
    std::map<std::uint32_t, std::uint32_t> asks_;        ///< by block
    std::vector<Variables> stop_sets_;
};

}  // namespace mog
