// parse_directives.cpp: the directives of MOG assembly.
#include <fmt/format.h>

#include <algorithm>

#include "assembler/text/parser.hpp"
#include "interp_templates/launch_abi.h"

namespace mog {
namespace {

/// DATA that a text may ask for; more is a mistake, not a program.
constexpr std::uint64_t most_data = 1u << 28;

}  // namespace

const Parser::Directive Parser::directives[] = {
    {".align", &Parser::directive_align},
    {".ascii", &Parser::directive_ascii},
    {".asciz", &Parser::directive_asciz},
    {".at", &Parser::directive_at},
    {".brk", &Parser::directive_brk},
    {".shared", &Parser::directive_shared},
    {".byte", &Parser::directive_byte},
    {".code", &Parser::directive_code},
    {".constants", &Parser::directive_constants},
    {".data", &Parser::directive_data},
    {".double", &Parser::directive_double},
    {".entry", &Parser::directive_entry},
    {".file", &Parser::directive_file},
    {".frame", &Parser::directive_frame},
    {".half", &Parser::directive_half},
    {".line", &Parser::directive_line},
    {".map", &Parser::directive_map},
    {".marked", &Parser::directive_marked},
    {".register", &Parser::directive_register},
    {".readonly", &Parser::directive_readonly},
    {".role", &Parser::directive_role},
    {".space", &Parser::directive_space},
    {".symbol", &Parser::directive_symbol},
    {".text", &Parser::directive_text},
    {".word", &Parser::directive_word},
    {"", nullptr},
};

// ---- the program as a whole
// -------------------------------------------------------------------------------------------

/// .register sp ra v0: names of the registers, in the order of their numbers
void Parser::directive_register() {
    if (!registers_declared_ && !program_.register_names.empty()) error(directive_, "`.register` comes before the first use of a register");
    registers_declared_ = true;
    while (!at_end()) {
        auto name = take_name("the name of a register");
        if (!name) return;
        add_register(std::move(*name));
    }
}

/// .role v0 $x, .role v1 none
void Parser::directive_role() {
    const Token word = peek();
    const auto name = take_name("a role: sp, ra, v0, v1 or a0 to a3");
    if (!name) return;
    for (std::size_t i = 0; i < role_count; ++i) {
        if (*name != role_name(static_cast<Role>(i))) continue;
        std::optional<std::uint32_t> number;
        if (peek().kind == Token::Word && peek().text == "none") {
            take();
        } else {
            number = take_register(false);
        }
        roles_[static_cast<Role>(i)] = number;
        expect_end();
        return;
    }
    error(word, fmt::format("`{}` is no role; there are sp, ra, v0, v1, a0, a1, a2, a3", *name));
}

/// .code 0x00400000, 1234: first code address and size in bytes
void Parser::directive_code() {
    const auto base = take_word("the first code address");
    if (!base || !take_comma()) return;
    const auto size = take_integer("the size of the code in bytes", 0, most_data);
    if (!size) return;
    program_.code_base = *base;
    program_.code_bytes = static_cast<std::uint32_t>(*size);
    code_given_ = true;
    expect_end();
}

void Parser::directive_brk() {
    if (const auto address = take_word("the first address above the program's data")) program_.brk = *address;
    expect_end();
}

/// .readonly 0x10000020, 0x10000400: the first address of the program's data that it may not write, and the first behind them
void Parser::directive_readonly() {
    const auto begin = take_word("the first address of what is read only");
    if (!begin || !take_comma()) return;
    const auto end = take_word("the first address behind what is read only");
    if (!end) return;
    program_.read_only = {*begin, *end};
    expect_end();
}

/// .shared BYTES: of variables that all PEs share
void Parser::directive_shared() {
    if (const auto bytes = take_word("the size of what PEs share")) program_.window_bytes = *bytes;
    expect_end();
}

void Parser::directive_entry() {
    const Token token = peek();
    if (auto name = take_name("the label where execution starts")) entry_ = {std::move(*name), place_of(token)};
    expect_end();
}

// ---- what is known about the source
// -----------------------------------------------------------------------------------

/// .at 0x00400120: the MIPS address of the instructions that follow
void Parser::directive_at() {
    if (const auto address = take_word("a MIPS address")) address_ = *address;
    expect_end();
}

/// .marked: `.call`, `.return` and the kinds of `.map` are written wherever they belong
void Parser::directive_marked() {
    marked_ = true;
    expect_end();
}

/// function, return, label: how control comes to a block
std::optional<Entry> Parser::take_entry() {
    const Token kind = take();
    if (kind.text == "return") return Entry::Return;
    if (kind.text == "function") return Entry::Function;
    if (kind.text == "label") return Entry::Label;
    error(kind, "expected `function`, `return` or `label`");
    return std::nullopt;
}

/// .map, .map 0x00400120, .map 0x00400120, function: `j` may come to this block, which this code address means
void Parser::directive_map() {
    if (program_.blocks.empty() || in_data_ || !program_.blocks.back().code.empty()) {
        error(directive_, "`.map` belongs right after the label of a block");
        return;
    }
    const std::size_t block = program_.blocks.size() - 1;
    const Token token = peek();
    const bool has_address = token.kind != Token::Word && !at_end();
    if (has_address) {
        const auto address = take_word("a code address");
        if (!address) return;
        if (*address % 4 != 0) error(token, "a code address is a multiple of 4");
        program_.blocks.back().code_address = *address;
    } else {
        mapped_.emplace_back(block, place_of(directive_));
    }
    if (!at_end()) {
        if (has_address && !take_comma()) return;
        if (const auto kind = take_entry()) entries_.emplace_back(block, *kind);
    }
    expect_end();
}

/// .symbol main, 0x00400120, 64, code
void Parser::directive_symbol() {
    Symbol symbol;
    auto name = take_name("the name of a symbol");
    if (!name || !take_comma()) return;
    symbol.name = std::move(*name);
    const auto address = take_word("an address");
    if (!address || !take_comma()) return;
    symbol.address = *address;
    const auto size = take_word("a size in bytes");
    if (!size || !take_comma()) return;
    symbol.size = *size;
    const Token kind = take();
    if (kind.text != "code" && kind.text != "data") error(kind, "expected `code` or `data`");
    symbol.is_code = kind.text == "code";
    program_.symbols.push_back(std::move(symbol));
    expect_end();
}

void Parser::directive_file() {
    if (auto name = take_name("the name of a source file")) program_.files.push_back(std::move(*name));
    expect_end();
}

/// .line 0x00400120, 0, 12: from this address on, code is of line 12 of the first .file
void Parser::directive_line() {
    Line line;
    const auto address = take_word("an address");
    if (!address || !take_comma()) return;
    const Token token = peek();
    const auto file = take_word("the number of a `.file`");
    if (!file || !take_comma()) return;
    const auto number = take_word("a line");
    if (!number) return;
    line = {*address, *file, *number};
    if (line.line != 0 && line.file >= program_.files.size()) error(token, fmt::format("there is no `.file` number {} above", line.file));
    program_.lines.push_back(line);
    expect_end();
}

/// .frame 0x00400120, sp, 32, -4, -8: from this address on, the caller's $sp is $sp + 32, and its return address and $fp
/// stand 4 and 8 bytes below that; 0: still in their registers. .frame 0x00400120, none: not known
void Parser::directive_frame() {
    FrameRule rule;
    const auto address = take_word("an address");
    if (!address || !take_comma()) return;
    rule.address = *address;
    const Token base = take();
    if (base.text != "sp" && base.text != "fp" && base.text != "none") {
        error(base, "expected `sp`, `fp` or `none`");
        return;
    }
    if (base.text != "none") {
        rule.base = base.text == "sp" ? FrameRule::Base::Sp : FrameRule::Base::Fp;
        for (std::int32_t *value : {&rule.offset, &rule.ra, &rule.fp}) {
            if (!take_comma()) return;
            const auto number = take_word("an offset");
            if (!number) return;
            *value = static_cast<std::int32_t>(*number);
        }
    }
    program_.frames.push_back(rule);
    expect_end();
}

// ---- data
// -------------------------------------------------------------------------------------------------------------

void Parser::directive_text() {
    in_data_ = false;
    expect_end();
}

/// .data: what follows is data, behind the control block; .data 0x10000000: from that address on
void Parser::directive_data() {
    in_data_ = true;
    in_constants_ = false;
    if (at_end()) {
        if (program_.data.empty()) program_.data.resize(4 * MOG_CB_WORDS);
        return;
    }
    const Token token = peek();
    const auto address = take_word("an address in DATA");
    if (!address) return;
    const std::uint64_t offset = std::uint64_t{*address} - MOG_DATA_BASE;
    if (*address < MOG_DATA_BASE || offset < program_.data.size() || offset > most_data)
        error(token, fmt::format("data go from 0x{:08x} up, and those before end at 0x{:08x}", MOG_DATA_BASE,
                                 MOG_DATA_BASE + program_.data.size()));
    else program_.data.resize(offset);
    expect_end();
}

/// .constants: what follows no PE may write, and all have it once, from constants_base on
void Parser::directive_constants() {
    in_data_ = in_constants_ = true;
    expect_end();
}

bool Parser::need_data() {
    if (in_data_) return true;
    error(directive_, "data among instructions; `.data` comes before data");
    return false;
}

void Parser::append(std::uint64_t value, std::size_t size) {
    for (std::size_t i = 0; i < size; ++i) bytes().push_back(static_cast<std::uint8_t>(value >> (8 * i)));
}

/// Numbers of `size` bytes each, separated by commas. Words may also be floats, or names of data above.
void Parser::numbers(std::size_t size, bool as_double) {
    if (!need_data()) return;
    const std::uint64_t most = size >= 8 ? UINT64_MAX : (std::uint64_t{1} << (8 * size)) - 1;
    const std::int64_t least = size >= 8 ? INT64_MIN : -(std::int64_t{1} << (8 * size - 1));
    do {
        const Token token = peek();
        if (token.kind == Token::Number && as_double) {
            append(take().as_double, size);
        } else if (token.kind == Token::Number && token.is_float && size == 4) {
            append(take().bits, size);
        } else if (token.kind == Token::Word && size == 4) {
            const auto known = data_names_.find(take().text);
            if (known == data_names_.end()) error(token, fmt::format("no data above are called `{}`", token.text));
            append(known == data_names_.end() ? 0 : known->second, size);
        } else if (const auto value = take_integer("a number", least, most)) {
            append(*value, size);
        } else {
            return;
        }
    } while (take_punct(','));
    expect_end();
}

void Parser::directive_word() { numbers(4, false); }
void Parser::directive_half() { numbers(2, false); }
void Parser::directive_byte() { numbers(1, false); }
void Parser::directive_double() { numbers(8, true); }

void Parser::strings(bool closed) {
    if (!need_data()) return;
    do {
        if (peek().kind != Token::String) {
            error(peek(), "expected text in quotes");
            return;
        }
        const std::string text = take().text;
        bytes().insert(bytes().end(), text.begin(), text.end());
        if (closed) bytes().push_back(0);
    } while (take_punct(','));
    expect_end();
}

void Parser::directive_ascii() { strings(false); }
void Parser::directive_asciz() { strings(true); }

void Parser::directive_space() {
    if (!need_data()) return;
    const auto size = take_integer("a number of bytes", 0, most_data - std::min<std::uint64_t>(most_data, bytes().size()));
    if (size) bytes().resize(bytes().size() + *size);
    expect_end();
}

/// .align 8: zeros up to a multiple of 8 bytes
void Parser::directive_align() {
    if (!need_data()) return;
    const auto size = take_integer("a number of bytes", 1, 65536);
    if (size) bytes().resize((bytes().size() + *size - 1) / *size * *size);
    expect_end();
}

}  // namespace mog
