// ptx_api_test.cpp: kernels in PTX through libmog, as programs of the host use them.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#define DOCTEST_CONFIG_NO_POSIX_SIGNALS  // the engine has a handler for faults of kernels
#include <doctest/doctest.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "runtime_host/include/mog.hpp"

namespace {

constexpr char text[] = R"(
.version 7.0
.target sm_70
.address_size 64
.visible .global .align 4 .u32 factor = 3;
.visible .entry scale(.param .u64 values, .param .u32 count)
{
    .reg .pred %p<2>;
    .reg .b32 %r<10>;
    .reg .b64 %rd<4>;
    ld.param.u64 %rd1, [values];
    ld.param.u32 %r1, [count];
    mov.u32 %r2, %ctaid.x;
    mov.u32 %r3, %ntid.x;
    mov.u32 %r4, %tid.x;
    mad.lo.u32 %r5, %r2, %r3, %r4;
    setp.ge.u32 %p1, %r5, %r1;
    @%p1 bra END;
    mul.wide.u32 %rd2, %r5, 4;
    add.u64 %rd3, %rd1, %rd2;
    ld.global.u32 %r6, [%rd3];
    ld.global.u32 %r7, [factor];
    mul.lo.u32 %r8, %r6, %r7;
    st.global.u32 [%rd3], %r8;
END:
    ret;
}
)";

mog_code code_of(auto body) {
    try {
        body();
    } catch (const mog::Error &error) {
        CHECK(std::strlen(error.what()) > 5);
        return error.code();
    }
    return MOG_OK;
}

std::vector<std::uint32_t> numbers() {
    std::vector<std::uint32_t> values(1000);
    for (std::uint32_t i = 0; i < values.size(); i++) values[i] = i;
    return values;
}

}  // namespace

TEST_CASE("a kernel runs on the host's memory") {
    const mog::PtxModule module(text);
    std::vector<std::uint32_t> values = numbers();
    module.launch("scale", {{8, 1, 1}, {128, 1, 1}, 0}, values.data(), static_cast<std::uint32_t>(values.size()));
    for (std::uint32_t i = 0; i < values.size(); i++) CHECK(values[i] == 3 * i);
    CHECK(module.variable<std::uint32_t>("factor") == 3);
    module.variable<std::uint32_t>("factor") = 5;
    module.launch("scale", {{1, 1, 1}, {32, 1, 1}, 0}, values.data(), std::uint32_t{10});
    CHECK(values[9] == 135);
    CHECK(values[10] == 30);
}

TEST_CASE("streams do one launch after the other, and tell of the first that fails") {
    const mog::PtxModule module(text);
    std::vector<std::uint32_t> a = numbers(), b = numbers();
    mog::PtxStream first, second;
    for (int i = 0; i < 3; i++) {
        first.launch(module, "scale", {{8, 1, 1}, {128, 1, 1}, 0}, a.data(), std::uint32_t{1000});
        second.launch(module, "scale", {{8, 1, 1}, {128, 1, 1}, 0}, b.data(), std::uint32_t{1000});
    }
    first.wait();
    second.wait();
    CHECK(a[999] == 27 * 999);
    CHECK(b[1] == 27);
    first.launch(module, "scale", {{1, 1, 1}, {2000, 1, 1}, 0}, a.data(), std::uint32_t{1000});
    first.launch(module, "scale", {{8, 1, 1}, {128, 1, 1}, 0}, a.data(), std::uint32_t{1000});
    CHECK(code_of([&] { first.wait(); }) == MOG_ERROR_SETUP);
    CHECK(a[1] == 27);
    first.launch(module, "scale", {{8, 1, 1}, {128, 1, 1}, 0}, a.data(), std::uint32_t{1000});
    first.wait();
    CHECK(a[1] == 81);
}

TEST_CASE("mistakes are codes with sentences") {
    CHECK(code_of([] { mog::PtxModule("nonsense"); }) == MOG_ERROR_PROGRAM);
    const mog::PtxModule module(text);
    CHECK(code_of([&] { module.launch("nothing", {{1, 1, 1}, {1, 1, 1}, 0}); }) == MOG_ERROR_SYMBOL);
    CHECK(code_of([&] { (void)module.variable<int>("nothing"); }) == MOG_ERROR_SYMBOL);
    CHECK(code_of([&] { module.launch("scale", {{1, 1, 1}, {0, 1, 1}, 0}, nullptr, 1u); }) == MOG_ERROR_SETUP);
    CHECK(code_of([&] { module.launch("scale", {{1, 1, 1}, {32, 1, 1}, 0}, static_cast<void *>(nullptr), 1u); }) == MOG_ERROR_DEVICE);
    mog_error error;
    CHECK(mog_ptx_load(nullptr, 0, nullptr, nullptr, &error) == MOG_ERROR_ARGUMENT);
    CHECK(mog_ptx_launch(module.handle(), "scale", nullptr, nullptr, &error) == MOG_ERROR_ARGUMENT);
    mog_ptx_free(nullptr);
    mog_ptx_stream_free(nullptr);
}
