// parse.cpp: instructions and labels of MOG assembly, and what joins a program together at the end.
#include "assembler/text/parse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "assembler/analysis/derive_calls.hpp"
#include "assembler/text/parser.hpp"
#include "interp_templates/launch_abi.h"
#include "support/text.hpp"

namespace mog {
namespace {

constexpr std::uint32_t default_code_base = 0x00400000;

std::string did_you_mean(std::string_view word, const std::vector<std::string_view> &candidates) {
    const std::string_view nearest = nearest_word(word, candidates);
    return nearest.empty() ? std::string() : fmt::format("; did you mean `{}`?", nearest);
}

std::vector<std::string_view> all_mnemonics() {
    std::vector<std::string_view> names;
    for (const OpInfo &row : isa) names.push_back(row.name);
    return names;
}

/// The name of the register after `name` that a pair made by its use gets: f4 -> f5, x -> x.hi.
std::string partner_of(const std::string &name) {
    const std::size_t digits = name.find_last_not_of("0123456789") + 1;
    unsigned number = 0;
    if (digits < name.size() && std::from_chars(name.data() + digits, name.data() + name.size(), number).ec == std::errc{})
        return name.substr(0, digits) + std::to_string(number + 1);
    return name + ".hi";
}

}  // namespace

// ---- tokens
// -----------------------------------------------------------------------------------------------------------

bool Parser::take_punct(char c) {
    if (peek().kind != Token::Punct || peek().text[0] != c) return false;
    take();
    return true;
}

std::optional<std::string> Parser::take_name(std::string_view what) {
    if (peek().kind == Token::Word || peek().kind == Token::String) return take().text;
    error(peek(), fmt::format("expected {}", what));
    return std::nullopt;
}

std::optional<std::uint64_t> Parser::take_integer(std::string_view what, std::int64_t least, std::uint64_t most) {
    const Token token = peek();
    if (token.kind != Token::Number || token.is_float) {
        error(token, fmt::format("expected {}", what));
        return std::nullopt;
    }
    take();
    const bool negative = token.text.starts_with('-');
    // The bits of a negative number beyond -2^63 are those of a positive one.
    const auto value = static_cast<std::int64_t>(token.bits);
    const bool fits =
        negative ? value <= 0 && value >= least : token.bits <= most && (least <= 0 || token.bits >= static_cast<std::uint64_t>(least));
    if (fits) return token.bits;
    error(token, fmt::format("{} is out of range for {}: {} to {}", token.text, what, least, most));
    return std::nullopt;
}

std::optional<std::uint32_t> Parser::take_word(std::string_view what) {
    if (peek().kind == Token::Number && peek().is_float) return static_cast<std::uint32_t>(take().bits);
    const auto value = take_integer(what, INT32_MIN, UINT32_MAX);
    if (!value) return std::nullopt;
    return static_cast<std::uint32_t>(*value);
}

bool Parser::take_comma() {
    if (take_punct(',')) return true;
    error(peek(), "expected `,`");
    return false;
}

void Parser::expect_end() {
    if (!at_end()) error(peek(), "expected the end of the line");
}

// ---- statements
// -------------------------------------------------------------------------------------------------------

Result<MogProgram> Parser::run() {
    program_.roles.fill(no_register);
    for (const std::string_view line : split_lines(text_)) {
        ++line_;
        tokens_ = lex_line(line, line_, diagnostics_);
        next_ = 0;
        statement();
    }
    if (!diagnostics_.any()) finish();
    if (diagnostics_.any()) return diagnostics_.to_error();
    return std::move(program_);
}

void Parser::statement() {
    const bool is_name = peek().kind == Token::Word || peek().kind == Token::String;
    if (is_name && tokens_[next_ + 1].kind == Token::Punct && tokens_[next_ + 1].text == ":") label();
    if (at_end()) return;
    if (peek().kind != Token::Word) {
        error(peek(), "expected an instruction, a directive or `label:`");
        return;
    }
    if (!peek().text.starts_with('.')) return instruction();
    directive_ = take();
    for (const Directive *row = directives; !row->name.empty(); ++row) {
        if (directive_.text != row->name) continue;
        (this->*row->read)();
        return;
    }
    std::vector<std::string_view> names;
    for (const Directive *row = directives; !row->name.empty(); ++row) names.push_back(row->name);
    error(directive_, fmt::format("no directive is called `{}`{}", directive_.text, did_you_mean(directive_.text, names)));
}

Block &Parser::add_block(std::string name) {
    Block block;
    block.id = static_cast<BlockId>(program_.blocks.size());
    block.label = std::move(name);
    blocks_by_name_.emplace(block.label, block.id);
    return program_.blocks.emplace_back(std::move(block));
}

void Parser::label() {
    const Token name = take();
    take();
    if (blocks_by_name_.contains(name.text) || data_names_.contains(name.text)) {
        error(name, fmt::format("`{}` is defined twice", name.text));
        return;
    }
    if (in_data_) {
        const auto address = static_cast<std::uint32_t>((in_constants_ ? constants_base : MOG_DATA_BASE) + bytes().size());
        data_names_.emplace(name.text, address);
        program_.symbols.push_back({name.text, address, 0, false});
    } else {
        add_block(name.text);
    }
}

/// The block that the next instruction belongs to: after a jump, which ends a block, a new one.
Block &Parser::open_block() {
    if (program_.blocks.empty()) return add_block("start");
    Block &last = program_.blocks.back();
    if (last.code.empty() || !(info(last.code.back().op).writes & Pc)) return last;
    std::string name;
    for (int n = 1; name.empty() || blocks_by_name_.contains(name); ++n) name = fmt::format("{}.{}", last.label, n);
    return add_block(std::move(name));
}

void Parser::instruction() {
    const Token name = take();
    const OpInfo *row = find_op(std::string_view(name.text));
    if (!row) {
        error(name, fmt::format("no instruction is called `{}`{}", name.text, did_you_mean(name.text, all_mnemonics())));
        return;
    }
    if (in_data_) {
        error(name, "an instruction among data; `.text` comes before code");
        return;
    }
    open_block().code.push_back({row->op, 0, address_, 0});
    last_instruction_ = place_of(name);
    if (operand(program_.blocks.back().code.back(), *row)) read_marks();
}

/// `.call`, `.return`, `.retire`, `.retire 2`: what may follow an instruction.
void Parser::read_marks() {
    if (peek().kind == Token::Word && peek().text == ".call") mark_jump(JumpKind::call);
    else if (peek().kind == Token::Word && peek().text == ".return") mark_jump(JumpKind::returns);
    if (peek().kind == Token::Word && peek().text == ".retire") {
        take();
        const auto count = at_end() ? std::optional<std::uint64_t>(1) : take_integer("a count", 0, UINT32_MAX);
        if (count) program_.blocks.back().code.back().retires = static_cast<std::uint32_t>(*count);
    }
    expect_end();
}

void Parser::mark_jump(JumpKind kind) {
    const Token mark = take();
    Instruction &jump = program_.blocks.back().code.back();
    const bool jumps = (info(jump.op).writes & Pc) != 0 && !is_branch(jump.op);
    if (kind == JumpKind::call && !jumps) error(mark, "`.call` belongs behind `ja` or `j`");
    if (kind == JumpKind::returns && !jumps_to_address(jump.op)) error(mark, "`.return` belongs behind `j`");
    jump.jump = kind;
}

bool Parser::operand(Instruction &instruction, const OpInfo &row) {
    const std::size_t block = program_.blocks.size() - 1;
    const std::size_t index = program_.blocks.back().code.size() - 1;
    const Token token = peek();
    const auto name_use = [&](std::string name) { return NameUse{block, index, std::move(name), 0, place_of(token)}; };
    std::optional<std::uint32_t> value;
    switch (row.operand) {
        case OperandKind::None: return true;
        case OperandKind::Reg:
        case OperandKind::Pair: value = take_register(row.operand == OperandKind::Pair); break;
        case OperandKind::Byte:
            if (const auto number = take_integer(fmt::format("the number of `{}`", row.name), 0, 255))
                value = static_cast<std::uint32_t>(*number);
            break;
        case OperandKind::Label:
            if (auto name = take_name(fmt::format("the label that `{}` jumps to", row.name))) {
                label_uses_.push_back(name_use(std::move(*name)));
                value = 0;  // until all labels are known
            }
            break;
        case OperandKind::Const:
            if (token.kind == Token::Word || token.kind == Token::String) {
                NameUse use = name_use(take().text);
                value = 0;  // until all names are known
                if (take_punct('+')) value = take_word("a number");
                use.plus = value.value_or(0);
                constant_uses_.push_back(std::move(use));
            } else {
                value = take_word(fmt::format("the constant of `{}`: a number or a name", row.name));
            }
    }
    instruction.operand = value.value_or(0);
    return value.has_value();
}

std::uint32_t Parser::add_register(std::string name) {
    program_.register_names.push_back(std::move(name));
    return static_cast<std::uint32_t>(program_.register_names.size() - 1);
}

/// $name or $number. A program that declares no registers gets those it names.
std::optional<std::uint32_t> Parser::take_register(bool is_pair) {
    const Token token = peek();
    if (token.kind != Token::Register) {
        error(token, "expected a register, such as `$sp`");
        return std::nullopt;
    }
    take();
    auto &names = program_.register_names;
    const auto found = std::find(names.begin(), names.end(), token.text);
    std::optional<std::uint32_t> number;
    if (found != names.end()) {
        number = static_cast<std::uint32_t>(found - names.begin());
    } else if (unsigned value = 0; token.text.find_first_not_of("0123456789") == std::string::npos) {
        const auto [end, code] = std::from_chars(token.text.data(), token.text.data() + token.text.size(), value);
        if (code == std::errc{} && end == token.text.data() + token.text.size() && value < names.size()) number = value;
    } else if (!registers_declared_) {
        number = add_register(token.text);
        const std::string partner = partner_of(token.text);
        if (is_pair && std::find(names.begin(), names.end(), partner) == names.end()) add_register(partner);
    }
    if (!number) {
        const std::vector<std::string_view> known(names.begin(), names.end());
        error(token, fmt::format("the program has no register `${}`{}", token.text, did_you_mean(token.text, known)));
    } else if (is_pair && *number + 1 >= names.size()) {
        error(token, fmt::format("`${}` is no pair: it is the last register", token.text));
        return std::nullopt;
    }
    return number;
}

// ---- the end
// ----------------------------------------------------------------------------------------------------------

void Parser::finish() {
    if (program_.blocks.empty()) {
        diagnostics_.error(std::max<std::size_t>(line_, 1), 1, "the program has no instructions");
        return;
    }
    const Block &last = program_.blocks.back();
    if (last.code.empty() || !ends_block(last.code.back().op)) {
        error(last_instruction_.line ? last_instruction_ : Place{line_, 1},
              fmt::format("after this, block `{}` goes on to nowhere; end it with ja, j, brk or ill", last.label));
    } else if (last.code.back().jump == JumpKind::call) {
        error(last_instruction_, "a call at the end of the code comes back to nowhere");
    }
    place_code();
    resolve_labels();
    resolve_constants();
    set_roles();
    if (!marked_) derive_calls(program_);
    for (const auto &[block, kind] : entries_) program_.blocks[block].entry = kind;
    if (entry_) {
        const auto block = blocks_by_name_.find(entry_->first);
        if (block == blocks_by_name_.end()) {
            error(entry_->second, fmt::format("no block is called `{}`", entry_->first));
        } else {
            program_.entry = block->second;
        }
    }
    std::stable_sort(program_.symbols.begin(), program_.symbols.end(),
                     [](const Symbol &a, const Symbol &b) { return a.address < b.address; });
    std::stable_sort(program_.lines.begin(), program_.lines.end(), [](const Line &a, const Line &b) { return a.address < b.address; });
    std::stable_sort(program_.frames.begin(), program_.frames.end(),
                     [](const FrameRule &a, const FrameRule &b) { return a.address < b.address; });
}

void Parser::resolve_labels() {
    std::vector<std::string_view> names;
    for (const auto &[name, id] : blocks_by_name_) names.push_back(name);
    for (const NameUse &use : label_uses_) {
        const auto block = blocks_by_name_.find(use.name);
        if (block == blocks_by_name_.end())
            error(use.place, fmt::format("no block is called `{}`{}", use.name, did_you_mean(use.name, names)));
        else program_.blocks[use.block].code[use.instruction].operand = block->second;
    }
}

/// A name as a constant: the address of data, or the code address of a block that has one.
void Parser::resolve_constants() {
    for (const NameUse &use : constant_uses_) {
        std::uint32_t &operand = program_.blocks[use.block].code[use.instruction].operand;
        const auto data = data_names_.find(use.name);
        const auto block = blocks_by_name_.find(use.name);
        const auto symbol =
            std::find_if(program_.symbols.begin(), program_.symbols.end(), [&](const Symbol &s) { return s.name == use.name; });
        if (data != data_names_.end()) {
            operand = data->second + use.plus;
        } else if (block != blocks_by_name_.end() && program_.blocks[block->second].code_address) {
            operand = *program_.blocks[block->second].code_address + use.plus;
        } else if (symbol != program_.symbols.end()) {
            operand = symbol->address + use.plus;
        } else if (block != blocks_by_name_.end()) {
            error(use.place, fmt::format("block `{}` has no code address; write `.map` after its label", use.name));
        } else {
            error(use.place, fmt::format("nothing is called `{}`", use.name));
        }
    }
}

void Parser::set_roles() {
    const auto &names = program_.register_names;
    for (std::size_t i = 0; i < role_count; ++i) {
        const Role role = static_cast<Role>(i);
        if (const auto given = roles_.find(role); given != roles_.end()) {
            if (given->second) program_.roles[i] = static_cast<std::uint8_t>(*given->second);
            continue;
        }
        const auto named = std::find(names.begin(), names.end(), role_name(role));
        if (named != names.end()) program_.roles[i] = static_cast<std::uint8_t>(named - names.begin());
    }
    if (names.size() > 256) diagnostics_.error(line_, 1, fmt::format("the program uses {} registers; the machine has 256", names.size()));
}

/// Code addresses for `.map` without one, and the range of all of them unless `.code` gave it.
void Parser::place_code() {
    if (!code_given_) program_.code_base = default_code_base;
    std::set<std::uint32_t> taken;
    for (const Block &block : program_.blocks)
        if (block.code_address) taken.insert(*block.code_address);
    std::uint32_t free = program_.code_base;
    for (const auto &[index, place] : mapped_) {
        while (taken.contains(free)) free += 4;
        program_.blocks[index].code_address = free;
        taken.insert(free);
    }
    if (code_given_ || taken.empty()) return;
    program_.code_base = std::min(program_.code_base, *taken.begin());
    program_.code_bytes = *taken.rbegin() + 4 - program_.code_base;
}

Result<MogProgram> parse(std::string_view text, std::string_view file_name) { return Parser(text, file_name).run(); }

}  // namespace mog
