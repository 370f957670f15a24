// text_test.cpp: MOG assembly: text and program are each other's inverse; what is left out; mistakes.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>

#include "assembler/assemble.hpp"
#include "assembler/image/encode.hpp"
#include "assembler/image/read_only.hpp"
#include "assembler/text/parse.hpp"
#include "assembler/text/print.hpp"
#include "interp_templates/launch_abi.h"
#include "support/files/files.hpp"
#include "tests/assembler/random_program.hpp"

using namespace mog;

TEST_CASE("what is printed is parsed to the same program, and printed the same") {
    Random random(3);
    for (int i = 0; i < 300; ++i) {
        CAPTURE(i);
        const MogProgram program = test::random_program(random, 1 + random.below(30));
        const std::string text = print(program);
        const auto back = parse(text, "random.mog");
        REQUIRE_MESSAGE(bool(back), (back ? "" : back.error().text()));
        CHECK(test::same_blocks(program, *back));
        CHECK(test::same_rest(program, *back));
        CHECK(print(*back) == text);
    }
}

TEST_CASE("a program can be as short as its instructions") {
    const auto program = parse(R"(
loop:   lr   $x         ; a comment
        addi -1         # another
        sr   $x
        jt   loop
        li   message+4
        lr   $f4
        lrd  $f20
        li   1.5f
        li   'A'
        li   back
        brk  0
back:   .map
        brk  1
.data
message: .asciz "hi\n\x41"
        .align 4
        .word 1, -1, 0x12345678, 2.5, message
        .half -2
        .byte 1, 255
        .align 8
        .double 1, 0.5
        .space 3
)",
                               "short.mog");
    REQUIRE_MESSAGE(bool(program), (program ? "" : program.error().text()));
    REQUIRE(program->blocks.size() == 3);
    CHECK(program->blocks[1].label == "loop.1");
    CHECK(program->blocks[0].code[1].operand == 0xffffffff);
    CHECK(program->blocks[0].code[3].operand == 0);
    const auto &code = program->blocks[1].code;
    CHECK(code[0].operand == 0x10000024);
    CHECK(code[3].operand == 0x3fc00000);
    CHECK(code[4].operand == 'A');
    CHECK(code[5].operand == 0x00400000);
    CHECK(program->register_names == std::vector<std::string>{"x", "f4", "f20", "f21"});
    const std::vector<std::uint8_t> expected = {'h',  'i',  '\n', 'A', 0,    0,    0,    0,    1, 0, 0,    0,    255,  255,  255, 255, 0x78,
                                                0x56, 0x34, 0x12, 0,   0,    0x20, 0x40, 0x20, 0, 0, 0x10, 0xfe, 0xff, 1,    255, 0,   0,
                                                0,    0,    0,    0,   0xf0, 0x3f, 0,    0,    0, 0, 0,    0,    0xe0, 0x3f, 0,   0,   0};
    REQUIRE(program->data.size() == 4 * MOG_CB_WORDS + expected.size());
    CHECK(std::vector<std::uint8_t>(program->data.begin() + 4 * MOG_CB_WORDS, program->data.end()) == expected);
    CHECK(bool(encode(*program)));
}

namespace {

MogProgram parsed(std::string_view text) {
    const auto program = parse(text, "test.mog");
    REQUIRE_MESSAGE(bool(program), (program ? "" : program.error().text()));
    return *program;
}

}  // namespace

TEST_CASE("calls, returns and entries of a program that marks them are what it says") {
    const MogProgram program = parsed(R"(
.marked
main:   .map 0x00400000, function
        ja   f .call
back:   .map return
        li   after
        sr   $ra
        ja   f
after:  .map
        lr   $ra
        j
f:      j .return .retire 2
)");
    REQUIRE(program.blocks.size() == 4);
    CHECK(program.blocks[0].entry == Entry::Function);
    CHECK(program.blocks[1].entry == Entry::Return);
    CHECK(program.blocks[1].code_address == 0x00400004);
    CHECK(program.blocks[2].entry == Entry::Label);
    CHECK(program.blocks[0].code.back().jump == JumpKind::call);
    // What looks like one is none, for it would be marked.
    CHECK(program.blocks[1].code.back().jump == JumpKind::plain);
    CHECK(program.blocks[2].code.back().jump == JumpKind::plain);
    CHECK(program.blocks[3].code.back().jump == JumpKind::returns);
    CHECK(program.blocks[3].code.back().retires == 2);
}

TEST_CASE("calls, returns and entries of a program that marks none are derived") {
    const MogProgram program = parsed(R"(
.symbol f, 0x00400010, 8, code
main:   li   back
        sr   $ra
        lr   $x
        ja   f
back:   .map 0x00400000
        li   other
        sr   $ra
        ja   f
next:   li   back
        lr   $ra
        addi 4
        j
other:  .map 0x00400008
        lr   $x
        j
f:      .map 0x00400010
        lr   $ra
        j
far:    li   back
        sr   $ra
        addi 1
        addi 1
        addi 1
        addi 1
        addi 1
        addi 1
        addi 1
        addi 1
        ja   f
last:   .map 0x00400020, function
        li   main2
        sr   $ra
        ja   f
main2:  .map 0x0040002c
        li   back
        sr   $ra
        jt   f
        ja   f
)");
    const auto jump = [&](std::string_view label) {
        for (const Block &block : program.blocks)
            if (block.label == label) return block.code.back().jump;
        FAIL("no such block");
        return JumpKind::plain;
    };
    CHECK(jump("main") == JumpKind::call);
    CHECK(jump("back") == JumpKind::call);   // though it comes back elsewhere than behind it
    CHECK(jump("next") == JumpKind::plain);  // a computed address
    CHECK(jump("other") == JumpKind::plain);
    CHECK(jump("f") == JumpKind::returns);
    CHECK(jump("far") == JumpKind::plain);  // eight instructions between
    CHECK(jump("last") == JumpKind::call);
    CHECK(jump("main2") == JumpKind::plain);    // a branch
    CHECK(jump("main2.1") == JumpKind::plain);  // at the end of the code, in a block that sets nothing
    const auto entry = [&](std::uint32_t address) {
        for (const Block &block : program.blocks)
            if (block.code_address == address) return block.entry;
        FAIL("no such address");
        return Entry::Label;
    };
    CHECK(entry(0x00400000) == Entry::Return);
    CHECK(entry(0x00400008) == Entry::Label);  // the block before it does not call
    CHECK(entry(0x00400010) == Entry::Function);
    CHECK(entry(0x00400020) == Entry::Function);  // as is said there
    CHECK(entry(0x0040002c) == Entry::Return);
}

TEST_CASE("an image keeps calls, returns and entries") {
    Random random(11);
    for (int i = 0; i < 50; ++i) {
        const MogProgram program = test::random_program(random, 20);
        const auto image = encode(program);
        REQUIRE_MESSAGE(bool(image), (image ? "" : image.error().text()));
        const MogProgram back = disassemble(*image);
        CHECK(test::same_blocks(program, back));
        std::size_t at = 0;
        for (const Block &block : program.blocks)
            for (const Instruction &instruction : block.code) CHECK(image->jumps[at++] == instruction.jump);
    }
}

/// tests/assembler/bad_*.test: assembly, a line `=== error`, and what the user is told. MOG_REBASE=1 rewrites the
/// latter.
TEST_CASE("mistakes are told with their places") {
    constexpr std::string_view divider = "=== error\n";
    int files = 0;
    for (const auto &entry : std::filesystem::directory_iterator(MOG_ASSEMBLER_TESTS)) {
        const std::string name = entry.path().filename().string();
        if (!name.starts_with("bad_") || !name.ends_with(".test")) continue;
        CAPTURE(name);
        ++files;
        const auto content = read_text_file(entry.path());
        REQUIRE(bool(content));
        const auto split = content->find(divider);
        REQUIRE(split != std::string::npos);
        const std::string text = content->substr(0, split);
        const auto program = parse(text, name);
        std::string told = program ? "" : program.error().text();
        if (program) {
            const auto image = encode(*program);
            REQUIRE_FALSE(bool(image));
            told = image.error().text();
        }
        told.push_back('\n');
        if (std::getenv("MOG_REBASE")) REQUIRE(bool(write_text_file(entry.path(), fmt::format("{}{}{}", text, divider, told))));
        else CHECK(content->substr(split + divider.size()) == told);
    }
    CHECK(files >= 5);
}

TEST_CASE("no text makes the parser crash") {
    Random random(4);
    for (int i = 0; i < 200; ++i) {
        std::string text = print(test::random_program(random, 1 + random.below(4)));
        for (std::uint32_t n = 1 + random.below(6); n > 0; --n) {
            const std::size_t at = random.below(text.size());
            switch (random.below(3)) {
                case 0: text[at] = static_cast<char>(random.below(256)); break;
                case 1: text.erase(at, 1 + random.below(10)); break;
                default: text.insert(text.begin() + static_cast<std::ptrdiff_t>(at), "$\"'.:,+-0x\n"[random.below(12)]);
            }
            if (text.empty()) text.push_back(' ');
        }
        const auto program = parse(text, "mutant.mog");
        if (program) (void)encode(*program);
        else CHECK(program.error().text().find("mutant.mog:") == 0);
    }
}

TEST_CASE("what is read only is written and read") {
    const std::string_view text =
        ".readonly 0x10000020, 0x10000028\n.data\nconstants: .word 1, 2\nvariables: .word 3, 4\n.text\nmain: brk 0\n";
    const MogProgram program = parsed(text);
    CHECK(program.read_only == ReadOnlyData{0x10000020, 0x10000028});
    const Result<Image> image = encode(program);
    REQUIRE(image);
    CHECK(read_only_of(*image) == program.read_only);
    CHECK(parsed(print(disassemble(*image))).read_only == program.read_only);
    CHECK(parsed("main: brk 0\n").read_only == ReadOnlyData{});
    // The control block, halves of doubles, and what is not there.
    for (const char *wrong : {"0x10000000, 0x10000028", "0x10000020, 0x10000024", "0x10000028, 0x10000028", "0x10000020, 0x20000000"}) {
        MogProgram other = program;
        other.read_only = parsed(fmt::format(".readonly {}\nmain: brk 0\n", wrong)).read_only;
        CHECK(bool(encode(other)) == (other.read_only.begin == other.read_only.end));
    }
}
