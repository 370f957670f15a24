// image.cpp: an image as bytes and back. The format is described in docs/image.md.
#include "assembler/image/image.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <numeric>

#include "assembler/image/image_check.hpp"
#include "interp_templates/launch_abi.h"
#include "support/files/files.hpp"
#include "support/files/hash.hpp"

namespace mog {
namespace {

constexpr std::string_view magic = "MOGIMAGE";
constexpr std::uint32_t version = 5;
constexpr std::size_t header_size = 32;  // magic, version, sections, file size, checksum
constexpr std::size_t checksum_at = 24;
constexpr std::size_t table_entry_size = 24;  // name, offset, size
constexpr std::size_t name_size = 8;

// ---- bytes ---------------------------------------------------------------------------------------------------------

class Writer {
public:
    void u32(std::uint32_t value) {
        for (int i = 0; i < 4; ++i) bytes.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
    }
    void u64(std::uint64_t value) {
        u32(static_cast<std::uint32_t>(value));
        u32(static_cast<std::uint32_t>(value >> 32));
    }
    void raw(std::span<const std::uint8_t> more) {
        const std::size_t start = bytes.size();
        bytes.resize(start + more.size());
        std::copy(more.begin(), more.end(), bytes.begin() + static_cast<std::ptrdiff_t>(start));
    }
    void string(std::string_view text) {
        u32(static_cast<std::uint32_t>(text.size()));
        raw(as_byte_span(text));
    }
    std::vector<std::uint8_t> bytes;
};

/// Reads from a span and never beyond: after a failure every read gives 0 and ok() is false.
class Reader {
public:
    explicit Reader(std::span<const std::uint8_t> bytes) : left_(bytes) {}

    bool ok() const { return ok_; }
    bool at_end() const { return left_.empty(); }
    /// What is wrong with what was read, where that can be said.
    void refuse(std::string why) { refusal_ = std::move(why); }
    const std::string &refusal() const { return refusal_; }
    std::size_t left() const { return left_.size(); }

    std::span<const std::uint8_t> raw(std::size_t size) {
        if (size > left_.size()) {
            ok_ = false;
            left_ = {};
            return {};
        }
        const auto result = left_.first(size);
        left_ = left_.subspan(size);
        return result;
    }
    std::uint8_t u8() { return static_cast<std::uint8_t>(number(1)); }
    std::uint32_t u32() { return static_cast<std::uint32_t>(number(4)); }
    std::uint16_t u16() { return static_cast<std::uint16_t>(number(2)); }
    std::uint64_t u64() { return number(8); }
    std::string string() {
        const auto text = raw(u32());
        return {text.begin(), text.end()};
    }
    /// A count of things that take at least `least` bytes each; fails if there is no room for so many.
    std::size_t count(std::size_t least) {
        const std::size_t n = u32();
        if (n > left_.size() / least) ok_ = false;
        return ok_ ? n : 0;
    }

private:
    std::uint64_t number(std::size_t size) {
        std::uint64_t value = 0;
        const auto from = raw(size);
        for (std::size_t i = 0; i < from.size(); ++i) value |= std::uint64_t{from[i]} << (8 * i);
        return value;
    }
    std::span<const std::uint8_t> left_;
    bool ok_ = true;
    std::string refusal_;
};

// ---- sections: one row each, written and read in this order
// -----------------------------------------------------------

void write_words(Writer &out, const std::vector<std::uint32_t> &words) {
    out.bytes.reserve(out.bytes.size() + 4 * words.size());
    for (const std::uint32_t word : words) out.u32(word);
}

void read_words(Reader &in, std::vector<std::uint32_t> &words) {
    words.resize(in.left() / 4);
    for (std::uint32_t &word : words) word = in.u32();
}

/// What grows by little: each word less the one before it, modulo 2^32. So most are small, and short in NAME_image.c (image_as_c.cpp).
void write_differences(Writer &out, const std::vector<std::uint32_t> &words) {
    std::vector<std::uint32_t> differences(words.size());
    std::adjacent_difference(words.begin(), words.end(), differences.begin());
    write_words(out, differences);
}

void read_differences(Reader &in, std::vector<std::uint32_t> &words) {
    read_words(in, words);
    std::partial_sum(words.begin(), words.end(), words.begin());
}

void read_bytes(Reader &in, std::vector<std::uint8_t> &bytes) {
    const auto all = in.raw(in.left());
    bytes.assign(all.begin(), all.end());
}

void write_strings(Writer &out, const std::vector<std::string> &strings) {
    out.u32(static_cast<std::uint32_t>(strings.size()));
    for (const std::string &text : strings) out.string(text);
}

void read_strings(Reader &in, std::vector<std::string> &strings) {
    strings.resize(in.count(4));
    for (std::string &text : strings) text = in.string();
}

/// Numbers below 4, four in a byte.
template <typename Kind>
void write_kinds(Writer &out, const std::vector<Kind> &kinds) {
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        if (i % 4 == 0) out.bytes.push_back(0);
        out.bytes.back() |= static_cast<std::uint8_t>(static_cast<unsigned>(kinds[i]) << (2 * (i % 4)));
    }
}

/// `kinds` says how many.
template <typename Kind>
void read_kinds(Reader &in, std::vector<Kind> &kinds) {
    const auto bytes = in.raw((kinds.size() + 3) / 4);
    for (std::size_t i = 0; in.ok() && i < kinds.size(); ++i) kinds[i] = static_cast<Kind>(bytes[i / 4] >> (2 * (i % 4)) & 3u);
}

/// Where jumps stand that may be calls or returns. What is no opcode is found by check_image().
std::vector<std::size_t> jumps_of(const std::vector<std::uint16_t> &text) {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < text.size(); ++i)
        if (const OpInfo *row = find_op(static_cast<std::uint8_t>(text[i] >> 8)); row && is_jump(*row)) places.push_back(i);
    return places;
}

/// Where code addresses have code.
std::vector<std::size_t> entries_of(const std::vector<std::uint32_t> &code_map) {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < code_map.size(); ++i)
        if (code_map[i] != MOG_NO_CODE) places.push_back(i);
    return places;
}

/// Of all kinds those in these places; an image that contradicts itself may have too few.
template <typename Kind>
void write_some_kinds(Writer &out, const std::vector<Kind> &kinds, const std::vector<std::size_t> &places) {
    std::vector<Kind> some;
    for (const std::size_t place : places) some.push_back(place < kinds.size() ? kinds[place] : Kind{});
    write_kinds(out, some);
}

template <typename Kind>
void read_some_kinds(Reader &in, std::vector<Kind> &kinds, const std::vector<std::size_t> &places) {
    std::vector<Kind> some(places.size());
    read_kinds(in, some);
    for (std::size_t i = 0; i < places.size(); ++i) kinds[places[i]] = some[i];
}

struct Section {
    std::string_view name;
    void (*write)(Writer &, const Image &);
    void (*read)(Reader &, Image &);
};

constexpr Section sections[] = {
    {"head",
     [](Writer &out, const Image &image) {
         for (const std::uint32_t value : {image.cpool_shift, image.entry, image.code_base, image.brk}) out.u32(value);
         out.raw(image.roles);
     },
     [](Reader &in, Image &image) {
         for (std::uint32_t *value : {&image.cpool_shift, &image.entry, &image.code_base, &image.brk}) *value = in.u32();
         const auto roles = in.raw(image.roles.size());
         if (in.ok()) std::copy(roles.begin(), roles.end(), image.roles.begin());
     }},
    {"text",
     [](Writer &out, const Image &image) {
         for (const std::uint16_t word : image.text) {
             out.bytes.push_back(static_cast<std::uint8_t>(word));
             out.bytes.push_back(static_cast<std::uint8_t>(word >> 8));
         }
     },
     [](Reader &in, Image &image) {
         image.text.resize(in.left() / 2);
         for (std::uint16_t &word : image.text) word = in.u16();
     }},
    {"supers",
     [](Writer &out, const Image &image) {
         for (const Superinstruction &super : image.superinstructions) {
             out.bytes.push_back(static_cast<std::uint8_t>(super.code));
             out.bytes.push_back(static_cast<std::uint8_t>(super.parts.size()));
             for (const Op part : super.parts) out.bytes.push_back(static_cast<std::uint8_t>(part));
         }
     },
     [](Reader &in, Image &image) {
         while (in.ok() && !in.at_end()) {
             Superinstruction super{static_cast<Op>(in.u8()), {}};
             for (std::size_t left = in.u8(); left != 0 && in.ok(); --left) super.parts.push_back(static_cast<Op>(in.u8()));
             image.superinstructions.push_back(std::move(super));
         }
     }},
    {"fusedseq", [](Writer &out, const Image &image) { out.raw(image.fused_sequence); },
     [](Reader &in, Image &image) { read_bytes(in, image.fused_sequence); }},
    {"fusedsw", [](Writer &out, const Image &image) { out.raw(image.fused_switch); },
     [](Reader &in, Image &image) { read_bytes(in, image.fused_switch); }},
    {"cpool", [](Writer &out, const Image &image) { write_words(out, image.cpool); },
     [](Reader &in, Image &image) { read_words(in, image.cpool); }},
    {"codemap", [](Writer &out, const Image &image) { write_words(out, image.code_map); },
     [](Reader &in, Image &image) { read_words(in, image.code_map); }},
    {"jumps", [](Writer &out, const Image &image) { write_some_kinds(out, image.jumps, jumps_of(image.text)); },
     [](Reader &in, Image &image) {
         image.jumps.assign(image.text.size(), JumpKind::plain);
         read_some_kinds(in, image.jumps, jumps_of(image.text));
     }},
    {"entries", [](Writer &out, const Image &image) { write_some_kinds(out, image.entries, entries_of(image.code_map)); },
     [](Reader &in, Image &image) {
         image.entries.assign(image.code_map.size(), Entry::Label);
         read_some_kinds(in, image.entries, entries_of(image.code_map));
     }},
    {"data", [](Writer &out, const Image &image) { out.raw(image.data); }, [](Reader &in, Image &image) { read_bytes(in, image.data); }},
    {"regs", [](Writer &out, const Image &image) { write_strings(out, image.register_names); },
     [](Reader &in, Image &image) { read_strings(in, image.register_names); }},
    {"source", [](Writer &out, const Image &image) { write_differences(out, image.source_address); },
     [](Reader &in, Image &image) { read_differences(in, image.source_address); }},
    {"retires", [](Writer &out, const Image &image) { write_words(out, image.retires); },
     [](Reader &in, Image &image) { read_words(in, image.retires); }},
    {"labels", [](Writer &out, const Image &image) { write_strings(out, image.labels); },
     [](Reader &in, Image &image) { read_strings(in, image.labels); }},
    {"labelat", [](Writer &out, const Image &image) { write_differences(out, image.label_at); },
     [](Reader &in, Image &image) { read_differences(in, image.label_at); }},
    {"symbols",
     [](Writer &out, const Image &image) {
         out.u32(static_cast<std::uint32_t>(image.symbols.size()));
         for (const Symbol &symbol : image.symbols) {
             out.u32(symbol.address);
             out.u32(symbol.size);
             out.u32(symbol.is_code ? 1 : 0);
             out.string(symbol.name);
         }
     },
     [](Reader &in, Image &image) {
         image.symbols.resize(in.count(16));
         for (Symbol &symbol : image.symbols) {
             symbol.address = in.u32();
             symbol.size = in.u32();
             symbol.is_code = in.u32() != 0;
             symbol.name = in.string();
         }
     }},
    {"files", [](Writer &out, const Image &image) { write_strings(out, image.files); },
     [](Reader &in, Image &image) { read_strings(in, image.files); }},
    {"lines",
     [](Writer &out, const Image &image) {
         for (const Line &line : image.lines)
             for (const std::uint32_t value : {line.address, line.file, line.line}) out.u32(value);
     },
     [](Reader &in, Image &image) {
         image.lines.resize(in.left() / 12);
         for (Line &line : image.lines)
             for (std::uint32_t *value : {&line.address, &line.file, &line.line}) *value = in.u32();
     }},
    {"frames",
     [](Writer &out, const Image &image) {
         for (const FrameRule &rule : image.frames)
             for (const std::uint32_t value : {rule.address, static_cast<std::uint32_t>(rule.base), static_cast<std::uint32_t>(rule.offset),
                                               static_cast<std::uint32_t>(rule.ra), static_cast<std::uint32_t>(rule.fp)})
                 out.u32(value);
     },
     [](Reader &in, Image &image) {
         image.frames.resize(in.left() / 20);
         for (FrameRule &rule : image.frames) {
             rule.address = in.u32();
             rule.base = static_cast<FrameRule::Base>(std::min(in.u32(), 0xffu));
             for (std::int32_t *value : {&rule.offset, &rule.ra, &rule.fp}) *value = static_cast<std::int32_t>(in.u32());
         }
     }},
    {"products",
     [](Writer &out, const Image &image) {
         // By name, whatever order products.def has them in.
         std::map<std::string, std::span<const std::uint8_t>> by_name;
         for (const auto &[product, content] : image.products.all()) by_name[name_of(product)] = content;
         out.u32(static_cast<std::uint32_t>(by_name.size()));
         for (const auto &[name, content] : by_name) {
             out.string(name);
             out.u32(static_cast<std::uint32_t>(content.size()));
             out.raw(content);
         }
     },
     [](Reader &in, Image &image) {
         const std::size_t n = in.count(8);
         for (std::size_t i = 0; i < n && in.ok(); ++i) {
             const std::string name = in.string();
             const auto content = in.raw(in.u32());
             if (!in.ok()) return;
             const std::optional<Product> product = product_named(name);
             if (!product)
                 return in.refuse(fmt::format("it holds \"{}\", of which this MOG knows nothing: compile the program again", name));
             image.products.set(*product, {content.begin(), content.end()});
         }
     }},
};
constexpr std::size_t section_count = std::size(sections);

std::uint64_t checksum(std::span<const std::uint8_t> file) { return fnv1a(file.subspan(header_size), fnv1a(file.first(checksum_at))); }

}  // namespace

std::vector<std::uint8_t> write_image(const Image &image) {
    Writer out;
    out.raw(as_byte_span(magic));
    out.u32(version);
    out.u32(section_count);
    out.bytes.resize(header_size + section_count * table_entry_size);
    Writer table;
    for (const Section &section : sections) {
        const std::size_t start = out.bytes.size();
        section.write(out, image);
        std::string name(section.name);
        name.resize(name_size);
        table.raw(as_byte_span(name));
        table.u64(start);
        table.u64(out.bytes.size() - start);
        out.bytes.resize((out.bytes.size() + 7) / 8 * 8);
    }
    std::copy(table.bytes.begin(), table.bytes.end(), out.bytes.begin() + header_size);
    Writer sizes;
    sizes.u64(out.bytes.size());
    std::copy(sizes.bytes.begin(), sizes.bytes.end(), out.bytes.begin() + 16);
    Writer sum;
    sum.u64(checksum(out.bytes));
    std::copy(sum.bytes.begin(), sum.bytes.end(), out.bytes.begin() + checksum_at);
    return out.bytes;
}

std::vector<std::string_view> image_sections() {
    std::vector<std::string_view> names;
    for (const Section &section : sections) names.emplace_back(section.name);
    return names;
}

SectionPlace find_section(std::span<const std::uint8_t> file, std::string_view name) {
    const auto found = std::ranges::find(sections, name, &Section::name);
    Reader row(file.subspan(header_size + static_cast<std::size_t>(found - sections) * table_entry_size + name_size));
    const std::size_t offset = row.u64();
    return {offset, row.u64()};
}

std::uint64_t image_checksum(std::span<const std::uint8_t> file) { return Reader(file.subspan(checksum_at)).u64(); }

Result<Image> read_image(std::span<const std::uint8_t> bytes) {
    Reader header(bytes);
    const auto start = header.raw(magic.size());
    if (!header.ok() || std::memcmp(start.data(), magic.data(), magic.size()) != 0) return Error{"this is not a MOG image", {}};
    const std::uint32_t found_version = header.u32();
    const std::uint32_t found_sections = header.u32();
    const std::uint64_t size = header.u64();
    const std::uint64_t sum = header.u64();
    if (!header.ok()) return Error{fmt::format("the image is cut short: its {} bytes do not hold a header", bytes.size()), {}};
    if (found_version != version)
        return Error{fmt::format("the image has version {} of the format, this MOG reads version {}: compile the program again",
                                 found_version, version),
                     {}};
    if (size != bytes.size()) return Error{fmt::format("the image is damaged: it has {} bytes and should have {}", bytes.size(), size), {}};
    if (sum != checksum(bytes)) return Error{"the image is damaged: its checksum does not fit", {}};
    if (found_sections != section_count)
        return Error{fmt::format("the image is damaged: it has {} sections and should have {}", found_sections, section_count), {}};

    Image image;
    for (const Section &section : sections) {
        const auto name = header.raw(name_size);
        const std::uint64_t offset = header.u64();
        const std::uint64_t length = header.u64();
        std::string expected(section.name);
        expected.resize(name_size);
        if (!header.ok() || std::memcmp(name.data(), expected.data(), name_size) != 0 || offset > bytes.size() ||
            length > bytes.size() - offset)
            return Error{fmt::format("the image is damaged: section `{}` is not in its place", section.name), {}};
        Reader in(bytes.subspan(offset, length));
        section.read(in, image);
        if (!in.refusal().empty()) return Error{"the image cannot be read: " + in.refusal(), {}};
        if (!in.ok() || !in.at_end()) return Error{fmt::format("the image is damaged: section `{}` has the wrong size", section.name), {}};
    }
    if (auto checked = check_image(image); !checked) return checked.error();
    return image;
}

}  // namespace mog
