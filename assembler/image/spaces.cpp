// spaces.cpp: the image's product "spaces", a line for each: name, base, bytes; and what is generated for them.
#include "assembler/image/spaces.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <sstream>

#include "assembler/image/read_only.hpp"
#include "interp_templates/templates.hpp"

namespace mog {
namespace {

Product page_of(const Space &space) { return {ProductKind::space_page, space.name + ".h"}; }
Product lanes_page_of(const Space &space) { return {ProductKind::space_page, space.name + "_lanes.h"}; }

/// A template, or what the image has by this name.
std::string_view page(const Image &image, const Product &product) {
    const std::string_view found = template_text(name_of(product));
    return found.empty() ? image.products.text(product) : found;
}

/// What it takes in the buffer. Constants take whole pages, so that they and what is behind them can be mapped.
std::uint64_t words_of(const Space &space, std::uint32_t bytes) {
    constexpr std::uint64_t page = 1024;
    return space.is_constants() ? (bytes / 4 + page - 1) / page * page : bytes / 4;
}

std::string upper(std::string text) {
    for (char &c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return text;
}

}  // namespace

void add_space(Image &image, const Space &space, const std::string &page, const std::string &lanes_page) {
    image.products.set_text(ProductKind::spaces,
                            fmt::format("{}{} {} {}\n", image.products.text(ProductKind::spaces), space.name, space.base, space.bytes));
    if (!page.empty()) image.products.set_text(page_of(space), page);
    if (!lanes_page.empty()) image.products.set_text(lanes_page_of(space), lanes_page);
}

std::vector<Space> spaces_of(const Image &image) {
    std::vector<Space> spaces;
    std::istringstream lines{std::string(image.products.text(ProductKind::spaces))};
    for (Space space; lines >> space.name >> space.base >> space.bytes;) spaces.push_back(space);
    return spaces;
}

void add_window(Image &image, std::uint32_t bytes) { add_space(image, {"shared", MOG_SHARED_BASE, (bytes + 7) / 8 * 8}, {}, {}); }

void set_constants(Image &image, std::span<const std::uint8_t> bytes) {
    if (bytes.empty()) return;
    Products::Bytes whole(bytes.begin(), bytes.end());
    whole.resize((whole.size() + 7) / 8 * 8);
    add_space(image, {"constants", constants_base, static_cast<std::uint32_t>(whole.size())}, {}, {});
    image.products.set(ProductKind::constants, std::move(whole));
}

std::span<const std::uint8_t> constants_of(const Image &image) { return image.products.bytes(ProductKind::constants); }

ReadOnlyData unwritable_of(const Image &image) {
    const std::span<const std::uint8_t> constants = constants_of(image);
    if (constants.empty()) return read_only_of(image);
    return {constants_base, constants_base + static_cast<std::uint32_t>(constants.size())};
}

std::optional<std::uint32_t> window_bytes(const Image &image) {
    for (const Space &space : spaces_of(image))
        if (space.is_window()) return space.bytes;
    return std::nullopt;
}

bool has_own_spaces(const Image &image) {
    const auto spaces = spaces_of(image);
    return std::ranges::any_of(spaces, [](const Space &space) { return !space.is_window() && !space.is_constants(); });
}

SpaceBuffer space_buffer(const Image &image, std::uint32_t window_bytes) {
    SpaceBuffer buffer;
    const auto spaces = spaces_of(image);
    if (spaces.empty()) return buffer;
    buffer.header.assign(space_header_words, 0);
    buffer.words = space_header_words;
    for (std::size_t i = 0; i < spaces.size(); ++i) {
        const std::uint32_t bytes = spaces[i].is_window() ? window_bytes : spaces[i].bytes;
        buffer.header[i] = bytes;
        if (spaces[i].is_window()) buffer.window_at = buffer.words;
        if (spaces[i].is_constants()) {
            buffer.constants_at = buffer.words;
            buffer.constants = constants_of(image);
            buffer.constants_words = words_of(spaces[i], bytes);
        }
        buffer.words += words_of(spaces[i], bytes);
    }
    return buffer;
}

std::string space_of_access(const Image &image) { return has_spaces(image) ? "MAPPED" : "PRIVATE"; }

std::string space_pages(const Image &image, SpacesFor whom) {
    const auto spaces = spaces_of(image);
    if (spaces.empty()) return {};
    const bool lanes = whom == SpacesFor::lanes;
    std::string text = "/* Spaces besides \"private\", and which of them an address is in. */\n";
    // In the namespace of lanes, u32 is what all of them have.
    if (whom != SpacesFor::any_program)
        text += fmt::format(
            "#undef SPACES_PARAMETER\n#undef SPACES_ARGUMENT\n#undef SPACES_MAYBE_UNUSED\n"
            "#undef MAPPED_ACCESS\n#undef MAPPED_ACCESS_WORD\n"
            "#define SPACES_PARAMETER , DEVICE_BUFFER {}u32 *spaces\n"
            "#define SPACES_ARGUMENT , spaces\n"
            "#define SPACES_MAYBE_UNUSED (void)spaces;\n",
            lanes ? "::" : "");
    std::uint64_t at = space_header_words;
    std::string accesses, words;
    for (std::size_t i = 0; i < spaces.size(); ++i) {
        const Space &space = spaces[i];
        const std::string name = upper(space.name);
        // A window may have any size, so it is the last one.
        const std::string bytes = space.is_window() ? fmt::format("spaces[{}]", i) : fmt::format("{}u", space.bytes);
        text += fmt::format("#define {}_BASE 0x{:08x}u\n", name, space.base);
        if (whom != SpacesFor::any_program) text += fmt::format("#define {0}_BYTES {1}\n#define {0}_AT {2}u\n", name, bytes, at);
        // Where nothing may be stored, stores go nowhere.
        const std::string_view before = space.is_constants() ? "ONLY_LOADS_##kind(" : "", behind = space.is_constants() ? ")" : "";
        accesses += fmt::format("    {1}IN_SPACE({0}, a_) ACCESS_IN({0}, kind, a_, s, action, x, y) else{2} \\\n", name, before, behind);
        words += fmt::format("    {1}IN_SPACE({0}, a_) ACCESS_WORD_IN({0}, kind, a_, action, x, y) else{2} \\\n", name, before, behind);
        at += words_of(space, space.bytes);
    }
    if (lanes) {
        text += "#define MAPPED_ACCESS(kind, a, s, action, x, y) { const auto a_ = (a); \\\n" + accesses +
                "    ACCESS_IN(PRIVATE, kind, a_, s, action, x, y) }\n";
        text += "#define MAPPED_ACCESS_WORD(kind, a, action, x, y) { const auto a_ = (a); \\\n" + words +
                "    ACCESS_WORD_IN(PRIVATE, kind, a_, action, x, y) }\n";
    } else {
        // What is asked in any case comes first, and most accesses are private.
        text +=
            "#define MAPPED_ACCESS(kind, a, s, action, x, y) { u32 a_ = (a); \\\n"
            "    if (BAD(ELEMENT(a_ - PRIVATE_BASE, s), s, PRIVATE_BYTES)) { \\\n" +
            accesses +
            "    MEM_TRAP(kind, a_, s) } else if (FORBIDDEN(kind, a_)) MEM_TRAP(kind, a_, s) else { \\\n"
            "    u32 o_ = a_ - PRIVATE_BASE; MAYBE_UNUSED u32 e_ = ELEMENT(o_, s); action(PRIVATE, x, y) } }\n";
        text +=
            "#define MAPPED_ACCESS_WORD(kind, a, action, x, y) { u32 a_ = (a); \\\n"
            "    if (BAD_WORD(a_ - PRIVATE_BASE, PRIVATE_BYTES)) { \\\n" +
            words +
            "    MEM_TRAP(kind, a_, 0u) } else if (FORBIDDEN_WORD(kind, a_)) MEM_TRAP(kind, a_, 0u) else { \\\n    u32 o_ = a_ - "
            "PRIVATE_BASE; action(PRIVATE, x, y) } }\n";
    }
    for (const Space &space : spaces) text.append("\n").append(page(image, page_of(space)));
    return text;
}

std::string lanes_space_pages(const Image &image) {
    std::string text;
    for (const Space &space : spaces_of(image)) text += page(image, lanes_page_of(space));
    return text;
}

}  // namespace mog
