// strings.cpp: functions of the library on strings and bytes, which read words where bytes are asked for. What they will read and write is
// looked at when they begin; what they do then is their own affair.
#include <algorithm>

#include <fmt/format.h>

#include "assembler/image/spaces.hpp"
#include "runtime_host/memory/functions.hpp"
#include "runtime_host/memory/memory_checker.hpp"

namespace mog {

using memory::Shadow;

namespace {

constexpr std::uint64_t no_end = 1ull << 32;
constexpr int no_byte = -1;

std::uint8_t byte_at(const Shadow &s, std::uint32_t address) {
    return static_cast<std::uint8_t>(s.data[(address - MOG_DATA_BASE) / 4] >> 8 * (address & 3));
}
bool has_value(const Shadow &s, std::uint32_t address) {
    return (s.values[(address - MOG_DATA_BASE) / 4] >> 8 * (address & 3) & 0xff) == 0;
}
bool may_touch(const Shadow &s, std::uint32_t address) {
    return (s.bytes[(address - MOG_DATA_BASE) / 4] >> (address & 3) & 1) == 0 && !s.is_between(address);
}

}  // namespace

/// Up to so many bytes, or to the first one that is `until`, that one included. Returns how many. `decides`: their values do.
std::uint64_t MemoryChecker::reads(Shadow &s, u32 at, u32 address, std::uint64_t bytes, int until, bool decides) {
    // What all PEs have once has values.
    if (const std::span<const std::uint8_t> all = constants_of(image_); address - constants_base < all.size()) {
        const auto here = all.subspan(address - constants_base);
        const std::size_t most = std::min<std::uint64_t>(bytes, here.size());
        for (std::size_t i = 0; until != no_byte && i < most; ++i)
            if (here[i] == until) return i + 1;
        return most;
    }
    bool told = false;
    for (std::uint64_t i = 0; i < bytes; ++i) {
        const u32 here = address + static_cast<u32>(i);
        if (!memory::is_own(s, here, 1)) return i;
        if (!may_touch(s, here)) {
            memory::invalid_access(s, at, here, 1, false);
            return i;
        }
        if (decides && !told && !has_value(s, here)) {
            memory::undefined_condition(s, at);
            told = true;
        }
        if (until != no_byte && byte_at(s, here) == until) return i + 1;
    }
    return bytes;
}

void MemoryChecker::writes(Shadow &s, u32 at, u32 address, std::uint64_t bytes) {
    for (std::uint64_t i = 0; i < bytes; ++i) {
        const u32 here = address + static_cast<u32>(i);
        if (!memory::is_own(s, here, 1)) return;
        if (!may_touch(s, here)) {
            const u32 first = address;
            find(s.pe, calls_at(s, at), Told::others, "store", [&] {
                std::string blocks;
                const std::string place = describe(process_of(s.pe), here, blocks);
                return std::pair{fmt::format("writes {} byte{}, of which byte {} is {}", bytes, bytes == 1 ? "" : "s", here - first, place),
                                 blocks};
            });
            return;
        }
        if ((s.bytes[(here - MOG_DATA_BASE) / 4] & memory::holds_return) != 0 && here >= s.stack_pointer() && here < s.stack_top)
            memory::overwrites_return(s, at, here);
    }
}

void MemoryChecker::looks_at(Shadow &s, u32 at, int model) {
    const u32 a = argument(s, 0), b = argument(s, 1), n = argument(s, 2);
    const u32 acc = s.acc;
    // Two strings, up to where they differ or end.
    const auto compare = [&](std::uint64_t most, bool has_end) {
        std::uint64_t same = 0;
        for (; same < most; ++same) {
            const u32 left = a + static_cast<u32>(same), right = b + static_cast<u32>(same);
            if (!memory::is_own(s, left, 1) || !memory::is_own(s, right, 1)) break;
            if (!may_touch(s, left) || !may_touch(s, right) || byte_at(s, left) != byte_at(s, right)) break;
            if (has_end && byte_at(s, left) == 0) break;
        }
        const std::uint64_t looked_at = std::min(most, same + 1);
        reads(s, at, a, looked_at, no_byte, true);
        reads(s, at, b, looked_at, no_byte, true);
    };
    const auto length = [&](u32 string) {
        std::uint64_t bytes = 0;
        while (memory::is_own(s, string + static_cast<u32>(bytes), 1) && byte_at(s, string + static_cast<u32>(bytes)) != 0) ++bytes;
        return static_cast<u32>(bytes);
    };
    switch (static_cast<StringModel>(model)) {
        case StringModel::none: break;
        case StringModel::length: reads(s, at, a, no_end, 0, true); break;
        case StringModel::length_at_most: reads(s, at, a, b, 0, true); break;
        case StringModel::copy_string: writes(s, at, a, reads(s, at, b, no_end, 0, true)); break;
        case StringModel::copy_string_at_most:
            reads(s, at, b, n, 0, true);
            writes(s, at, a, n);
            break;
        case StringModel::append: {
            reads(s, at, a, no_end, 0, true);
            writes(s, at, a + length(a), reads(s, at, b, no_end, 0, true));
            break;
        }
        case StringModel::append_at_most: {
            reads(s, at, a, no_end, 0, true);
            const std::uint64_t taken = reads(s, at, b, n, 0, true);
            const bool has_end =
                taken != 0 && memory::is_own(s, b + static_cast<u32>(taken) - 1, 1) && byte_at(s, b + static_cast<u32>(taken) - 1) == 0;
            writes(s, at, a + length(a), taken + !has_end);
            break;
        }
        case StringModel::compare_strings: compare(no_end, true); break;
        case StringModel::compare_strings_at_most: compare(n, true); break;
        case StringModel::compare: compare(n, false); break;
        case StringModel::find_in_string: {
            std::uint64_t bytes = 0;
            for (u32 here = a; memory::is_own(s, here, 1) && byte_at(s, here) != 0 && byte_at(s, here) != (b & 0xff); ++here) ++bytes;
            reads(s, at, a, bytes + 1, no_byte, true);
            break;
        }
        case StringModel::find: reads(s, at, a, n, static_cast<int>(b & 0xff), true); break;
        case StringModel::find_surely: reads(s, at, a, no_end, static_cast<int>(b & 0xff), true); break;
        case StringModel::read: reads(s, at, a, n, no_byte, false); break;
        case StringModel::copy:
            reads(s, at, b, n, no_byte, false);
            writes(s, at, a, n);
            break;
        case StringModel::copy_until: writes(s, at, a, reads(s, at, b, argument(s, 3), static_cast<int>(n & 0xff), true)); break;
        case StringModel::fill: writes(s, at, a, n); break;
        case StringModel::zero: writes(s, at, a, b); break;
    }
    s.acc = acc;
}

}  // namespace mog
