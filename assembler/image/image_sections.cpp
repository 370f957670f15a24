// image_sections.cpp: each section of an image file, written and read. docs/image.md describes them.
//
// What only MOG reads is written in few bytes: numbers as differences from those that are likely, names that follow from addresses not at
// all. A reader never believes a count that the bytes behind it could not hold.
#include "assembler/image/image_sections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

#include "assembler/image/constants.hpp"
#include "interp_templates/launch_abi.h"
#include "support/files/compressed.hpp"

namespace mog {
namespace {

// ---- plain values --------------------------------------------------------------------------------------------------

void write_words(ImageWriter &out, const std::vector<std::uint32_t> &words) {
    out.bytes.reserve(out.bytes.size() + 4 * words.size());
    for (const std::uint32_t word : words) out.u32(word);
}

void read_words(ImageReader &in, std::vector<std::uint32_t> &words) {
    words.resize(in.left() / 4);
    for (std::uint32_t &word : words) word = in.u32();
}

void read_bytes(ImageReader &in, std::vector<std::uint8_t> &bytes) {
    const auto all = in.raw(in.left());
    bytes.assign(all.begin(), all.end());
}

void write_strings(ImageWriter &out, const std::vector<std::string> &strings) {
    out.number(strings.size());
    for (const std::string &text : strings) out.string(text);
}

void read_strings(ImageReader &in, std::vector<std::string> &strings) {
    strings.resize(in.count());
    for (std::string &text : strings) text = in.string();
}

// ---- kinds: numbers below 4, four in a byte ------------------------------------------------------------------------

template <typename Kind>
void write_kinds(ImageWriter &out, const std::vector<Kind> &kinds) {
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        if (i % 4 == 0) out.bytes.push_back(0);
        out.bytes.back() |= static_cast<std::uint8_t>(static_cast<unsigned>(kinds[i]) << (2 * (i % 4)));
    }
}

/// `kinds` says how many.
template <typename Kind>
void read_kinds(ImageReader &in, std::vector<Kind> &kinds) {
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
void write_some_kinds(ImageWriter &out, const std::vector<Kind> &kinds, const std::vector<std::size_t> &places) {
    std::vector<Kind> some;
    for (const std::size_t place : places) some.push_back(place < kinds.size() ? kinds[place] : Kind{});
    write_kinds(out, some);
}

template <typename Kind>
void read_some_kinds(ImageReader &in, std::vector<Kind> &kinds, const std::vector<std::size_t> &places) {
    std::vector<Kind> some(places.size());
    read_kinds(in, some);
    for (std::size_t i = 0; i < places.size(); ++i) kinds[places[i]] = some[i];
}

// ---- the constant pool: by who uses it -----------------------------------------------------------------------------

/// A pool of more words for each instruction is not written densely: so a reader knows how many there may be.
constexpr std::size_t most_words_for_use = 16;
bool is_dense_pool(std::uint64_t words, const Image &image) { return words <= most_words_for_use * (image.text.size() + 16); }

/// Calls f(TEXT index, whether it is a jump's target, slot) for each slot that an instruction uses, where the first one does. Goes by all
/// that is read before the pool.
template <typename F>
void for_each_first_use(const Image &image, std::size_t words, std::vector<bool> &used, F f) {
    used.assign(words, false);
    if (image.cpool_shift < 1 || image.cpool_shift > 31) return;
    for (std::size_t i = 0; i < image.text.size(); ++i) {
        const OpInfo *row = find_op(static_cast<std::uint8_t>(image.text[i] >> 8));
        if (!row || (row->operand != OperandKind::Const && row->operand != OperandKind::Label)) continue;
        const std::uint32_t slot = constant_slot(static_cast<std::uint32_t>(i), image.text[i], image.cpool_shift);
        if (slot >= words || used[slot]) continue;
        used[slot] = true;
        f(static_cast<std::uint32_t>(i), row->operand == OperandKind::Label, slot);
    }
}

bool write_pool_by_use(ImageWriter &out, const Image &image) {
    if (!is_dense_pool(image.cpool.size(), image)) return false;
    out.number(image.cpool.size());
    std::vector<bool> used;
    for_each_first_use(image, image.cpool.size(), used, [&](std::uint32_t index, bool is_target, std::uint32_t slot) {
        out.near(image.cpool[slot] - (is_target ? index : 0));
    });
    // What nobody uses is zero, but in images that were not made by encode().
    std::size_t last = 0;
    for (std::size_t slot = 0; slot < image.cpool.size(); ++slot) {
        if (used[slot] || image.cpool[slot] == 0) continue;
        out.number(slot - last);
        out.number(image.cpool[slot]);
        last = slot;
    }
    return true;
}

void read_pool_by_use(ImageReader &in, Image &image) {
    const std::uint64_t words = in.number();
    if (!in.ok() || !is_dense_pool(words, image)) return in.fail();
    image.cpool.assign(words, 0);
    std::vector<bool> used;
    for_each_first_use(image, words, used, [&](std::uint32_t index, bool is_target, std::uint32_t slot) {
        image.cpool[slot] = in.near() + (is_target ? index : 0);
    });
    std::uint64_t slot = 0;
    while (in.ok() && !in.at_end()) {
        slot += in.number32();
        if (slot >= words) return in.fail();
        image.cpool[slot] = in.number32();
    }
}

// ---- the code map: those that have code ----------------------------------------------------------------------------

constexpr std::size_t most_words_for_entry = 64, words_in_any_map = 65536;
bool is_dense_map(std::uint64_t words, std::uint64_t entries) { return words <= words_in_any_map + most_words_for_entry * entries; }

bool write_map_of_entries(ImageWriter &out, const Image &image) {
    const std::vector<std::size_t> places = entries_of(image.code_map);
    if (!is_dense_map(image.code_map.size(), places.size())) return false;
    out.number(image.code_map.size());
    out.number(places.size());
    std::size_t last = 0;
    std::uint32_t index = 0;
    for (const std::size_t place : places) {
        out.number(place - last);
        out.near(image.code_map[place] - index);
        last = place;
        index = image.code_map[place];
    }
    return true;
}

void read_map_of_entries(ImageReader &in, Image &image) {
    const std::uint64_t words = in.number();
    const std::size_t entries = in.count();
    if (!in.ok() || !is_dense_map(words, entries)) return in.fail();
    image.code_map.assign(words, MOG_NO_CODE);
    std::uint64_t place = 0;
    std::uint32_t index = 0;
    for (std::size_t i = 0; i < entries && in.ok(); ++i) {
        place += in.number32();
        index += in.near();
        if (place >= words) return in.fail();
        image.code_map[place] = index;
    }
}

// ---- where instructions come from ----------------------------------------------------------------------------------

/// How an instruction's origin differs from the one before it: its MIPS address by so much, with so many MIPS instructions done.
struct OriginStep {
    std::uint32_t address, retires;
    bool operator==(const OriginStep &) const = default;
};
/// Of the program with C++'s streams, 58, 31 and 9 of a hundred.
constexpr std::array<OriginStep, 3> frequent_origins{{{0, 0}, {4, 1}, {8, 1}}};

void write_origins(ImageWriter &out, const Image &image) {
    const std::size_t sources = image.source_address.size(), retires = image.retires.size();
    out.number(sources);
    out.number(retires);
    std::vector<std::uint8_t> codes;
    std::vector<OriginStep> others;
    std::uint32_t before = 0;
    for (std::size_t i = 0; i < std::max(sources, retires); ++i) {
        const std::uint32_t address = i < sources ? image.source_address[i] : before;
        const OriginStep step{address - before, i < retires ? image.retires[i] : 0};
        before = address;
        const auto found = std::ranges::find(frequent_origins, step);
        codes.push_back(static_cast<std::uint8_t>(found - frequent_origins.begin()));
        if (found == frequent_origins.end()) others.push_back(step);
    }
    write_kinds(out, codes);
    for (const OriginStep &step : others) {
        out.near(step.address);
        out.number(step.retires);
    }
}

void read_origins(ImageReader &in, Image &image) {
    const std::size_t sources = in.count(4), retires = in.count(4), all = std::max(sources, retires);
    const auto codes = in.raw((all + 3) / 4);
    if (!in.ok()) return;
    image.source_address.resize(all);
    image.retires.resize(all);
    std::uint32_t address = 0;
    for (std::size_t i = 0; i < all; ++i) {
        const unsigned code = codes[i / 4] >> (2 * (i % 4)) & 3u;
        OriginStep step{};
        if (code < frequent_origins.size()) {
            step = frequent_origins[code];
        } else {
            step.address = in.near();
            step.retires = in.number32();
        }
        image.source_address[i] = address += step.address;
        image.retires[i] = step.retires;
    }
    image.source_address.resize(sources);
    image.retires.resize(retires);
}

// ---- names of blocks: most are made of their addresses -------------------------------------------------------------

/// What the translator calls a block that has no symbol; empty if it has no address.
std::string usual_label(const Image &image, std::size_t i) {
    if (i >= image.label_at.size() || image.label_at[i] >= image.source_address.size()) return {};
    return label_of_address(image.source_address[image.label_at[i]]);
}

void write_labels(ImageWriter &out, const Image &image) {
    std::vector<std::size_t> others;
    for (std::size_t i = 0; i < image.labels.size(); ++i)
        if (image.labels[i] != usual_label(image, i)) others.push_back(i);
    out.number(image.labels.size());
    out.number(others.size());
    std::size_t last = 0;
    for (const std::size_t i : others) {
        out.number(i - last);
        out.string(image.labels[i]);
        last = i;
    }
}

void read_labels(ImageReader &in, Image &image) {
    const std::uint64_t all = in.number();
    const std::size_t others = in.count();
    if (!in.ok() || all > image.label_at.size() + others) return in.fail();
    image.labels.resize(all);
    std::uint64_t next = 0;
    std::size_t i = 0;
    const auto usual_up_to = [&](std::uint64_t end) {
        for (; i < end; ++i) image.labels[i] = usual_label(image, i);
    };
    for (std::size_t k = 0; k < others && in.ok(); ++k) {
        next += in.number32();
        if (next >= all) return in.fail();
        usual_up_to(next);
        image.labels[next] = in.string();
        i = next + 1;
    }
    usual_up_to(all);
}

// ---- products ------------------------------------------------------------------------------------------------------

void write_products(ImageWriter &out, const Image &image, ImageForm form) {
    // By name, whatever order products.def has them in.
    std::map<std::string, std::pair<bool, std::span<const std::uint8_t>>> by_name;
    for (const auto &[product, content] : image.products.all()) by_name[name_of(product)] = {is_packed(product.kind), content};
    out.number(by_name.size());
    for (const auto &[name, product] : by_name) {
        const auto &[may_be_packed, content] = product;
        const auto packed = form == ImageForm::small && may_be_packed ? pack(content) : std::nullopt;
        out.string(name);
        out.number(packed ? content.size() : 0);
        out.number(packed ? packed->size() : content.size());
        out.raw(packed ? std::span<const std::uint8_t>(*packed) : content);
    }
}

void read_products(ImageReader &in, Image &image) {
    const std::size_t n = in.count();
    for (std::size_t i = 0; i < n && in.ok(); ++i) {
        const std::string name = in.string();
        const std::uint64_t unpacked = in.number();
        const auto content = in.raw(in.number());
        if (!in.ok()) return;
        const std::optional<Product> product = product_named(name);
        if (!product) return in.refuse(fmt::format("it holds \"{}\", of which this MOG knows nothing: compile the program again", name));
        if (unpacked == 0) {
            image.products.set(*product, {content.begin(), content.end()});
        } else if (auto whole = unpack(content, unpacked)) {
            image.products.set(*product, *std::move(whole));
        } else {
            return in.fail();
        }
    }
}

constexpr ImageSection sections[] = {
    {"head",
     [](ImageWriter &out, const Image &image, ImageForm) {
         for (const std::uint32_t value : {image.cpool_shift, image.entry, image.code_base, image.brk}) out.u32(value);
         out.raw(image.roles);
     },
     [](ImageReader &in, Image &image) {
         for (std::uint32_t *value : {&image.cpool_shift, &image.entry, &image.code_base, &image.brk}) *value = in.u32();
         const auto roles = in.raw(image.roles.size());
         if (in.ok()) std::copy(roles.begin(), roles.end(), image.roles.begin());
     }},
    {"text",
     [](ImageWriter &out, const Image &image, ImageForm) {
         for (const std::uint16_t word : image.text) {
             out.bytes.push_back(static_cast<std::uint8_t>(word));
             out.bytes.push_back(static_cast<std::uint8_t>(word >> 8));
         }
     },
     [](ImageReader &in, Image &image) {
         image.text.resize(in.left() / 2);
         for (std::uint16_t &word : image.text) word = in.u16();
     }},
    {"supers",
     [](ImageWriter &out, const Image &image, ImageForm) {
         for (const Superinstruction &super : image.superinstructions) {
             out.bytes.push_back(static_cast<std::uint8_t>(super.code));
             out.bytes.push_back(static_cast<std::uint8_t>(super.parts.size()));
             for (const Op part : super.parts) out.bytes.push_back(static_cast<std::uint8_t>(part));
         }
     },
     [](ImageReader &in, Image &image) {
         while (in.ok() && !in.at_end()) {
             Superinstruction super{static_cast<Op>(in.u8()), {}};
             for (std::size_t left = in.u8(); left != 0 && in.ok(); --left) super.parts.push_back(static_cast<Op>(in.u8()));
             image.superinstructions.push_back(std::move(super));
         }
     }},
    {"fusedseq", [](ImageWriter &out, const Image &image, ImageForm) { out.raw(image.fused_sequence); },
     [](ImageReader &in, Image &image) { read_bytes(in, image.fused_sequence); }},
    {"fusedsw", [](ImageWriter &out, const Image &image, ImageForm) { out.raw(image.fused_switch); },
     [](ImageReader &in, Image &image) { read_bytes(in, image.fused_switch); }},
    {"cpool", [](ImageWriter &out, const Image &image, ImageForm) { write_words(out, image.cpool); },
     [](ImageReader &in, Image &image) { read_words(in, image.cpool); }, true, write_pool_by_use, read_pool_by_use},
    {"codemap", [](ImageWriter &out, const Image &image, ImageForm) { write_words(out, image.code_map); },
     [](ImageReader &in, Image &image) { read_words(in, image.code_map); }, true, write_map_of_entries, read_map_of_entries},
    {"jumps", [](ImageWriter &out, const Image &image, ImageForm) { write_some_kinds(out, image.jumps, jumps_of(image.text)); },
     [](ImageReader &in, Image &image) {
         image.jumps.assign(image.text.size(), JumpKind::plain);
         read_some_kinds(in, image.jumps, jumps_of(image.text));
     }},
    {"entries", [](ImageWriter &out, const Image &image, ImageForm) { write_some_kinds(out, image.entries, entries_of(image.code_map)); },
     [](ImageReader &in, Image &image) {
         image.entries.assign(image.code_map.size(), Entry::Label);
         read_some_kinds(in, image.entries, entries_of(image.code_map));
     }},
    // As it is in any form: build systems look for strings of theirs in what they have compiled.
    {"data", [](ImageWriter &out, const Image &image, ImageForm) { out.raw(image.data); },
     [](ImageReader &in, Image &image) { read_bytes(in, image.data); }, false},
    {"regs", [](ImageWriter &out, const Image &image, ImageForm) { write_strings(out, image.register_names); },
     [](ImageReader &in, Image &image) { read_strings(in, image.register_names); }},
    {"origins", [](ImageWriter &out, const Image &image, ImageForm) { write_origins(out, image); }, read_origins},
    {"labelat",
     [](ImageWriter &out, const Image &image, ImageForm) {
         std::uint32_t last = 0;
         for (const std::uint32_t at : image.label_at) out.number(at - std::exchange(last, at));
     },
     [](ImageReader &in, Image &image) {
         std::uint32_t at = 0;
         while (in.ok() && !in.at_end()) image.label_at.push_back(at += in.number32());
     }},
    {"labels", [](ImageWriter &out, const Image &image, ImageForm) { write_labels(out, image); }, read_labels},
    {"symbols",
     [](ImageWriter &out, const Image &image, ImageForm) {
         out.number(image.symbols.size());
         std::uint32_t last = 0;
         for (const Symbol &symbol : image.symbols) {
             out.near(symbol.address - std::exchange(last, symbol.address));
             out.number(2 * std::uint64_t{symbol.size} + (symbol.is_code ? 1 : 0));
             out.string(symbol.name);
         }
     },
     [](ImageReader &in, Image &image) {
         image.symbols.resize(in.count());
         std::uint32_t address = 0;
         for (Symbol &symbol : image.symbols) {
             symbol.address = address += in.near();
             const std::uint64_t size = in.number();
             if (size > 2 * std::uint64_t{0xffffffffu} + 1) return in.fail();
             symbol.size = static_cast<std::uint32_t>(size / 2);
             symbol.is_code = size % 2 != 0;
             symbol.name = in.string();
         }
     }},
    {"files", [](ImageWriter &out, const Image &image, ImageForm) { write_strings(out, image.files); },
     [](ImageReader &in, Image &image) { read_strings(in, image.files); }},
    {"lines",
     [](ImageWriter &out, const Image &image, ImageForm) {
         out.number(image.lines.size());
         Line last;
         for (const Line &line : image.lines) {
             out.near(line.address - last.address);
             out.near(line.file - last.file);
             out.near(line.line - last.line);
             last = line;
         }
     },
     [](ImageReader &in, Image &image) {
         image.lines.resize(in.count());
         Line last;
         for (Line &line : image.lines) {
             line.address = last.address + in.near();
             line.file = last.file + in.near();
             line.line = last.line + in.near();
             last = line;
         }
     }},
    {"frames",
     [](ImageWriter &out, const Image &image, ImageForm) {
         out.number(image.frames.size());
         std::uint32_t last = 0;
         for (const FrameRule &rule : image.frames) {
             out.near(rule.address - std::exchange(last, rule.address));
             out.bytes.push_back(static_cast<std::uint8_t>(rule.base));
             for (const std::int32_t value : {rule.offset, rule.ra, rule.fp}) out.near(static_cast<std::uint32_t>(value));
         }
     },
     [](ImageReader &in, Image &image) {
         image.frames.resize(in.count());
         std::uint32_t address = 0;
         for (FrameRule &rule : image.frames) {
             rule.address = address += in.near();
             rule.base = static_cast<FrameRule::Base>(in.u8());
             for (std::int32_t *value : {&rule.offset, &rule.ra, &rule.fp}) *value = static_cast<std::int32_t>(in.near());
         }
     }},
    {"products", write_products, read_products, false},
};

}  // namespace

std::span<const ImageSection> section_rows() { return sections; }

}  // namespace mog
