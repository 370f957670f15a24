// usimd_test.cpp: texts of the u-SIMD machine, and what it does where its rules end.
#include <doctest/doctest.h>

#include <set>

#include "tests/divergence/programs.hpp"

using namespace mog;
using namespace mog::test;

namespace {

std::string mistakes(std::string_view text) {
    const auto program = usimd::parse(text, "bad.usimd");
    return program ? "none" : program.error().text();
}

/// What is wrong with a program before or while it runs; or the cells that it leaves.
std::string outcome(std::string_view text, usimd::MachineOptions options = {}) {
    const usimd::Program program = program_of(text);
    const auto result = usimd::result_of(program, options);
    return result ? *result : result.error().text();
}

}  // namespace

TEST_CASE("all mistakes of a text are told, each with its place") {
    CHECK(mistakes("") == "bad.usimd:1:1: error: the program has no instruction");
    const std::string text = mistakes(
        "a = b $ c\n"
        "x = 3 +\n"
        "bz x lop\n"
        "jumpp loop\n"
        "[x = 3\n"
        "x: y = 1\n"
        "x: stop now\n"
        "tid = 3\n"
        ".params m\n"
        ".block 2, 0\n"
        ".cells -1\n"
        "x = 99999999999999999999\n"
        "x = min 1\n");
    for (const char *part :
         {"1:7: error: no operator is called `$`", "2:8: error: expected a variable or a number", "3:6: error: expected `,`",
          "4:1: error: no instruction is called `jumpp`; did you mean `jump`?", "5:4: error: expected `]`",
          "7:1: error: there is a label `x` already", "8:1: error: `tid` is a number that the machine gives",
          "9:1: error: no directive is called `.params`; did you mean `.param`?",
          "10:11: error: a block has 1 to 1024 threads in a dimension", "11:8: error: expected a number of cells",
          "12:5: error: `99999999999999999999` is no number of 64 bits", "13:10: error: expected `,`"}) {
        INFO(part);
        INFO(text);
        CHECK(text.find(std::string("bad.usimd:") + part) != text.npos);
    }
    CHECK(mistakes("loop: x = 1\nbz x, lop\nstop\n") ==
          "bad.usimd:2:7: error: no label is called `lop`; did you mean `loop`?\nbz x, lop\n      ^");
    CHECK(mistakes("x = 1\njump end\nend:\n") == "bad.usimd:2:6: error: there is no instruction at `end`\njump end\n     ^");
    CHECK(mistakes("x = 1\n") ==
          "bad.usimd:1:1: error: the program runs on behind its last instruction: end it with stop or jump\nx = 1\n^");
    CHECK(mistakes("x = 1\nbz x, a\na: bz x, a\n").find("3:1: error: the program runs on") != std::string::npos);
}

TEST_CASE("numbers, operators and what the machine gives") {
    CHECK(outcome(".cells 14\n"
                  ".param p = -7\n"
                  "[0] = p\n a = p / 2\n [1] = a\n a = p % 3\n [2] = a\n a = p >> 1\n [3] = a\n a = 5 - -2\n [4] = a\n"
                  "a = min p, 3\n [5] = a\n a = mad p, 2, 1\n [6] = a\n a = select 0, 1, 2\n [7] = a\n a = 3 > 2\n [8] = a\n a = 3 <= 2\n "
                  "[9] = a\n"
                  "a = 6 & 3\n [10] = a\n a = p / 0\n [11] = a\n a = 3 << 70\n [12] = a\n a = atomic [13] + 2\n stop\n",
                  {1, 1, 100}) == "cells: -7 -3 -1 -4 7 -7 -13 2 1 0 2 0 0 2\n");
    // Threads 4 and 5 are those of the second row.
    CHECK(outcome(".block 4, 3\n.cells 12\na = tid.y * 10\na = a + tid.x\nb = lane * 100\na = a + b\n[tid] = a\nstop\n", {1, 8, 1000}) ==
          "cells: 0 101 202 303 410 511 612 713 20 121 222 323\n");
    CHECK(outcome(".cells 3\n[0] = ntid.x\n[1] = ntid.y\n[2] = warp\nstop\n", {6, 4, 100}) == "cells: 6 1 1\n");
    // Each thread of a step gets what the one before left.
    CHECK(outcome(".cells 5\na = atomic [4] + 1\nb = tid\n[b] = a\nstop\n") == "cells: 1 2 3 4 4\n");
}

TEST_CASE("where lanes wait") {
    // Without any sync it is implied; with one for the wrong branch, or none for a branch, the program is refused.
    const std::string both = ".cells 4\np = tid % 2\nbz p, even\na = 1\njump out\neven: a = 2\n";
    CHECK(outcome(both + "out: [tid] = a\nstop\n") == "cells: 2 1 2 1\n");
    CHECK(outcome(both + "out: sync\n[tid] = a\nstop\n") == "cells: 2 1 2 1\n");
    CHECK(outcome(both + "out: a = a + 1\nsync\n[tid] = a\nstop\n") ==
          "test.usimd:3: the ways from this branch meet at `out`, which does not begin with sync");
    CHECK(outcome("p = tid % 2\nbz p, b\nstop\nb: sync\nstop\n") ==
          "test.usimd:2: the ways from this branch never meet again, so its lanes have no sync to wait at: let all of them lead to one");
    CHECK(outcome("a = 1\nb: sync\nstop\n") ==
          "test.usimd:2: no branch has its lanes wait at this sync: one stands first where all ways from a branch have met");
    // Lanes that stop early: the others go on.
    CHECK(outcome(".cells 4\np = tid < 2\nbnz p, gone\n[tid] = 7\ngone: stop\n") == "cells: 0 0 7 7\n");
    CHECK(outcome(".cells 4\np = tid < 2\nbnz p, gone\n[tid] = 7\nstop\ngone: [tid] = 3\nstop\n") == "cells: 3 3 7 7\n");
}

TEST_CASE("a loop that is tested at its end: the printed machine gets stuck in its second round") {
    CHECK(outcome(".cells 4\nn = 0\nloop: n = n + 1\np = n <= tid\nbnz p, loop\nsync\n[tid] = n\nstop\n") == "cells: 1 2 3 4\n");
    // And lanes that leave by a jump while others are done already.
    CHECK(outcome(".cells 4\nn = 0\nloop: n = n + 1\np = n > tid\nbz p, loop\nsync\n[tid] = n\nstop\n") == "cells: 1 2 3 4\n");
}

TEST_CASE("a branch whose ways both go round, and both leave") {
    // Threads with odd numbers take the long way round, which ends outside, too. Each counts three rounds and says with whom it was
    // together.
    const std::string text = outcome(
        ".cells 8\n"
        "n = 0\n"
        "loop: n = n + 1\n"
        "odd = tid % 2\n"
        "bnz odd, long\n"
        "p = n < 3\n"
        "bnz p, loop\n"
        "jump out\n"
        "long: a = tid + 4\n"
        "[a] = n\n"
        "p = n < 3\n"
        "bnz p, loop\n"
        "out: [tid] = n\n"
        "stop\n");
    CHECK(text == "cells: 3 3 3 3 0 3 0 3\n");
}

TEST_CASE("what a program does wrong is told with the line and the thread") {
    CHECK(outcome(".cells 2\nx = [tid]\nstop\n") == "test.usimd:2: thread 2 reads cell 2, but there are 2: .cells says how many");
    CHECK(outcome("[tid] = 1\nstop\n") == "test.usimd:1: thread 0 writes cell 0, but there are 0: .cells says how many");
    CHECK(outcome("x = atomic [-1] + 1\nstop\n") == "test.usimd:1: thread 0 adds to cell -1, but there are 0: .cells says how many");
    CHECK(outcome("x = 9223372036854775807\ny = x + tid\nstop\n") ==
          "test.usimd:2: thread 1: the result of `y = x + tid` does not fit into 64 bits");
    CHECK(outcome("loop: jump loop\n", {4, 4, 1000}) == "test.usimd:1: no end after 1000 steps");
    CHECK(outcome("stop\n", {0, 4, 1000}) == "test.usimd: there is at least one thread, and one lane in a warp");
}

TEST_CASE("a trace: which lanes hold what") {
    const auto text = usimd::trace(program_of(".cells 4\np = tid < 1\nbz p, rest\na = 5\nrest: sync\n[tid] = p\nstop\n"), {3, 2, 100});
    REQUIRE(static_cast<bool>(text));
    CHECK(*text ==
          "warp 0: threads 0 to 1\n"
          "    1    2  p = tid < 1              BP xx 1 0\n"
          "    2    3  bz p, rest               BD xx 1 0\n"
          "    3    4  a = 5                    CT x. 5 .\n"
          "    4    5  sync                     SP xx\n"
          "    5    6  [tid] = p                ST xx 1 0\n"
          "    6    7  stop                     SF xx\n"
          "warp 1: threads 2 to 2\n"
          "    7    2  p = tid < 1              BP x 0\n"
          "    8    3  bz p, rest               BT x 0\n"
          "    9    5  sync                     SP x\n"
          "   10    6  [tid] = p                ST x 0\n"
          "   11    7  stop                     SF x\n"
          "cells: 1 0 0 0\n");
}

TEST_CASE("what the machine does not know is refused, or stood in for: by what it reads, and its lane if it is opaque") {
    usimd::Program program = program_of(".cells 8\nx = tid < 2\ny = x\nz = x\n[tid] = y\nto = tid + 4\n[to] = z\nstop\n");
    std::vector<divergence::Instruction> *code = nullptr;
    for (divergence::Block &block : program.kernel.blocks)
        if (block.code.size() > 2) code = &block.code;
    REQUIRE(code != nullptr);
    const auto stand_for = [&](std::string_view name, divergence::Operation operation) {
        for (divergence::Instruction &instruction : *code)
            if (instruction.result == variable_called(program.kernel, name)) instruction.operation = operation, instruction.word = "what";
    };
    stand_for("y", divergence::Operation::other);
    stand_for("z", divergence::Operation::opaque);
    usimd::MachineOptions options{4, 4, 1000};
    CHECK(!usimd::Machine::make(program, options));
    options.has_stand_ins = true;
    auto machine = usimd::Machine::make(program, options);
    REQUIRE(static_cast<bool>(machine));
    REQUIRE(static_cast<bool>(machine->run({})));
    const std::vector<std::int64_t> &cells = machine->cells();
    CHECK((cells[0] == cells[1] && cells[2] == cells[3] && cells[0] != cells[2]));
    CHECK(std::set(cells.begin() + 4, cells.end()).size() == 4);
}
