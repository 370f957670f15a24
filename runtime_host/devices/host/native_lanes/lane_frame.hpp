// lane_frame.hpp: what a warp is while its lanes run: where they stand, and their registers, side by side.
#pragma once

#include <array>
#include <cstdint>

#include "interp_templates/launch_abi.h"

namespace mog::lane_code {

/// What a copy of a loop (guarded_regions.hpp) has of a place where control comes in: when it is tried next, and how long it has not
/// been worth it. As in form_lanes.h.
struct LaneGuard {
    std::int32_t patience = 0, visits = 0, wait = 0, failures = 0;
};

struct LaneFrame {
    using Row = std::array<std::uint32_t, MOG_LANES>;

    alignas(64) Row pcs;
    alignas(64) Row acc;
    alignas(64) std::array<std::uint64_t, MOG_LANES> d;
    alignas(64) std::array<Row, 256> registers;  ///< of pairs that are one variable, a number of 64 bits for each lane while a group runs
    std::array<std::uint32_t, 258> scalars;      ///< of the copy at hand that have no register of the processor, by variable
    std::uint32_t running = 0;                   ///< a bit for each lane
    std::int32_t passes = 0;                     ///< instructions that are left, of the lanes together
    std::int32_t counted = 0;                    ///< passes when what has been executed was counted last,
    std::int32_t entered_with = 0;               ///< when control came into a copy,
    std::uint32_t entered = 0;                   ///< by this guard
    std::uint32_t divergence = 0;                ///< which copies may be entered: those up to this level
    std::uint64_t executed = 0;                  ///< instructions, by all lanes
    std::uint64_t asked = 0, held = 0, guarded = 0, scalar = 0;
    LaneGuard *guards = nullptr;
};

}  // namespace mog::lane_code
