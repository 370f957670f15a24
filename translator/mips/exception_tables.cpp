#include "translator/mips/exception_tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

#include "interp_templates/launch_abi.h"

namespace mog {
namespace {

// How an address is written (DW_EH_PE_*, Linux Standard Base 5.0, 10.5).
constexpr std::uint8_t omitted = 0xff, format_bits = 0x0f, relative_bits = 0x70, indirect = 0x80;
enum Format : std::uint8_t { Absolute = 0, Uleb128 = 1, Udata2 = 2, Udata4 = 3, Sleb128 = 9, Sdata2 = 10, Sdata4 = 11 };
constexpr std::uint8_t relative_to_place = 0x10;

/// Data from one address to another, read in order. What is beyond the end are zeros, and `good` is false from then on.
struct Cursor {
    const Segments &segments;
    std::uint32_t at, end;
    bool good = true;

    std::uint8_t byte() {
        const std::span<const std::uint8_t> there = segments.from(at);
        good = good && at < end && !there.empty();
        ++at;
        return good ? there.front() : 0;
    }
    std::uint32_t little_endian(unsigned bytes) {
        std::uint32_t value = 0;
        for (unsigned i = 0; i < bytes; ++i) value |= std::uint32_t{byte()} << (8 * i);
        return value;
    }
    std::uint32_t uleb128() {
        std::uint32_t value = 0;
        for (unsigned shift = 0; good; shift += 7) {
            const std::uint8_t part = byte();
            if (shift < 32) value |= std::uint32_t{part & 0x7fu} << shift;
            if ((part & 0x80) == 0) break;
        }
        return value;
    }
    std::uint32_t sleb128() {
        std::uint32_t value = 0;
        for (unsigned shift = 0; good;) {
            const std::uint8_t part = byte();
            if (shift < 32) value |= std::uint32_t{part & 0x7fu} << shift;
            shift += 7;
            if ((part & 0x80) != 0) continue;
            if (shift < 32 && (part & 0x40) != 0) value |= ~std::uint32_t{0} << shift;
            break;
        }
        return value;
    }
    /// A number as it is written, without what it is relative to.
    std::uint32_t number(std::uint8_t encoding) {
        switch (encoding & format_bits) {
            case Absolute:
            case Udata4:
            case Sdata4: return little_endian(4);
            case Udata2: return little_endian(2);
            case Sdata2: return static_cast<std::uint32_t>(static_cast<std::int16_t>(little_endian(2)));
            case Uleb128: return uleb128();
            case Sleb128: return sleb128();
            default: good = false; return 0;
        }
    }
    /// An address; 0 stays 0, whatever it is relative to.
    std::uint32_t address(std::uint8_t encoding) {
        const std::uint32_t place = at;
        const std::uint32_t value = number(encoding);
        const std::uint8_t relative = encoding & relative_bits;
        if ((encoding & indirect) != 0 || (relative != 0 && relative != relative_to_place)) good = false;
        return value != 0 && relative == relative_to_place ? value + place : value;
    }
};

/// What the entries of functions have in common.
struct Common {
    std::uint8_t function_encoding = Absolute, table_encoding = omitted;
    bool has_augmentation = false;
};

Common read_common(Cursor &cursor) {
    Common common;
    const std::uint8_t version = cursor.byte();
    std::string augmentation;
    while (const std::uint8_t letter = cursor.byte()) augmentation += static_cast<char>(letter);
    cursor.uleb128();  // the unit of code
    cursor.sleb128();  // and of data
    if (version == 1) cursor.byte();
    else cursor.uleb128();  // the register with the return address
    common.has_augmentation = augmentation.starts_with('z');
    if (!common.has_augmentation) {
        cursor.good = cursor.good && augmentation.empty();
        return common;
    }
    cursor.uleb128();
    for (const char letter : augmentation.substr(1)) {
        switch (letter) {
            case 'L': common.table_encoding = cursor.byte(); break;
            case 'R': common.function_encoding = cursor.byte(); break;
            case 'P': cursor.number(cursor.byte()); break;  // where the personality routine is, of which a relocation tells
            case 'S': break;                                // the frame of a signal
            default: cursor.good = false;
        }
    }
    return common;
}

/// Adds the landing pads of one table of g++'s.
bool read_table(const Segments &segments, std::uint32_t table, std::uint32_t function, std::vector<std::uint32_t> &found) {
    Cursor cursor{segments, table, table + static_cast<std::uint32_t>(segments.from(table).size())};
    const std::uint8_t start_encoding = cursor.byte();
    const std::uint32_t start = start_encoding == omitted ? function : cursor.address(start_encoding);
    if (cursor.byte() != omitted) cursor.uleb128();  // where the types are, of which relocations tell
    const std::uint8_t encoding = cursor.byte();
    const std::uint32_t bytes = cursor.uleb128();
    if (!cursor.good || bytes > cursor.end - cursor.at) return false;
    cursor.end = cursor.at + bytes;
    while (cursor.at < cursor.end) {
        cursor.number(encoding);  // from here
        cursor.number(encoding);  // so far
        const std::uint32_t pad = cursor.number(encoding);
        cursor.uleb128();  // what is done there
        if (!cursor.good) return false;
        if (pad == 0) continue;
        if (!segments.has_code(start + pad)) return false;
        found.push_back(start + pad);
    }
    return true;
}

}  // namespace

Result<std::vector<std::uint32_t>> landing_pads(const Segments &segments, std::uint32_t eh_frame, std::uint32_t size) {
    std::vector<std::uint32_t> found;
    std::map<std::uint32_t, Common> commons;  // by address
    const auto damaged = [](std::uint32_t address) {
        return Error{fmt::format("the entry of .eh_frame at {:#x} is damaged, or of a kind that is not known here", address)};
    };
    for (std::uint32_t at = eh_frame; at + 4 <= eh_frame + size;) {
        Cursor cursor{segments, at, eh_frame + size};
        const std::uint32_t bytes = cursor.little_endian(4);
        if (bytes == 0) {  // the end of one file's entries
            at += 4;
            continue;
        }
        if (!cursor.good || bytes < 4 || bytes > cursor.end - cursor.at) return damaged(at);
        cursor.end = cursor.at + bytes;
        const std::uint32_t id_place = cursor.at, id = cursor.little_endian(4);
        if (id == 0) {
            commons[at] = read_common(cursor);
        } else {
            const auto common = commons.find(id_place - id);
            if (common == commons.end()) return damaged(at);
            const std::uint32_t function = cursor.address(common->second.function_encoding);
            cursor.number(common->second.function_encoding);  // its size
            if (common->second.has_augmentation) {
                cursor.uleb128();
                const std::uint8_t encoding = common->second.table_encoding;
                const std::uint32_t table = encoding == omitted ? 0 : cursor.address(encoding);
                if (cursor.good && table != 0 && !read_table(segments, table, function, found)) return damaged(at);
            }
        }
        if (!cursor.good) return damaged(at);
        at = cursor.end;
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

}  // namespace mog
