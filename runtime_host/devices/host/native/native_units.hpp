// native_units.hpp: a program as the baseline compiler takes it: a function at a time, but for what mogcc has compiled.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "assembler/blocks/block_plan.hpp"
#include "assembler/image/image.hpp"
#include "runtime_host/devices/host/native/register_homes.hpp"

namespace mog {

/// By block: which accumulators are read behind its beginning before they are written. What may stop a PE reads ACC, for the host sees it
/// then.
inline constexpr std::uint8_t acc_bit = 1, d_bit = 2;
std::vector<std::uint8_t> live_accumulators(const Image &image, const BlockPlan &plan);

class NativeUnits {
public:
    static constexpr std::uint32_t none = 0;

    /// `taken`: by TEXT index, not 0 where other compiled blocks are entered; `compiled`: the product of that name, which says all that
    /// is in them. `anywhere`: each block is an entry; `breaks`: see BlockPlan. `image` outlives
    /// this.
    NativeUnits(const Image &image, std::span<const std::uint32_t> taken, std::span<const std::uint8_t> compiled, bool anywhere = false,
                unsigned integers = RegisterHomes::most_integers, std::vector<bool> breaks = {});

    const Image &image() const { return image_; }
    /// The units are the groups of a plan, in which nothing is known of how often what is executed.
    const BlockPlan &plan() const { return plan_; }
    std::uint32_t count() const { return static_cast<std::uint32_t>(plan_.groups.size()); }
    /// The unit of the block at a TEXT index, from 1; none: it is not for this compiler.
    std::uint32_t unit_at(std::uint32_t at) const { return plan_.group_of[plan_.code.block_of[at]]; }
    /// By TEXT index: whether it is one of the plan's entries, where control may come in from the interpreter or another unit. Those are
    /// where functions begin, what has a code address, where others jump, and where jumps lead back to.
    const std::vector<bool> &entered() const { return entered_; }

    /// Registers that live in the processor's homes of these numbers wherever control goes from one unit to another, so that calls and
    /// returns neither store nor load them: those that most instructions name. None is ever half of a pair, or computes with floats.
    const std::vector<std::uint32_t> &kept() const { return kept_; }
    /// How many homes there are for integers.
    unsigned integers() const { return integers_; }

    /// Whether ACC, or D, is read behind the beginning of a block before it is written. What may stop a PE reads ACC, for the
    /// host sees it then.
    bool acc_is_live(std::uint32_t block) const { return (live_[block] & acc_bit) != 0; }
    bool d_is_live(std::uint32_t block) const { return (live_[block] & d_bit) != 0; }
    /// Whether D may be read where a jump to a code address leads.
    bool d_is_live_anywhere() const { return (live_anywhere_ & d_bit) != 0; }

private:
    void find_units(std::span<const std::uint8_t> compiled);
    void find_entries(std::span<const std::uint32_t> taken, bool anywhere);
    void find_live();
    void find_kept();

    const Image &image_;
    BlockPlan plan_;
    std::vector<bool> entered_;
    unsigned integers_;
    std::vector<std::uint32_t> kept_;
    std::vector<std::uint8_t> live_;  ///< by block
    std::uint8_t live_anywhere_ = 0;
};

}  // namespace mog
