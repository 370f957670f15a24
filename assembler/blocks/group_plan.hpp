// group_plan.hpp: all that is decided about a group of compiled blocks before it is written, in whatever form.
#pragma once

#include <array>
#include <optional>
#include <set>
#include <vector>

#include "assembler/blocks/block_plan.hpp"
#include "assembler/blocks/check_coalescing.hpp"
#include "assembler/blocks/group_cfg.hpp"
#include "assembler/blocks/nan_results.hpp"
#include "assembler/blocks/pass_counts.hpp"
#include "assembler/image/image.hpp"

namespace mog {

/// Where control comes into a group. Of code that lanes part and meet in, at any block; then each block counts for itself, and nothing
/// is known of what was before it.
enum class EnteredAt : std::uint8_t { entries, any_block };

struct GroupPlan {
    /// Of the group with this number (from 1). `image` and `plan` outlive it.
    GroupPlan(const Image &image, const BlockPlan &plan, std::uint32_t number, EnteredAt entered);
    GroupPlan(const GroupPlan &) = delete;
    GroupPlan &operator=(const GroupPlan &) = delete;

    const Image &image;
    const BlockPlan &plan;
    const BlockPlan::Group &group;
    const std::uint32_t number;
    const std::uint16_t stops;  ///< of the plan

    /// Registers live in variables, by number: of those that are pairs, in one of 64 bits together with the register behind.
    std::array<bool, 257> used{}, written{}, is_pair{};
    bool uses_d = false;
    std::vector<std::uint32_t> entries;  ///< TEXT indices at which control comes in, ascending
    std::set<std::uint32_t> targets;     ///< first TEXT indices of blocks that need a label
    std::optional<GroupCfg> flow;        ///< not if entered at any block, nor
    std::optional<PassCounts> counts;    ///< these, nor
    CoalescedChecks windows;             ///< any of these
    std::optional<NanResults> nans;

    bool here(std::uint32_t block) const { return plan.group_of[block] == number; }
    bool in_pair(std::uint32_t r) const { return is_pair[r] || (r > 0 && is_pair[r - 1]); }
    std::uint32_t begin(std::uint32_t block) const { return plan.code.start[block]; }
    std::uint32_t end(std::uint32_t block) const { return plan.code.end(image, block); }
    /// The block that begins at this TEXT index, or has it within; none behind the end of TEXT.
    std::optional<std::uint32_t> block_at(std::uint32_t index) const;
    /// What is to be counted on the way from block `b` to TEXT index `target`, or to one that is not known.
    std::int32_t due(std::uint32_t b, std::optional<std::uint32_t> target) const;
    /// How many of the instructions that were counted for block `b` are left at the one at `at`, which is among them.
    std::uint32_t left(std::uint32_t b, std::uint32_t at) const;

    /// Calls f(register, whether it is a pair) for each variable, or for each that is written.
    template <typename F>
    void for_each_variable(F f) const {
        for (std::uint32_t r = 0; r < 256; ++r) {
            if (is_pair[r]) f(r, true);
            else if (used[r] && !in_pair(r)) f(r, false);
        }
    }
    template <typename F>
    void for_each_written(F f) const {
        for_each_variable([&](std::uint32_t r, bool pair) {
            if (written[r] || (pair && written[r + 1])) f(r, pair);
        });
    }

private:
    void find_variables();
    void find_entries(EnteredAt entered);
    void find_targets();
    void find_windows();
};

}  // namespace mog
