// register_homes.hpp: which of a unit's registers live in registers of the processor, and where these are loaded and stored.
//
// A unit is entered at its entries alone, and left by jumps to others, which find some registers in homes that are the same for all units
// (NativeUnits::kept), and the others in memory. In between, those that are used most, loops counting more, have homes, and one that
// all units keep may have to make room. A loop has homes of its own where registers that it uses would have none: then others move to
// memory on the ways in and back on the ways out. What is changed is stored where the unit, or a loop that has it in a home, is left; what
// is read there, or stored without having been changed on every way, is loaded where it is entered.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "assembler/blocks/group_plan.hpp"

namespace mog {

class RegisterHomes {
public:
    static constexpr unsigned most_integers = 10, most_doubles = 12;
    static constexpr std::uint8_t nowhere = 0xff;
    /// A set of homes: those of integers from bit 0 on, those of doubles behind them.
    using Set = std::uint32_t;

    /// What a register may have a home as, throughout a unit.
    enum class LivesAs : std::uint8_t { memory, integer, pair, single };
    struct Uses;

    /// What lives where in some blocks.
    class Assignment {
    public:
        Assignment();
        /// The home of a register, below most_integers, or of a pair, by its first register, below most_doubles; or nowhere.
        std::uint8_t integer(std::uint32_t r) const { return integers_[r]; }
        std::uint8_t pair(std::uint32_t r) const { return pairs_[r]; }
        /// The home, among those of doubles, of a register that holds floats; nothing looks at it as an integer but by way of ACC.
        std::uint8_t single(std::uint32_t r) const { return singles_[r]; }
        /// The home of the pair that the register is a half of; one half is bits 0 to 31 of it, the other, behind it, 32 to 63.
        std::uint8_t half(std::uint32_t r) const { return r > 0 && pairs_[r - 1] != nowhere ? pairs_[r - 1] : pairs_[r]; }
        bool is_high(std::uint32_t r) const { return r > 0 && pairs_[r - 1] != nowhere; }
        /// The register, or the first of the pair, that lives in a home; or nobody.
        std::uint32_t register_in_integer(unsigned home) const { return in_integer_[home]; }
        std::uint32_t register_in_double(unsigned home) const { return in_double_[home]; }
        bool has_float(unsigned home) const { return singles_[in_double_[home]] == home; }

        /// Whether the register in this home of integers is the one that is there between units, too: it is neither stored nor loaded, and
        /// in no set.
        bool is_kept(unsigned home) const { return (displaced_ & bit_of_integer(static_cast<std::uint8_t>(home))) == 0; }
        /// Homes of what anything in the unit reads or changes.
        Set used() const { return used_; }

    private:
        friend class RegisterHomes;
        void note_used(const std::bitset<257> &singly, const std::bitset<257> &as_pair);
        std::optional<Assignment> for_loop(const Uses &uses, double rounds, std::span<const LivesAs> lives_as, unsigned most) const;
        std::array<std::uint8_t, 257> integers_, pairs_, singles_;
        std::array<std::uint32_t, most_integers> in_integer_;
        std::array<std::uint32_t, most_doubles> in_double_;
        Set displaced_ = 0, used_ = 0;  ///< displaced_: homes of integers whose register between units is another one than here
    };
    static constexpr std::uint32_t nobody = 256;
    static Set bit_of_integer(std::uint8_t home) { return Set{1} << home; }
    static Set bit_of_double(std::uint8_t home) { return Set{1} << (most_integers + home); }

    /// `successors`: the blocks that a block goes on to within the unit, without leaving it. `kept`: by home of integers, the register that
    /// is there between units. `integers`: how many homes there are for them.
    RegisterHomes(const GroupPlan &group, std::span<const std::uint32_t> kept,
                  const std::function<std::vector<std::uint32_t>(std::uint32_t)> &successors, unsigned integers = most_integers);

    /// That of a block of the unit: the same object if it is the same as another's.
    const Assignment &of(std::uint32_t block) const { return assignments_[which_[block - first_]]; }
    /// Homes in sets that have the same register in both.
    static Set common(const Assignment &from, const Assignment &to);
    /// Homes that may have been changed, on some way, when this block of the unit begins.
    Set changed(std::uint32_t block) const { return changed_[block - first_]; }
    /// Homes that must have the register's value when it begins.
    Set wanted(std::uint32_t block) const { return wanted_[block - first_]; }

private:
    void choose(const GroupPlan &group, std::span<const std::uint32_t> kept, unsigned integers);

    std::uint32_t first_;
    std::vector<Assignment> assignments_;  ///< the first one is the unit's
    std::vector<std::uint32_t> which_;     ///< from first_ on
    std::vector<Set> changed_, wanted_;    ///< from first_ on
};

}  // namespace mog
