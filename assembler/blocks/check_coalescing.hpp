// check_coalescing.hpp: loads and stores of compiled blocks whose addresses need no question of their own.
//
// In straight code many addresses are known relative to a value that was there before: fields of a structure, saved
// registers in a frame. The first access through such a value asks whether all of them are good, that is, whether a window of
// DATA is the PE's own; the others lie in it. If the window is bad, the interpreter goes on and meets the fault, if there is
// one. Addresses in the program's own data are good without a question.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "assembler/image/image.hpp"

namespace mog {

struct CoalescedChecks {
    struct Window {
        std::uint32_t bytes = 0;  ///< a multiple of its alignment
        std::uint32_t shift = 2;  ///< it is aligned to 2^shift bytes
        bool stores = false;      ///< some of the accesses are stores, and not to the frame: nothing in it may be read only
    };
    struct Access {
        static constexpr std::uint32_t data = 0xffffffff;
        std::uint32_t window = data;  ///< index, or `data`: the program's own data
        std::uint32_t offset = 0;     ///< in it, bytes
        bool opens = false;           ///< the first in the window, which asks
    };
    std::vector<Window> windows;
    std::map<std::uint32_t, Access> accesses;  ///< by TEXT index; others ask for themselves
    std::set<std::uint32_t> to_frame;          ///< stores, by TEXT index, to addresses from the stack pointer on: to nothing read only
};

/// No window has more bytes. A PE with less DATA cannot run compiled blocks.
inline constexpr std::uint32_t most_window_bytes = 1024;

/// Where code [begin, end) is executed from its beginning on, never entered elsewhere, and perhaps left at the end of a block.
/// `starts`: the blocks' first TEXT indices, ascending, and the end. Adds what it finds to `windows`.
void coalesce_checks(const Image &image, const std::vector<std::uint32_t> &starts, CoalescedChecks &windows);

}  // namespace mog
