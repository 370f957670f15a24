// image_as_c.cpp: an image file as C: an array of words, since bytes would take twice the text.
#include <fmt/format.h>

#include <cstring>

#include "assembler/blocks/block_plan.hpp"
#include "assembler/emit/drop_in.hpp"

namespace mog {
namespace {

/// Numbers separated by commas, in lines of at most 120 columns; in decimal or not, as is shorter.
template <typename T>
void add_numbers(std::string &text, std::span<const T> numbers) {
    std::size_t line = text.size();
    for (const T number : numbers) {
        std::string word = fmt::format("{},", number), hexadecimal = fmt::format("0x{:x},", number);
        if (hexadecimal.size() <= word.size()) word = std::move(hexadecimal);
        if (text.size() - line + word.size() > 120) {
            text += '\n';
            line = text.size();
        }
        text += word;
    }
    text += '\n';
}

}  // namespace

std::string image_as_c(const Image &image, std::span<const std::uint8_t> file, std::string_view stem, std::string_view identifier) {
    std::vector<std::uint32_t> words(file.size() / 4);
    std::memcpy(words.data(), file.data(), 4 * words.size());
    std::string text = fmt::format(
        "/* {0}_image.c: the image of a MOG program (docs/image.md), as little-endian words; {0}.h says what for. {3}{4}. */\n"
        "#include \"{0}.h\"\n\nconst uint32_t {1}_image[{2}] = {{\n",
        stem, identifier, words.size(), generated_mark, MOG_VERSION);
    std::size_t from = 0;
    const auto add = [&](std::size_t to, std::string_view what) {
        text += fmt::format("/* {} */\n", what);
        add_numbers(text, std::span<const std::uint32_t>(words).subspan(from, to - from));
        from = to;
    };
    std::string_view what = "header, table of sections";
    for (const std::string_view section : image_sections()) {
        add(find_section(file, section).offset / 4, what);
        what = section;
    }
    add(words.size(), what);
    text += "};\n";
    if (const std::vector<std::uint32_t> entries = entry_table(image); !entries.empty()) {
        text += fmt::format("\nconst uint32_t {}_entry_of[{}] = {{\n", identifier, entries.size());
        add_numbers(text, std::span<const std::uint32_t>(entries));
        text += "};\n";
    }
    if (const LoadedText fused = text_to_load(image, Shape::sequence, false); fused.superinstructions != 0) {
        text += fmt::format("\nconst uint16_t {}_fused_text[{}] = {{\n", identifier, fused.words.size());
        add_numbers(text, std::span<const std::uint16_t>(fused.words));
        text += "};\n";
    }
    return text;
}

}  // namespace mog
