// thread_shape.cpp: rows of blocks against warps.
#include "assembler/divergence/thread_shape.hpp"

#include <fmt/format.h>

namespace mog::divergence {
namespace {

/// Whether `threads`, of which 0 means that they are not known, fill warps.
bool fills_warps(std::uint64_t threads, std::uint32_t warp) { return threads != 0 && threads % warp == 0; }

Fact number_in_block(bool base_is_known) {
    return Fact::affine(Coefficient::known(1), base_is_known ? Coefficient::known(0) : Coefficient::unknown());
}

}  // namespace

Fact ThreadShape::fact_of(Special special) const {
    const auto size = [](const std::optional<std::uint32_t> &of) { return of ? Fact::number(*of) : Fact::uniform(); };
    const std::uint64_t row = x.value_or(0), plane = row * y.value_or(0);
    const bool one_row = y == 1 && z == 1;
    switch (special) {
        case Special::tid: return number_in_block(true);
        case Special::lane: return number_in_block(false);
        case Special::tid_x:
            if (x == 1) return Fact::number(0);
            // In blocks of one row T is tid.x; in others it is tid.x and a multiple of the row.
            if (one_row) return number_in_block(true);
            return fills_warps(row, warp) || (!x && rows_are_whole) ? number_in_block(false) : Fact::divergent();
        case Special::tid_y:
            if (y == 1) return Fact::number(0);
            if (fills_warps(row, warp)) return Fact::uniform();
            if (x == 1) return z == 1 ? number_in_block(true) : fills_warps(plane, warp) ? number_in_block(false) : Fact::divergent();
            return !x && rows_are_whole ? Fact::uniform() : Fact::divergent();
        case Special::tid_z:
            if (z == 1) return Fact::number(0);
            if (fills_warps(row, warp) || fills_warps(plane, warp)) return Fact::uniform();
            if (x == 1 && y == 1) return number_in_block(true);
            return !x && rows_are_whole ? Fact::uniform() : Fact::divergent();
        case Special::ntid_x: return size(x);
        case Special::ntid_y: return size(y);
        case Special::ntid_z: return size(z);
        case Special::clock: return Fact::divergent();
        default: return Fact::uniform();
    }
}

ThreadShape::Bounds ThreadShape::bounds_of(Special special) const {
    constexpr std::int64_t most_threads = 1024, most_blocks = 0x7fffffff;
    const auto below = [](const std::optional<std::uint32_t> &of, std::int64_t most) {
        return of && *of != 0 ? std::int64_t{*of} - 1 : most - 1;
    };
    switch (special) {
        case Special::tid_x: return {0, below(x, most_threads)};
        case Special::tid_y: return {0, below(y, most_threads)};
        case Special::tid_z: return {0, below(z, most_threads)};
        case Special::lane: return {0, std::int64_t{warp} - 1};
        case Special::ntid_x:
        case Special::ntid_y:
        case Special::ntid_z: return {1, most_threads};
        case Special::tid:
        case Special::warp:
        case Special::ctaid_x:
        case Special::ctaid_y:
        case Special::ctaid_z: return {0, most_blocks - 1};
        case Special::nctaid_x:
        case Special::nctaid_y:
        case Special::nctaid_z: return {1, most_blocks};
        case Special::clock: break;
    }
    return {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()};
}

std::string ThreadShape::text() const {
    const auto size = [](const std::optional<std::uint32_t> &of) { return of ? std::to_string(*of) : "?"; };
    return fmt::format("blocks of {} x {} x {} threads, warps of {}{}", size(x), size(y), size(z), warp,
                       rows_are_whole ? " that are assumed not to straddle rows" : "");
}

}  // namespace mog::divergence
