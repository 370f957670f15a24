// rows_test.cpp: every instruction of isa.def has a line in ops.txt, is encoded as it says, and prints as the same
// text.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cctype>
#include <set>

#include "assembler/image/encode.hpp"
#include "assembler/text/manual.hpp"
#include "assembler/text/parse.hpp"
#include "assembler/text/print.hpp"
#include "support/files/files.hpp"
#include "tests/isa/op_rows.hpp"

using namespace mog;

TEST_CASE("every instruction has a line in ops.txt, and every one that can stop its PE a line where it does") {
    const auto rows = test::read_op_rows(MOG_OPS_TXT);
    REQUIRE_MESSAGE(bool(rows), (rows ? "" : rows.error().text()));
    std::set<std::string, std::less<>> tested, stopping;
    for (const auto &row : *rows) {
        const std::string name = row.text.substr(0, row.text.find(' '));
        tested.insert(name);
        // What the FPU traps may stop at any of its operations.
        const OpInfo *op = find_op(std::string_view(name));
        if (row.after.stop && !(op && op->writes & Fpu)) stopping.insert(name);
    }
    for (const OpInfo &row : isa) {
        CHECK_MESSAGE(tested.contains(row.name), "tests/isa/ops.txt has no line for `", std::string(row.name), "`");
        CHECK_MESSAGE(stopping.contains(row.name) == ((row.writes & Stop) != 0), "`", std::string(row.name),
                      "`: its writes and the lines of ops.txt disagree about Stop");
    }
}

TEST_CASE("lines are encoded as ops.txt says, and come back as the same text") {
    const auto rows = test::read_op_rows(MOG_OPS_TXT);
    REQUIRE(bool(rows));
    const auto program = parse(test::make_program(*rows), "ops.mog");
    REQUIRE_MESSAGE(bool(program), (program ? "" : program.error().text()));
    const auto image = encode(*program);
    REQUIRE_MESSAGE(bool(image), (image ? "" : image.error().text()));
    const MogProgram back = disassemble(*image);
    for (const auto &row : *rows) {
        CAPTURE(row.text);
        const std::uint32_t at = *test::find_label(*image, fmt::format("row{}", row.line));
        const std::string word = fmt::format("{:04x}", image->text[at]);
        for (std::size_t i = 0; i < 4; ++i)
            if (row.word[i] != '.') CHECK(word[i] == row.word[i]);
        for (const Block &block : back.blocks) {
            if (block.label != fmt::format("row{}", row.line)) continue;
            const auto again = parse(test::make_program({row}), "again.mog");
            REQUIRE(bool(again));
            const Instruction &first = again->blocks[0].code[0];
            CHECK(block.code[0].op == first.op);
            if (info(first.op).operand != OperandKind::Label) CHECK(block.code[0].operand == first.operand);
        }
    }
}

TEST_CASE("docs/isa.md is what mogas --manual prints") {
    const auto manual = read_text_file(MOG_ISA_MD);
    REQUIRE(bool(manual));
    CHECK_MESSAGE(*manual == isa_manual(), "run: mogas --manual -o docs/isa.md");
}

TEST_CASE("a body has the operand words that its columns call for, and no others") {
    std::set<std::string, std::less<>> all;
    for (int word = 0; word <= static_cast<int>(OperandWord::WAY); ++word) all.emplace(name_of(static_cast<OperandWord>(word)));
    for (const OpInfo &row : isa) {
        CAPTURE(row.name);
        std::set<std::string, std::less<>> called, found;
        for (const OperandWord word : operand_words(row)) called.emplace(name_of(word));
        std::string word;
        for (const char c : row.body) {
            if (std::isalnum(static_cast<unsigned char>(c)) || c == '_') {
                word += c;
                continue;
            }
            if (all.contains(word)) found.insert(word);
            // What an instruction has at hand only in an interpreter.
            CHECK(word != "OPND");
            CHECK(word != "REG");
            word.clear();
        }
        CHECK(found == called);
    }
}

TEST_CASE("instructions are found by code and by name") {
    for (const OpInfo &row : isa) {
        CHECK(find_op(static_cast<std::uint8_t>(row.op)) == &row);
        CHECK(find_op(row.name) == &row);
        CHECK(&info(row.op) == &row);
        CHECK(row.body.front() == '{');
        CHECK(row.body.back() == '}');
        CHECK(row.manual.find("*/") == std::string_view::npos);
    }
    CHECK(find_op(std::uint8_t{0xff}) == nullptr);
    CHECK(find_op(std::string_view("nop")) == nullptr);
}
