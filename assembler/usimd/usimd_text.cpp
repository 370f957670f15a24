// usimd_text.cpp: lines into instructions, instructions into blocks.
#include "assembler/usimd/usimd_text.hpp"

#include <fmt/format.h>

#include <charconv>
#include <map>

#include "support/diagnostics.hpp"
#include "support/text.hpp"

namespace mog::usimd {
namespace {

using namespace divergence;

constexpr std::size_t most_cells = 1 << 20, most_block = 1024;

struct Token {
    enum class Kind : std::uint8_t { name, number, sign, end };
    Kind kind = Kind::end;
    std::string_view text;
    std::size_t column = 1;
    std::int64_t number = 0;
};

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) || c == '_'; }
bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }

/// A line of the text before blocks are made: an instruction, or how a block ends.
struct Row {
    bool is_end = false;
    Instruction instruction;
    End end;
    std::vector<std::string_view> targets;  // of the end, by label; empty: the next row
    std::size_t column = 1;
};

class Parser {
public:
    Parser(std::string_view text, std::string_view name) : text_(text), problems_(name, text) {
        program_.kernel.files = {std::string(name)};
    }

    Result<Program> run() {
        const auto lines = split_lines(text_);
        for (line_ = 1; line_ <= lines.size(); ++line_) read_line(lines[line_ - 1]);
        if (!problems_.any() && rows_.empty()) {
            line_ = std::max<std::size_t>(1, lines.size());
            problems_.error(line_, 1, "the program has no instruction");
        }
        if (!problems_.any()) make_blocks();
        if (problems_.any()) return problems_.to_error();
        program_.parameters.resize(program_.kernel.variables.size());
        for (const auto &[variable, value] : initial_) program_.parameters[variable] = value;
        return std::move(program_);
    }

private:
    // --- tokens of the line
    void tokenize(std::string_view line) {
        tokens_.clear();
        next_ = 0;
        for (std::size_t at = 0; at < line.size() && line[at] != '#';) {
            const std::size_t begin = at;
            if (std::isspace(static_cast<unsigned char>(line[at]))) {
                ++at;
                continue;
            }
            Token token{Token::Kind::sign, {}, begin + 1, 0};
            const bool is_negative = line[at] == '-' && at + 1 < line.size() && is_digit(line[at + 1]) &&
                                     (tokens_.empty() || tokens_.back().kind == Token::Kind::sign) && !is_closing();
            if (is_letter(line[at]) || (line[at] == '.' && at + 1 < line.size() && is_letter(line[at + 1]))) {
                for (++at; at < line.size() && (is_letter(line[at]) || is_digit(line[at]) || line[at] == '.');) ++at;
                token.kind = Token::Kind::name;
            } else if (is_digit(line[at]) || is_negative) {
                for (++at; at < line.size() && (is_digit(line[at]) || is_letter(line[at]));) ++at;
                token.kind = Token::Kind::number;
                const auto read = std::from_chars(line.data() + begin, line.data() + at, token.number);
                if (read.ec != std::errc() || read.ptr != line.data() + at)
                    problems_.error(line_, begin + 1, fmt::format("`{}` is no number of 64 bits", line.substr(begin, at - begin)));
            } else {
                const std::string_view two = line.substr(at, 2);
                at += two == "<<" || two == ">>" || two == "==" || two == "!=" || two == "<=" || two == ">=" ? 2 : 1;
            }
            token.text = line.substr(begin, at - begin);
            tokens_.push_back(token);
        }
        end_.column = line.size() + 1;
    }
    bool is_closing() const { return !tokens_.empty() && tokens_.back().text == "]"; }
    const Token &peek(std::size_t ahead = 0) const { return next_ + ahead < tokens_.size() ? tokens_[next_ + ahead] : end_; }
    const Token &take() {
        const Token &token = peek();
        if (next_ < tokens_.size()) ++next_;
        return token;
    }
    bool take_sign(std::string_view sign) {
        if (peek().kind != Token::Kind::sign || peek().text != sign) return false;
        ++next_;
        return true;
    }
    /// A mistake ends the line.
    struct Mistake {
        std::size_t column;
        std::string message;
    };
    [[noreturn]] void fail(const Token &token, std::string message) const { throw Mistake{token.column, std::move(message)}; }
    void want_sign(std::string_view sign) {
        if (!take_sign(sign)) fail(peek(), fmt::format("expected `{}`", sign));
    }
    std::string_view want_name(const char *what) {
        if (peek().kind != Token::Kind::name || peek().text.starts_with(".")) fail(peek(), fmt::format("expected {}", what));
        return take().text;
    }
    std::int64_t want_number(const char *what) {
        if (peek().kind != Token::Kind::number) fail(peek(), fmt::format("expected {}", what));
        return take().number;
    }

    std::size_t want_count() {
        const Token at = peek();
        const std::int64_t count = want_number("a number of cells");
        if (count < 0 || count > static_cast<std::int64_t>(most_cells)) fail(at, fmt::format("there are 0 to {} cells", most_cells));
        return static_cast<std::size_t>(count);
    }

    // --- variables and operands
    Variable variable(std::string_view name) {
        const auto [at, is_new] = variables_.try_emplace(std::string(name), 0);
        if (is_new) at->second = program_.kernel.add_variable(std::string(name), 64);
        return at->second;
    }
    Operand operand() {
        if (peek().kind == Token::Kind::number) return Operand::number(take().number);
        const std::string_view name = want_name("a variable or a number");
        if (const auto special = special_called(name)) specials_[*special] = variable(name);
        return Operand::of(variable(name));
    }
    /// "local [" and "warp [", taken if they are there.
    std::optional<Memory> memory_called() {
        for (const Memory memory : {Memory::own, Memory::warp})
            if (peek(1).text == "[" && peek().text == prefix_of(memory).substr(0, prefix_of(memory).size() - 1)) {
                next_ += 2;
                return memory;
            }
        return std::nullopt;
    }
    /// A variable that may be written.
    std::string_view want_result(const char *what) {
        const Token &at = peek();
        const std::string_view name = want_name(what);
        if (special_called(name)) fail(at, fmt::format("`{}` is a number that the machine gives: nothing is assigned to it", name));
        return name;
    }

    // --- lines
    void read_line(std::string_view line) {
        tokenize(line);
        try {
            while (peek().kind == Token::Kind::name && peek(1).text == ":") {
                const Token &name = take();
                take();
                if (!labels_.try_emplace(std::string(name.text), rows_.size()).second)
                    fail(name, fmt::format("there is a label `{}` already", name.text));
            }
            if (peek().kind == Token::Kind::end) return;
            if (peek().text.starts_with(".") && peek().kind == Token::Kind::name) directive();
            else instruction();
            if (peek().kind != Token::Kind::end) fail(peek(), "expected the end of the line");
        } catch (const Mistake &mistake) {
            problems_.error(line_, mistake.column, mistake.message);
        }
    }

    void directive() {
        const Token word = take();
        if (word.text == ".param") {
            do {
                const Variable of = variable(want_result("a variable"));
                if (take_sign("=")) initial_[of] = want_number("a number");
            } while (take_sign(","));
        } else if (word.text == ".block") {
            std::optional<std::uint32_t> *const sizes[] = {&program_.shape.x, &program_.shape.y, &program_.shape.z};
            for (auto *const size : sizes) *size = 1;
            std::size_t dimension = 0;
            do {
                const Token &at = peek();
                const std::int64_t size = want_number("a number of threads");
                if (size < 1 || size > static_cast<std::int64_t>(most_block))
                    fail(at, fmt::format("a block has 1 to {} threads in a dimension", most_block));
                if (dimension == 3) fail(at, "a block has three dimensions");
                *sizes[dimension++] = static_cast<std::uint32_t>(size);
            } while (take_sign(","));
        } else if (word.text == ".cells") {
            program_.cells.resize(std::max(program_.cells.size(), want_count()));
        } else if (word.text == ".local" || word.text == ".warp") {
            (word.text == ".local" ? program_.lane_cells : program_.warp_cells) = want_count();
        } else if (word.text == ".cell") {
            const Token &at = peek();
            std::int64_t cell = want_number("the number of a cell");
            if (cell < 0) fail(at, "cells have numbers from 0 on");
            want_sign("=");
            do {
                if (cell >= static_cast<std::int64_t>(most_cells)) fail(peek(), fmt::format("there are {} cells at most", most_cells));
                if (program_.cells.size() <= static_cast<std::size_t>(cell)) program_.cells.resize(cell + 1);
                program_.cells[cell++] = want_number("a number");
            } while (take_sign(","));
        } else {
            const std::string_view near = nearest_word(word.text, {".param", ".block", ".cells", ".cell", ".local", ".warp"});
            fail(word,
                 fmt::format("no directive is called `{}`{}", word.text, near.empty() ? "" : fmt::format("; did you mean `{}`?", near)));
        }
    }

    Row &add_row(Operation operation) {
        Row &row = rows_.emplace_back();
        row.instruction.operation = operation;
        row.instruction.place = {0, static_cast<std::uint32_t>(line_)};
        return row;
    }
    Row &add_end(End::Kind kind, std::size_t column) {
        Row &row = rows_.emplace_back();
        row.is_end = true;
        row.end.kind = kind;
        row.end.place = {0, static_cast<std::uint32_t>(line_)};
        row.column = column;
        return row;
    }

    void instruction() {
        const Token first = peek();
        const bool is_assignment = peek(1).text == "=";
        const auto memory = memory_called();
        if (memory || take_sign("[")) {
            const Operand address = operand();
            want_sign("]");
            want_sign("=");
            const Operand value = operand();
            Instruction &store = add_row(Operation::store).instruction;
            store.operands = {address, value};
            store.memory = memory.value_or(Memory::shared);
            return;
        }
        if (!is_assignment && (first.text == "bz" || first.text == "bnz")) {
            take();
            const Operand condition = operand();
            want_sign(",");
            const std::size_t column = peek().column;
            const std::string_view target = want_name("a label");
            Row &row = add_end(End::Kind::branch, column);
            row.end.condition = condition;
            // First where the condition is not 0; no name: the next row.
            row.targets = first.text == "bz" ? std::vector<std::string_view>{{}, target} : std::vector<std::string_view>{target, {}};
        } else if (!is_assignment && first.text == "jump") {
            take();
            const std::size_t column = peek().column;
            const std::string_view target = want_name("a label");
            add_end(End::Kind::jump, column).targets = {target};
        } else if (!is_assignment && first.text == "stop") {
            take();
            add_end(End::Kind::stop, first.column);
        } else if (!is_assignment && first.text == "sync") {
            take();
            add_row(Operation::sync);
        } else {
            assignment();
        }
    }

    void assignment() {
        const Token first = peek();
        const std::string_view name = want_result("an instruction");
        if (!take_sign("=")) {
            const std::string_view near = nearest_word(name, {"bz", "bnz", "jump", "stop", "sync"});
            fail(first,
                 fmt::format("no instruction is called `{}`{}", name, near.empty() ? "" : fmt::format("; did you mean `{}`?", near)));
        }
        Instruction instruction;
        instruction.exact = true;
        const Token word = peek();
        const auto memory = memory_called();
        if (memory || take_sign("[")) {
            instruction.operation = Operation::load;
            instruction.memory = memory.value_or(Memory::shared);
            instruction.operands = {operand()};
            want_sign("]");
        } else if (word.text == "atomic" && peek(1).text == "[") {
            take();
            take();
            instruction.operation = Operation::atomic_add;
            instruction.operands = {operand()};
            want_sign("]");
            want_sign("+");
            instruction.operands.push_back(operand());
        } else if (const auto function = operation_called(word.text); function && peek(1).kind != Token::Kind::sign) {
            take();
            instruction.operation = *function;
            for (std::uint8_t o = 0; o < info(*function).operands; ++o) {
                if (o != 0) want_sign(",");
                instruction.operands.push_back(operand());
            }
        } else {
            expression(instruction);
        }
        // Operands first: on the right the variable still has its old value.
        instruction.result = variable(name);
        Row &row = add_row(instruction.operation);
        instruction.place = row.instruction.place;
        row.instruction = std::move(instruction);
    }

    void expression(Instruction &instruction) {
        const Operand left = operand();
        instruction.operands = {left};
        instruction.operation = left.is_constant() ? Operation::constant : Operation::copy;
        const Token sign = peek();
        if (sign.kind == Token::Kind::end) return;
        take();
        const bool is_turned = sign.text == ">" || sign.text == ">=";
        const auto operation = operation_called(is_turned ? (sign.text == ">" ? "<" : "<=") : sign.text);
        if (!operation || info(*operation).operands != 2 || sign.kind != Token::Kind::sign)
            fail(sign, fmt::format("no operator is called `{}`", sign.text));
        instruction.operation = *operation;
        instruction.operands.push_back(operand());
        if (is_turned) std::swap(instruction.operands[0], instruction.operands[1]);
    }

    static std::optional<Special> special_called(std::string_view name) {
        for (auto special = Special::tid; special != Special::clock; special = static_cast<Special>(static_cast<int>(special) + 1))
            if (name_of(special) == name) return special;
        return std::nullopt;
    }
    static std::optional<Operation> operation_called(std::string_view word) {
        for (auto operation = Operation::constant; operation != Operation::sync;
             operation = static_cast<Operation>(static_cast<int>(operation) + 1))
            if (info(operation).word == word && !word.empty() && info(operation).shape != Shape::narrow &&
                info(operation).shape != Shape::widen)
                return operation;
        return std::nullopt;
    }

    // --- blocks
    void make_blocks() {
        // The first block is empty: a label at the first instruction may be jumped to, and control never comes back to
        // the first block.
        std::vector<bool> begins(rows_.size() + 1);
        begins[0] = true;
        for (const auto &[name, row] : labels_) begins[row] = true;
        for (std::size_t row = 0; row < rows_.size(); ++row)
            if (rows_[row].is_end) begins[row + 1] = true;
        std::vector<BlockIndex> block_at(rows_.size() + 1);
        auto &blocks = program_.kernel.blocks;
        blocks.emplace_back();
        blocks[0].label = "begin";
        blocks[0].end.kind = End::Kind::jump;
        blocks[0].end.targets = {1};
        // There, numbers that the machine gives become variables.
        for (const auto &[special, of] : specials_) {
            Instruction &instruction = blocks[0].code.emplace_back();
            instruction.operation = Operation::special;
            instruction.special = special;
            instruction.result = of;
        }
        for (std::size_t row = 0; row < rows_.size(); ++row) {
            if (begins[row]) {
                blocks.emplace_back();
                blocks.back().end.kind = End::Kind::jump;
            }
            block_at[row] = static_cast<BlockIndex>(blocks.size() - 1);
        }
        for (const auto &[name, row] : labels_)
            if (row < rows_.size() && blocks[block_at[row]].label.empty()) blocks[block_at[row]].label = name;
        for (std::size_t row = 0; row < rows_.size(); ++row) {
            Block &block = blocks[block_at[row]];
            if (block.label.empty()) block.label = fmt::format("line{}", place_of(row).line);
            const bool is_last = row + 1 == rows_.size();
            const BlockIndex next = is_last ? 0 : block_at[row + 1];
            if (!rows_[row].is_end) {
                block.code.push_back(rows_[row].instruction);
                if (is_last)
                    problems_.error(place_of(row).line, 1, "the program runs on behind its last instruction: end it with stop or jump");
                else if (begins[row + 1]) block.end.targets = {next};
                block.end.place = place_of(row);
                continue;
            }
            block.end = rows_[row].end;
            for (const std::string_view target : rows_[row].targets) {
                if (target.empty()) {
                    if (is_last)
                        problems_.error(place_of(row).line, 1, "the program runs on behind its last instruction: end it with stop or jump");
                    block.end.targets.push_back(next);
                    continue;
                }
                const auto label = labels_.find(std::string(target));
                if (label == labels_.end() || label->second == rows_.size()) {
                    std::vector<std::string_view> names;
                    for (const auto &[name, at] : labels_) names.push_back(name);
                    const std::string_view near = nearest_word(target, names);
                    problems_.error(block.end.place.line, rows_[row].column,
                                    label != labels_.end() ? fmt::format("there is no instruction at `{}`", target)
                                                           : fmt::format("no label is called `{}`{}", target,
                                                                         near.empty() ? "" : fmt::format("; did you mean `{}`?", near)));
                    continue;
                }
                block.end.targets.push_back(block_at[label->second]);
            }
        }
    }
    Place place_of(std::size_t row) const { return rows_[row].is_end ? rows_[row].end.place : rows_[row].instruction.place; }

    std::string_view text_;
    Diagnostics problems_;
    std::size_t line_ = 0;
    std::vector<Token> tokens_;
    Token end_;
    std::size_t next_ = 0;
    Program program_;
    std::map<std::string, Variable, std::less<>> variables_;
    std::map<Special, Variable> specials_;
    std::map<std::string, std::size_t, std::less<>> labels_;  // to the row behind them
    std::map<Variable, std::int64_t> initial_;
    std::vector<Row> rows_;
};

}  // namespace

Result<Program> parse(std::string_view text, std::string_view name) { return Parser(text, name).run(); }

}  // namespace mog::usimd
