// fault_details.cpp: see fault_details.hpp.
#include "runtime_host/faults/fault_details.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

#include "assembler/image/spaces.hpp"
#include "interp_templates/launch_abi.h"
#include "support/owned_fd.hpp"
#include "support/text.hpp"

namespace mog {

namespace {

constexpr std::size_t longest_line = 200;
constexpr std::size_t cells_in_row = 6;

constexpr const char *integer_names[] = {"zero", "at", "v0", "v1", "a0", "a1", "a2", "a3", "t0", "t1", "t2", "t3",
                                         "t4",   "t5", "t6", "t7", "s0", "s1", "s2", "s3", "s4", "s5", "s6", "s7",
                                         "t8",   "t9", "k0", "k1", "gp", "sp", "fp", "ra", "hi", "lo"};

/// Puts cells of a name and eight digits into rows.
class Grid {
public:
    void add(std::string_view name, std::optional<std::uint32_t> value) {
        if (cells_ != 0) text_ += cells_ % cells_in_row == 0 ? "\n" : "  ";
        if (cells_ % cells_in_row == 0) text_ += "  ";
        text_ += fmt::format("{:<4} {:<8}", name, value ? fmt::format("{:08x}", *value) : "-");
        cells_++;
    }
    std::string text() {
        // A row that ends in "-" has blanks behind it.
        std::string out;
        for (const char c : text_ + "\n") {
            if (c == '\n')
                while (!out.empty() && out.back() == ' ') out.pop_back();
            out += c;
        }
        out.pop_back();
        return out;
    }

private:
    std::string text_;
    std::size_t cells_ = 0;
};

}  // namespace

std::string source_line(const SourcePlace &place) {
    if (place.file.empty() || place.line == 0) return {};
    // The program names the file, and another PE may put something else in its place just now: only what was opened counts.
    constexpr off_t largest = 16 << 20;  // of what people write
    OwnedFd file(open(place.file.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    struct stat status {};
    if (!file || fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode) || status.st_size > largest) return {};
    std::string text(static_cast<std::size_t>(status.st_size), 0);
    const ssize_t size = pread(file.get(), text.data(), text.size(), 0);
    if (size <= 0) return {};
    text.resize(static_cast<std::size_t>(size));
    std::istringstream in(std::move(text));
    std::string line;
    for (std::uint32_t number = 0; number < place.line; number++)
        if (!std::getline(in, line)) return {};
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.size() > longest_line) line.resize(longest_line);
    for (char &c : line)
        if (static_cast<unsigned char>(c) < ' ' && c != '\t') c = '?';
    if (line.find_first_not_of(" \t") == std::string::npos) return {};
    return fmt::format("{:5} | {}", place.line, line);
}

std::string name_of_data(const Image &image, std::uint32_t address) {
    auto symbol = std::upper_bound(image.symbols.begin(), image.symbols.end(), address,
                                   [](std::uint32_t a, const Symbol &s) { return a < s.address; });
    while (symbol != image.symbols.begin()) {
        --symbol;
        if (symbol->is_code || address - symbol->address >= symbol->size) {
            if (address - symbol->address >= (1u << 20)) break;
            continue;
        }
        const std::uint32_t offset = address - symbol->address;
        return fmt::format("{}{}", demangled(symbol->name), offset == 0 ? "" : fmt::format("+{}", offset));
    }
    // Literals have no names: text around the address, from behind a zero to the next one.
    constexpr std::size_t most = 40;
    const bool is_data = address >= MOG_DATA_BASE;
    const std::span<const std::uint8_t> all = is_data ? std::span<const std::uint8_t>(image.data) : constants_of(image);
    const auto is_text = [&](std::size_t at) {
        const std::uint8_t c = all[at];
        return c >= ' ' || c == '\n' || c == '\t';
    };
    const std::size_t at = address - (is_data ? MOG_DATA_BASE : constants_base);
    std::size_t begin = at, end = at;
    while (begin > 0 && at - begin < most && is_text(begin - 1)) --begin;
    while (end < all.size() && end - begin < 2 * most && is_text(end)) ++end;
    if (end - begin < 2 || end >= all.size()) return "a constant";
    std::string text;
    for (std::size_t i = begin; i < std::min(end, begin + most); ++i) {
        const char c = static_cast<char>(all[i]);
        text += c == '\n' ? "\\n" : c == '\t' ? "\\t" : c == '"' ? "\\\"" : std::string(1, c);
    }
    return fmt::format("the string \"{}{}\"", text, end - begin > most ? "..." : "");
}

std::string registers_as_text(const Image &image, const RegisterSet &known, StoppedPe &pe) {
    const std::vector<std::uint32_t> &values = pe.registers();
    const auto value_of = [&](std::string_view name) -> std::optional<std::uint32_t> {
        const std::optional<std::uint32_t> number = find_register(image, name);
        if (!number || *number >= values.size() || !known.test(*number)) return std::nullopt;
        return values[*number];
    };
    Grid integers, floats;
    for (const char *name : integer_names)
        integers.add(name, std::string_view(name) == "zero" ? std::optional<std::uint32_t>(0) : value_of(name));
    integers.add("pc", pe.address());
    bool any_float = false;
    for (int i = 0; i < 32; i++) {
        const std::optional<std::uint32_t> value = value_of(fmt::format("f{}", i));
        any_float |= value.has_value();
        floats.add(fmt::format("f{}", i), value);
    }
    return any_float ? integers.text() + "\n" + floats.text() : integers.text();
}

}  // namespace mog
