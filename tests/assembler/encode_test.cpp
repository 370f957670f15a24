// encode_test.cpp: programs to images and back; constant pools of every size; what cannot be encoded.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>

#include "assembler/image/constants.hpp"
#include "assembler/image/encode.hpp"
#include "interp_templates/launch_abi.h"
#include "tests/assembler/random_program.hpp"

using namespace mog;

namespace {

/// One block, which ends in `brk`; two registers, $sp and $ra.
MogProgram small_program(std::vector<Instruction> code) {
    MogProgram program;
    program.roles.fill(0xff);
    program.register_names = {"sp", "ra"};
    program.roles[0] = 0;
    program.roles[1] = 1;
    code.push_back({Op::brk_});
    program.blocks = {{0, "start", std::nullopt, std::move(code)}};
    return program;
}

std::string error_of(const MogProgram &program) {
    const auto image = encode(program);
    return image ? "" : image.error().text();
}

bool mentions(const std::string &text, std::string_view part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("what is encoded comes back") {
    Random random(1);
    for (int i = 0; i < 300; ++i) {
        CAPTURE(i);
        const MogProgram program = test::random_program(random, 1 + random.below(30));
        const auto image = encode(program);
        REQUIRE_MESSAGE(bool(image), (image ? "" : image.error().text()));
        const MogProgram back = disassemble(*image);
        CHECK(test::same_blocks(program, back));
        CHECK(test::same_rest(program, back));
        const auto again = encode(back);
        REQUIRE(bool(again));
        CHECK(*again == *image);
    }
}

TEST_CASE("constant pools of any size: every constant is found again") {
    Random random(2);
    for (const std::size_t count : {0u, 1u, 2u, 3u, 100u, 4096u, 5000u, 100000u, 200000u}) {
        for (const bool all_different : {false, true}) {
            CAPTURE(count);
            CAPTURE(all_different);
            std::vector<Instruction> code;
            for (std::size_t i = 0; i < count; ++i)
                code.push_back({i % 3 ? Op::li_ : Op::addi_, all_different ? static_cast<std::uint32_t>(random.next()) : random.below(50)});
            const auto image = encode(small_program(code));
            REQUIRE(bool(image));
            for (std::size_t i = 0; i < count; ++i) REQUIRE(constant_at(*image, i) == code[i].operand);
            CHECK(image->cpool.size() == std::size_t{1} << (32 - image->cpool_shift));
            if (all_different && count > 2) CHECK(image->cpool.size() < 4 * count);
        }
    }
}

TEST_CASE("roles without a register get one; DATA gets a control block") {
    const auto image = encode(small_program({}));
    REQUIRE(bool(image));
    CHECK(image->register_names == std::vector<std::string>{"sp", "ra", "v0", "v1", "a0", "a1", "a2", "a3"});
    for (std::size_t i = 0; i < role_count; ++i) CHECK(image->roles[i] == i);
    CHECK(image->data.size() == 4 * MOG_CB_WORDS);
    CHECK(image->brk == MOG_DATA_BASE + 4 * MOG_CB_WORDS);
    CHECK(image->data[4 * MOG_CB_BRK] == 0x20);
    CHECK(image->data[4 * MOG_CB_BRK + 3] == 0x10);
}

TEST_CASE("code addresses lead to their blocks, others nowhere") {
    MogProgram program = small_program({});
    program.code_base = 0x00400000;
    program.code_bytes = 16;
    program.blocks[0].code_address = 0x00400008;
    const auto image = encode(program);
    REQUIRE(bool(image));
    CHECK(image->code_map == std::vector<std::uint32_t>{MOG_NO_CODE, MOG_NO_CODE, 0, MOG_NO_CODE});

    program.blocks[0].code_address = 0x00400010;
    CHECK(mentions(error_of(program), "`start` has code address 0x400010"));
    program.blocks[0].code_address = 0x00400002;
    CHECK(mentions(error_of(program), "is not a word of the code"));
}

TEST_CASE("what cannot be encoded is told with its place") {
    CHECK(mentions(error_of(small_program({{Op::lr_, 8}})), "`lr` uses register 8; the program has 8, in block `start`"));
    CHECK(mentions(error_of(small_program({{Op::lrd_, 7}})), "`lrd` uses register 8"));
    CHECK(mentions(error_of(small_program({{Op::slli_, 256}})), "`slli` takes a number up to 255, not 256"));
    CHECK(mentions(error_of(small_program({{Op::lw_, 1}})), "`lw` takes no operand"));
    CHECK(mentions(error_of(small_program({{static_cast<Op>(0xee)}})), "no instruction has opcode 0xee"));
    CHECK(mentions(error_of(small_program({{Op::j_}, {Op::lw_}})), "`j` jumps, but is not the last instruction"));

    MogProgram program = small_program({{Op::slli_, 300, 0x00400120}});
    program.symbols = {{"main", 0x00400100, 64, true}};
    CHECK(mentions(error_of(program), "in block `start` (address 0x400120, function main)"));

    program = small_program({});
    program.blocks[0].code = {{Op::ja_, 7}};
    CHECK(mentions(error_of(program), "`ja` leads to block 7, which does not exist"));
    program.blocks[0].code = {{Op::lw_}};
    CHECK(mentions(error_of(program), "block `start` is the last one and goes on to nowhere"));
    program.blocks[0].code = {{Op::jt_, 0}};
    CHECK(mentions(error_of(program), "goes on to nowhere"));
    program.blocks.clear();
    CHECK(mentions(error_of(program), "no code"));

    program = small_program({});
    program.entry = 3;
    CHECK(mentions(error_of(program), "the entry, block 3, does not exist"));
    program = small_program({});
    program.blocks.insert(program.blocks.begin(), {1, "start", std::nullopt, {}});
    CHECK(mentions(error_of(program), "two blocks are called `start`"));
    program.blocks[0].label = "other";
    program.blocks[0].id = 0;
    CHECK(mentions(error_of(program), "two blocks have the number 0"));
    program = small_program({});
    program.register_names.resize(257, "r");
    CHECK(mentions(error_of(program), "257 registers"));
}
