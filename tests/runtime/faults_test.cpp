// faults_test.cpp: ranks folded, causes told.
#include <doctest/doctest.h>

#include <array>

#include "runtime_host/faults.hpp"
#include "tests/runtime/fake_device.hpp"

using namespace mog;

TEST_CASE("ranks fold into ranges") {
    auto fold = [](std::vector<std::uint32_t> ranks, std::size_t limit = 16) { return fold_ranks(ranks, limit); };
    CHECK(fold({}) == "");
    CHECK(fold({4}) == "4");
    CHECK(fold({3, 7, 8, 9}) == "3, 7-9");
    CHECK(fold({0, 1, 2, 3}) == "0-3");
    CHECK(fold({0, 2, 4, 6, 7, 8}, 2) == "0, 2, ... (6 in all)");
    CHECK(fold({0, 2, 3}, 2) == "0, 2-3");
}

TEST_CASE("statuses are what a shell shows for the signal") {
    Image image = test::small_image();
    std::vector<std::string> said;
    FaultLog log(image, 8, "--mem", [&](std::string_view line) { said.emplace_back(line); });
    auto status = [&](std::uint32_t stop, std::uint32_t signal = 0) {
        return log.record(test::fault(0, stop, 0), signal, 0, {});
    };
    CHECK(status(MOG_STOP_LOAD_RANGE) == 139);
    CHECK(status(MOG_STOP_STORE_ALIGN) == 138);
    CHECK(status(MOG_STOP_DIVIDE) == 136);
    CHECK(status(MOG_STOP_ILLEGAL) == 132);
    CHECK(status(MOG_STOP_TRAP) == 133);
    CHECK(status(MOG_STOP_SYS, 6) == 134);
}

TEST_CASE("a place without a source line names its caller, from $ra or the stack") {
    Image image = test::small_image();
    std::vector<std::string> said;
    FaultLog log(image, 8, "--mem", [&](std::string_view line) { said.emplace_back(line); });
    Request q = test::fault(2, MOG_STOP_STORE_ALIGN, 0x10000003);
    q[MOG_Q_PC] = 3;  // library
    REQUIRE(log.wants_stack(q));
    // 0x400016 is misaligned and 0x600000 no code; 0x40000c is the return address of a call at 0x400004.
    const std::array<std::uint32_t, 4> stack{0x400016, 0x600000, 0x40000c, 0x400008};
    log.record(q, 0, 0, stack);
    q[MOG_Q_PE] = 5;
    q[MOG_Q_RA] = 0x400008;
    log.record(q, 0, 0, {});
    log.tell_all();
    CHECK(said == std::vector<std::string>{
                      "PE 5: writes to misaligned address 0x10000003, in library, called from main at t.c:7",
                      "PE 2: writes to misaligned address 0x10000003, in library, called from main at t.c:8"});
    log.tell_all();
    CHECK(said.size() == 2);
}

TEST_CASE("memory that ran full is pointed out") {
    Image image = test::small_image();
    std::vector<std::string> said;
    FaultLog log(image, 1, "--mem SIZE, now 64K", [&](std::string_view line) { said.emplace_back(line); });
    log.record(test::fault(0, MOG_STOP_STORE_RANGE, 0), 0, MOG_DATA_BASE + 0x700, {});
    log.tell_all();
    REQUIRE(said.size() == 1);
    CHECK(said[0].find("(its memory is full: --mem SIZE, now 64K)") != std::string::npos);
}
