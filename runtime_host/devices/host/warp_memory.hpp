// warp_memory.hpp: DATA of the PEs of a warp laid anew, when another engine is to run them. One PE after the other suits
// code for one PE; the same word of all of them side by side suits code for all at once. Both take the same room.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "runtime_host/device/host_memory.hpp"

namespace mog {

enum class WarpLayout : std::uint8_t {
    one_after_other,  ///< region[pe * words + word]
    side_by_side,     ///< region[word * lanes + pe]
};

/// About how long lay_warp takes for a warp's memory, in seconds.
double relayout_seconds(const std::uint32_t *region, std::uint32_t words, std::uint32_t lanes, const PageMap &pages);

/// Lays `words` words of each of `lanes` PEs at `region`, which are in the other layout, as `to` says. Only pages that were
/// touched are read, and pages that come to hold nothing are given back to the system: `region` lies in an anonymous mapping.
/// Other threads may use the words before and behind it. `kept_once`: so many words of each PE, whole pages and in the order one
/// after the other, are mapped from what all share (StartData); afterwards they are the PE's own.
void lay_warp(std::uint32_t *region, std::uint32_t words, std::uint32_t lanes, WarpLayout to, const PageMap &pages,
              std::size_t kept_once = 0);

}  // namespace mog
