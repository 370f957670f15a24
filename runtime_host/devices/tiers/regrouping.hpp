// regrouping.hpp: which PEs share a warp. A kernel has a PE for each element of the list of those that run, and warps are neighbours in
// that list; memory stays where it is, and lanes find it by their PEs' numbers. So another order of the list is another map of PEs to
// lanes.
//
// PEs that stand at the same place go on together, and so do, for a while, those that are in the same function. Where a slice ends each PE
// stands somewhere; before the next launch they are put in the order of functions, in one of them by how deep in calls they are, and of
// these by place. (By hand, between kernels: T. Aila and S. Laine, "Understanding the efficiency of ray traversal on GPUs", 2009; in
// hardware, within one: W. Fung and others, "Dynamic warp formation", 2007.) Lanes' memory lies no longer side by side then, and what is
// gained may be nothing soon. So launches with it are compared with those without.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "assembler/image/image.hpp"
#include "runtime_host/device/device.hpp"

namespace mog {

class Regrouping {
public:
    using u32 = std::uint32_t;
    using u64 = std::uint64_t;

    /// For a program that was loaded for PEs 0 to `pes` - 1. `deterministic`: nothing may depend on how fast launches are.
    void start(const Image &image, Regroup how, bool deterministic, u32 pes, u32 lanes);

    /// Whether the next launch, of so many PEs, shall have them in another order than ascending, for which places are wanted.
    bool wants_places(std::size_t active);
    /// The elements of the list `active` in the order of lanes. By PE, where they stand, a TEXT index, and their stack pointers.
    std::span<const u32> order(std::span<const u32> active, std::span<const u32> places, std::span<const u32> stacks);
    /// That launch has executed so many instructions, of all PEs, in so many seconds, those for the order among them, which took
    /// `ordering`.
    void ran(u64 instructions, double seconds, double ordering);

    /// None: there is one warp, or it is off.
    std::optional<DeviceStats::Regrouped> stats() const;

private:
    void sort(std::span<const u32> keys, std::span<const u32> active);
    void compare(double rate);

    Regroup how_ = Regroup::Off;
    u32 lanes_ = 1;
    std::vector<u32> function_;  ///< by TEXT index: which one it is of, ascending
    std::vector<u32> order_;
    std::vector<u64> keyed_, other_;  ///< elements of the order with their keys above them
    std::vector<u32> place_;          ///< by PE: in the last launch's order, of all that were in it
    std::vector<u32> keys_;
    bool regroups_ = false, counts_ = false;  ///< the next launch, or the one that is under way; and it has several warps
    bool pays_ = false;                       ///< by the last trial
    /// Auto: launches until one is tried the other way; the rates of that one, and of the one before it.
    u32 until_trial_ = 2, interval_ = 4;
    bool is_trial_ = false, was_trial_ = false;
    double before_ = 0, tried_ = 0;
    DeviceStats::Regrouped stats_;
};

}  // namespace mog
