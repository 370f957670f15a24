// thread_shape.hpp: how the threads of a block lie in warps, and what follows for their numbers.
//
// A warp has consecutive threads of its block, x fastest. So tid.x grows by 1 from lane to lane only where a warp does not
// straddle rows of the block, and tid.y and tid.z are the same in all lanes only there. Where block sizes are not known
// until launch, that is a matter of what is assumed. A block whose size is no multiple of the warp's has a warp with
// fewer lanes at its end, of which all facts hold as of others.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "assembler/divergence/kernel.hpp"
#include "assembler/divergence/polynomial.hpp"

namespace mog::divergence {

struct ThreadShape {
    std::optional<std::uint32_t> x, y, z;  ///< threads of a block by dimension; nullopt: not known
    std::uint32_t warp = 32;               ///< lanes
    /// Assumed where sizes are not known: a warp's lanes are of one row.
    bool rows_are_whole = false;

    /// What is known of a special register.
    Fact fact_of(Special special) const;
    /// Its numbers lie between these.
    struct Bounds {
        std::int64_t least, most;
    };
    Bounds bounds_of(Special special) const;
    /// "blocks of 32 x 8 x 1", for messages.
    std::string text() const;
};

}  // namespace mog::divergence
