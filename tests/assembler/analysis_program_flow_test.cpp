// analysis_program_flow_test.cpp: what instructions read and write, programs as graphs, and what is live in them.
#include <doctest/doctest.h>

#include <algorithm>
#include <ostream>

#include "assembler/analysis/program_flow.hpp"
#include "assembler/text/parse.hpp"

using namespace mog;

namespace {

MogProgram program_of(std::string_view text) {
    const auto program = parse(text, "test.mog");
    REQUIRE_MESSAGE(bool(program), (program ? "" : program.error().text()));
    return *program;
}

RegisterSet set_of(std::initializer_list<std::uint32_t> numbers) {
    RegisterSet set;
    for (const std::uint32_t number : numbers) set.set(number);
    return set;
}

std::vector<std::uint32_t> list(std::span<const Graph::Node> nodes) { return {nodes.begin(), nodes.end()}; }

constexpr Roles roles = {10, 11, 12, 13, 14, 15, 16, 17};  // sp ra v0 v1 a0 a1 a2 a3

}  // namespace

TEST_CASE("a system call reads and writes what the ABI says, and $v1 in some cases") {
    const OpInfo &sys = info(Op::sys_);
    CHECK(reads_of(sys, 4, roles) == set_of({10, 11, 12, 14, 15, 16, 17}));
    CHECK(writes_of(sys, 4, roles) == set_of({12, 17}));
    CHECK(may_write(sys, 4, roles) == set_of({12, 13, 17}));
    Roles few;
    few.fill(no_register);
    few[static_cast<std::size_t>(Role::v0)] = 3;
    CHECK(reads_of(sys, 0, few) == set_of({3}));
    CHECK(may_write(sys, 0, few) == set_of({3}));
}

TEST_CASE("operands, pairs and accumulators are in one numbering") {
    CHECK(reads_of(info(Op::addd_), 6, roles) == set_of({6, 7, d_variable}));
    CHECK(writes_of(info(Op::addd_), 6, roles) == set_of({d_variable}));
    CHECK(writes_of(info(Op::srd_), 254, roles) == set_of({254, 255}));
    CHECK(reads_of(info(Op::stw_), 9, roles) == set_of({9, acc_variable}));
    CHECK(reads_of(info(Op::li_), 9, roles).none());
    CHECK(writes_of(info(Op::srsp_), 0, roles) == set_of({0}));
}

TEST_CASE("what isa.def says of instructions as a whole") {
    std::vector<std::string_view> ends, halts, branches, to_addresses;
    for (const OpInfo &row : isa) {
        if (ends_block(row.op)) ends.push_back(row.name);
        if (always_stops(row.op)) halts.push_back(row.name);
        if (is_branch(row.op)) branches.push_back(row.name);
        if (jumps_to_address(row.op)) to_addresses.push_back(row.name);
    }
    using Names = std::vector<std::string_view>;
    CHECK(ends == Names{"ja", "j", "brk", "ill"});
    CHECK(halts == Names{"sys", "brk", "ill", "yield"});
    CHECK(branches == Names{"jf", "jt"});
    CHECK(to_addresses == Names{"j"});
    CHECK(info(Op::lh_).access.shift == 1);
    CHECK(info(Op::std_).access.shift == 3);
    CHECK(info(Op::lwx_).access.address == AddressIn::sum);
    CHECK(info(Op::sb_).access.address == AddressIn::reg);
    CHECK(info(Op::stb_).access.address == AddressIn::acc);
    CHECK(info(Op::lwu_).access.any);
    CHECK_FALSE(info(Op::sys_).access);
    CHECK_FALSE(info(Op::srsp_).access);
}

TEST_CASE("returns and other jumps to code addresses go through nodes of their own") {
    const MogProgram program = program_of(R"(
.marked
main:   ja   leaf .call
back:   .map return
        jt   main
        j
leaf:   .map function
        j .return
place:  .map
        brk  0
)");
    const ProgramFlow flow(program);
    REQUIRE(program.blocks.size() == 5);
    const Graph::Node main = 0, back = 1, more = 2, leaf = 3, place = 4, returns = 5, jumps = 6;
    CHECK(flow.graph.size() == 7);
    CHECK(list(flow.graph.successors(main)) == std::vector{leaf});
    CHECK(list(flow.graph.successors(back)) == std::vector{more, main});
    CHECK(list(flow.graph.successors(more)) == std::vector{jumps});
    CHECK(list(flow.graph.successors(leaf)) == std::vector{returns});
    CHECK(flow.graph.successors(place).empty());
    CHECK(list(flow.graph.successors(returns)) == std::vector{back, place});
    CHECK(list(flow.graph.successors(jumps)) == std::vector{back, leaf, place});
    CHECK(flow.roots == std::vector{main, back, leaf, place});
}

TEST_CASE("what is live over calls, returns and system calls") {
    const MogProgram program = program_of(R"(
.marked
.register sp ra v0 v1 a0 a1 a2 a3 x y z
main:   ja   leaf .call
back:   .map return
        lr   $x
        sys  0
        lr   $v1
        brk  0
leaf:   .map function
        lr   $y
        sr   $x
        lr   $ra
        j .return
other:  .map function
        lr   $z
        brk  0
)");
    const std::vector<RegisterSet> live = live_at_ends(program, ProgramFlow(program));
    const std::uint32_t sp = 0, ra = 1, v0 = 2, v1 = 3, a0 = 4, a1 = 5, a2 = 6, a3 = 7, x = 8, y = 9;
    // A return leads to no beginning of a function; $v1 is read behind the system call, which may have left it as it
    // was.
    CHECK(live[2] == set_of({sp, ra, v0, v1, a0, a1, a2, a3, x}));
    CHECK(live[0] == set_of({sp, ra, v0, v1, a0, a1, a2, a3, y}));
    CHECK(live[1].none());
}
