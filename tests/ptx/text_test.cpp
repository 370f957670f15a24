// text_test.cpp: PTX text read: what is refused, with the place; what is read and printed is the same again; how fast.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <chrono>

#include "translator/ptx/program.hpp"

namespace mog::ptx {
namespace {

const std::string head = ".version 7.0\n.target sm_80\n.address_size 64\n";

/// The error of a text, or of the check behind it.
std::string error_of(const std::string &text) {
    const auto program = parse(text, "t");
    if (!program) return program.error().text();
    const auto verified = verify(*program);
    return verified ? "" : verified.error().text();
}
std::string error_in(const std::string &body) {
    return error_of(
        head +
        ".visible .entry k(.param .u64 p)\n{\n.reg .pred %p<4>; .reg .b16 %h<4>; .reg .b32 %r<4>; .reg .f32 %f<4>; .reg .b64 %rd<4>;\n" +
        body + "\n}\n");
}

}  // namespace

TEST_CASE("what is wrong is said with line and column") {
    CHECK(error_of("") == "t:1:1: this is no PTX: it does not begin with .version");
    CHECK(error_of("\x7f"
                   "ELF") == "t:1:1: a directive is expected here, not a character that nothing begins with");
    CHECK(error_of(".version 99.0\n") == "t:1:10: PTX 99.0 is not known: 1.0 to 9.9 are");
    CHECK(error_of(".version 6.0\n.address_size 32\n") == "t:2:15: addresses have 64 bits here: compile for 64 bits");
    CHECK(error_of(head + ".global .u32 a;\n.global .u32 a;\n") == "t:5:14: a is there already");
    CHECK(error_of(head + ".global .u32 a[2] = {1, 2, 3};\n") == "t:4:14: a has 12 bytes of values in 8 bytes");
    CHECK(error_of(head + ".global .u64 a = b;\n") == "t:4:18: there is no variable or function b");
    CHECK(error_of(head + ".global .u32 a[99999999999999];\n") == "t:4:30: a variable has at most 68719476736 bytes");
    CHECK(error_of(head + ".func f() { ret;") == "t:4:17: a } is missing at the end of the text");
    CHECK(error_of(head + ".entry k\n{\n.reg .b32 %r<99999999>;\n}") == "t:6:11: a function has at most 1048576 registers");
    CHECK(error_in("frobnicate.u32 %r1, %r2;") == "t:7:1: no instruction is called frobnicate");
    CHECK(error_in("subb.u32 %r1, %r2;") == "t:7:1: no instruction is called subb; did you mean sub?");
    CHECK(error_in("  add.b32 %r1, %r2, %r3;").starts_with("t:7:3: add has no form add.b32; there is add.T, add.sat.T, "));
    CHECK(error_in("add.u32 %r1, %r2, %r9;") == "t:7:19: there is no register %r9");
    CHECK(error_in("add.u32 %r1, %r2;") == "t:7:1: add.u32: operand 3 is missing");
    CHECK(error_in("add.u32 %r1, %r2, %r3, %r3;") == "t:7:1: add.u32: it has 4 operands, and takes 3");
    CHECK(error_in("add.u32 %r1, %r2, %rd3;") == "t:7:1: add.u32: operand 3: %rd3 is a .b64, and .u32 is expected");
    CHECK(error_in("add.u32 %r1, %f2, %r3;") == "t:7:1: add.u32: operand 2: %f2 is a .f32, and .u32 is expected");
    CHECK(error_in("add.u32 %p1, %r2, %r3;") == "t:7:1: add.u32: operand 1: %p1 is a .pred, and .u32 is expected");
    CHECK(error_in("add.u32 5, %r2, %r3;") == "t:7:1: add.u32: operand 1: a register is expected");
    CHECK(error_in("ld.global.u32 %r1, %rd1;") == "t:7:1: ld.global.u32: operand 2: an address in brackets is expected");
    CHECK(error_in("ld.global.u32 %r1, [%r1];") == "t:7:1: ld.global.u32: operand 2: addresses of this space have 64 bits");
    CHECK(error_in("ld.global.v2.u32 %r1, [%rd1];") == "t:7:1: ld.global.v2.u32: operand 1: 2 registers in braces are expected");
    CHECK(error_in("ld.shared.u32 %r1, [p];") == "t:7:1: ld.shared.u32: operand 2: p is in .param");
    CHECK(error_in("@%r1 add.u32 %r1, %r2, %r3;") == "t:7:2: a guard is a predicate");
    CHECK(error_in("bra NOWHERE;") == "t:7:5: there is no label NOWHERE");
    CHECK(error_in("A: A: ret;") == "t:7:4: the label A is there already");
    CHECK(error_in("setp.lt.and.u32 %p1, %r1, %r2;") == "t:7:1: setp.lt.and.u32: a predicate to combine with is missing");
    CHECK(error_in("mov.b64 %rd1, {%r1, %r2, %r3};") == "t:7:1: mov.b64: the list has not 64 bits");
    CHECK(error_in("tex.2d.v4.f32.f32 {%f1, %f1, %f1, %f1}, [%rd1, {%f1}];") ==
          "t:7:1: tex.2d.v4.f32.f32: operand 2: 2 coordinates are expected");
    CHECK(error_in("tex.1d.v4.f32.f32 {%f1, %f1, %f1, %f1}, [%rd1, {%rd1}];") ==
          "t:7:1: tex.1d.v4.f32.f32: operand 2: coordinate 1: %rd1 is a .b64, and .f32 is expected");
    CHECK(error_in("tex.1d.v4.f32.f32 {%f1, %f1, %f1, %f1}, [%rd1, %rd2, {%f1}];")
              .ends_with("a texture has its sampler with it: what takes another one is not known"));
    CHECK(error_in("call k;") == "t:7:1: call: kernels are not called");
    CHECK(error_in("atom.global.cas.b32 %r1, [%rd1], %r2;") == "t:7:1: atom.global.cas.b32: it has 3 operands, and takes 4");
    CHECK(error_in("add.u32 %r1, %r2, 1/0;") == "t:7:22: a division by zero");
    CHECK(error_in("add.u32 %r1, %r2, %r3").ends_with("; or , is expected here, not }"));
    CHECK(error_in(std::string(100, '{')).ends_with("braces are nested too deep"));
    CHECK(error_in("add.u32 %r1, %r2, " + std::string(1000, '(') + "1;").ends_with("the expression is nested too deep"));
}

TEST_CASE("what is printed is read again the same") {
    const std::string text = head + R"(
.file 1 "a.cu"
.extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);
.func (.param .b32 r) f(.param .align 8 .b8 s[16], .param .b32 n);
.extern .shared .align 16 .b8 dynamic[];
.visible .global .align 4 .f32 one = 0f3F800000;
.global .align 8 .u64 table[3] = {generic(one)+4, f, 7};
.const .align 8 .f64 half[2] = {0d3FE0000000000000, -0.5};
.global .align 1 .b8 address[8] = {mask(0xff, one), mask(0xff00, one)};
.func (.param .b32 r) f(.param .align 8 .b8 s[16], .param .b32 n)
{
    .reg .b32 %r<3>; .reg .b64 %rd<3>;
    ld.param.v2.u32 {%r1, %r2}, [s+8];
    { .reg .b32 temp; mov.u32 temp, 0x10U; add.u32 %r1, %r1, temp; }
    { .reg .b32 temp; mov.u32 temp, 020; add.u32 %r1, %r1, temp; }
    st.param.b32 [r], %r1;
    ret.uni;
}
.visible .entry k(.param .u64 .ptr .global .align 4 p, .param .u32 n)
.maxntid 128, 1, 1
.minnctapersm 2
{
    .reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<3>; .reg .f64 %fd<3>; .reg .b16 %rs<5>;
    .loc 1 3 4
    setp.lt.or.s32 %p1|%p2, %r1, -5, !%p3;
    .loc 1 4 1, function_name $L_f, inlined_at 1 3 4
    @!%p1 st.global.v4.f32 [%rd1+-16], {%f1, 0f00000000, 1.5, %f2};
    mov.b32 {%rs1, %rs2}, %r1;
    mov.b64 %rd2, {%r1, %r2};
    add.f64 %fd1, %fd2, 0d7FF8000000000001;
    shfl.sync.down.b32 %r1|%p1, %r2, 1, 31, -1;
    mov.u32 %r3, %tid.x;
    mad.lo.s32 %r4, %r3, (1 << 4) + 3 * 2, WARP_SZ;
    wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1}, %rd1, %rd2, 1, 1;
    tex.2d.v4.f32.s32 {%f1, %f2, %f1, %f2}, [%rd1, {%r1, %r2}];
    tex.1d.v4.f32.f32 {%f1, _, _, _}, [%rd1, %f2];
    sust.b.a2d.v2.b32.clamp [%rd1, {%r1, %r2, %r3, 0}], {%r1, %r2};
    txq.width.b32 %r1, [%rd1];
LOOP:
    @%p2 bra LOOP;
TARGETS: .branchtargets LOOP, END;
    brx.idx %r1, TARGETS;
PROTOTYPE: .callprototype (.param .b32 _) _ (.param .align 8 .b8 _[16], .param .b32 _);
    { .param .align 8 .b8 a[16]; .param .b32 b; .param .b32 c; call (c), %rd1, (a, b), PROTOTYPE; }
END:
    ret;
}
)";
    const auto program = parse(text, "t");
    REQUIRE_MESSAGE(program, program.error().text());
    const auto verified = verify(*program);
    REQUIRE_MESSAGE(verified, verified.error().text());
    const std::string once = print(*program);
    const auto again = parse(once, "t");
    REQUIRE_MESSAGE(again, again.error().text());
    CHECK(print(*again) == once);
    CHECK(once.find("mad.lo.s32 %r4, %r3, 22, 32;") != once.npos);
    CHECK(once.find("temp$1") != once.npos);
    CHECK(once.find("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1}, %rd1, %rd2, 1, 1;") != once.npos);
}

TEST_CASE("ten megabytes are read in a second or so") {
    std::string text = head;
    std::string body;
    for (int line = 0; line < 1000; ++line)
        body += "\tmad.lo.s32 \t%r3, %r1, %r2, %r3;\n\tld.global.f32 \t%f1, [%rd1+4];\n\tadd.f32 \t%f2, %f1, %f2;\n";
    for (int kernel = 0; text.size() < 10'000'000; ++kernel)
        text += fmt::format(".visible .entry k{}(.param .u64 p)\n{{\n.reg .b32 %r<4>; .reg .f32 %f<4>; .reg .b64 %rd<4>;\n", kernel) +
                body + "ret;\n}\n";
    const auto begin = std::chrono::steady_clock::now();
    const auto program = parse(text, "t");
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    REQUIRE(program);
    MESSAGE(fmt::format("{} bytes in {:.2f} s", text.size(), seconds));
    // Generous, for machines that others use too.
    CHECK(seconds < 5);
}

}  // namespace mog::ptx
