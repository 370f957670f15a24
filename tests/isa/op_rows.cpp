// op_rows.cpp: reads ops.txt.
#include "tests/isa/op_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <string_view>

#include "interp_templates/launch_abi.h"
#include "support/files/files.hpp"
#include "support/text.hpp"

namespace mog::test {
namespace {

constexpr std::string_view registers[register_count] = {"sp", "ra", "v0", "v1", "a0", "a1", "a2", "a3", "x", "y", "p", "q"};

std::optional<std::uint32_t> stop_code(std::string_view name) {
#define STOP_ROW(stop, code, signal, sentence) \
    if (name == #stop) return code;
    MOG_STOPS(STOP_ROW)
#undef STOP_ROW
    return std::nullopt;
}

/// 12, -12, 0x1f, 1.5f (32 bits of a float), 1.5 (64 bits of a double)
std::optional<std::uint64_t> read_value(std::string_view text) {
    const bool negative = text.starts_with('-');
    if (negative) text.remove_prefix(1);
    if (text.starts_with("0x") || text.find_first_of(".ef") == std::string_view::npos) {
        const bool is_hex = text.starts_with("0x");
        if (is_hex) text.remove_prefix(2);
        std::uint64_t value = 0;
        const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value, is_hex ? 16 : 10);
        if (code != std::errc{} || end != text.data() + text.size()) return std::nullopt;
        return negative ? 0 - value : value;
    }
    const bool is_float = text.ends_with('f');
    if (is_float) text.remove_suffix(1);
    float single = 0;
    double real = 0;
    const auto [end, code] = is_float ? std::from_chars(text.data(), text.data() + text.size(), single)
                                      : std::from_chars(text.data(), text.data() + text.size(), real);
    if (code != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return is_float ? std::uint64_t{std::bit_cast<std::uint32_t>(negative ? -single : single)}
                    : std::bit_cast<std::uint64_t>(negative ? -real : real);
}

/// One `name=value`; false if it means nothing.
bool read_assignment(std::string_view text, State &state) {
    const auto equals = text.find('=');
    if (equals == std::string_view::npos) return false;
    const std::string_view name = text.substr(0, equals), written = text.substr(equals + 1);
    if (name == "pc") return state.at_target = written == "target";
    if (name == "stop") return (state.stop = stop_code(written)).has_value();
    const auto value = read_value(written);
    if (!value) return false;
    const auto word = static_cast<std::uint32_t>(*value);
    if (name == "acc") return state.acc = word, true;
    if (name == "d") return state.d = *value, true;
    if (name == "fcsr") return state.fcsr = word, true;
    if (name == "info") return state.info = word, true;
    if (name.starts_with('@')) {
        const auto address = read_value(name.substr(1));
        if (!address || *address % 4 != 0) return false;
        state.memory[static_cast<std::uint32_t>(*address)] = word;
        return true;
    }
    const auto found = std::find(std::begin(registers), std::end(registers), name);
    if (found == std::end(registers)) return false;
    const auto number = static_cast<std::uint32_t>(found - registers);
    state.registers[number] = word;
    if (name == "p") state.registers[number + 1] = static_cast<std::uint32_t>(*value >> 32);
    return true;
}

bool read_state(std::string_view text, State &state) {
    while (!(text = trim(text)).empty()) {
        const auto end = text.find(' ');
        if (!read_assignment(text.substr(0, end), state)) return false;
        text.remove_prefix(end == std::string_view::npos ? text.size() : end);
    }
    return true;
}

}  // namespace

Result<std::vector<OpRow>> read_op_rows(const std::string &path) {
    auto content = read_text_file(path);
    if (!content) return content.error();
    std::vector<OpRow> rows;
    std::size_t number = 0;
    for (const std::string_view line : split_lines(*content)) {
        ++number;
        if (trim(line).empty() || line.starts_with('#')) continue;
        std::vector<std::string_view> cells;
        std::string_view rest = line;
        for (std::size_t bar; (bar = rest.find('|')) != std::string_view::npos; rest.remove_prefix(bar + 1))
            cells.push_back(trim(rest.substr(0, bar)));
        cells.push_back(trim(rest));
        OpRow row;
        row.line = number;
        const std::string where = fmt::format("{}:{}", path, number);
        if (cells.size() != 4) return Error{"expected text | word | before | after", where};
        row.text = cells[0];
        row.word = cells[1];
        if (!read_state(cells[2], row.before)) return Error{fmt::format("cannot read `{}`", cells[2]), where};
        if (!read_state(cells[3], row.after)) return Error{fmt::format("cannot read `{}`", cells[3]), where};
        rows.push_back(std::move(row));
    }
    return rows;
}

std::string make_program(const std::vector<OpRow> &rows) {
    std::string text = ".register";
    for (const std::string_view name : registers) text += fmt::format(" {}", name);
    text += "\n.brk 0x10000100\n";
    for (const OpRow &row : rows) text += fmt::format("row{}: {}\n        brk 200\n", row.line, row.text);
    text += fmt::format("target: .map 0x{:08x}\n        brk 201\n", target_address);
    return text + ".code 0x00400000, 1024\n";
}

std::optional<std::uint32_t> find_label(const Image &image, std::string_view label) {
    const auto found = std::find(image.labels.begin(), image.labels.end(), label);
    if (found == image.labels.end()) return std::nullopt;
    return image.label_at[static_cast<std::size_t>(found - image.labels.begin())];
}

}  // namespace mog::test
