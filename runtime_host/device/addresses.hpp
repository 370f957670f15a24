// addresses.hpp: where a PE of a run has memory: its own (DATA), and the window, which it shares with all others.
#pragma once

#include <cstdint>

#include "assembler/image/read_only.hpp"
#include "interp_templates/launch_abi.h"

namespace mog {

struct Addresses {
    std::uint32_t data_bytes = 0, window_bytes = 0;
    ReadOnlyData read_only{};  ///< of DATA; or below it, where all PEs have them once (constants_base)

    bool in_data(std::uint32_t address, std::uint64_t length) const {
        return address >= MOG_DATA_BASE && std::uint64_t{address} - MOG_DATA_BASE + length <= data_bytes;
    }
    bool in_window(std::uint32_t address, std::uint64_t length) const {
        return address >= MOG_SHARED_BASE && std::uint64_t{address} - MOG_SHARED_BASE + length <= window_bytes;
    }
    bool in_constants(std::uint32_t address, std::uint64_t length) const {
        return read_only.has(address) && read_only.begin < MOG_DATA_BASE && length <= read_only.end - address;
    }
    /// All of them, in one of these.
    bool has(std::uint32_t address, std::uint64_t length) const {
        return in_data(address, length) || in_window(address, length) || in_constants(address, length);
    }
    /// The same, of memory that somebody may write for the PE, who need not heed what is read only of DATA.
    bool can_be_set(std::uint32_t address, std::uint64_t length) const { return in_data(address, length) || in_window(address, length); }
    /// The same, of memory that a PE may write.
    bool can_be_written(std::uint32_t address, std::uint64_t length) const {
        return has(address, length) && !read_only.meets(address, length);
    }
    /// First address behind the memory that has `address`, which is somewhere.
    std::uint32_t end_of(std::uint32_t address) const {
        if (in_constants(address, 1)) return read_only.end;
        return in_window(address, 1) ? MOG_SHARED_BASE + window_bytes : MOG_DATA_BASE + data_bytes;
    }
};

}  // namespace mog
