// faults_test.cpp: ranks folded, causes told.
#include <doctest/doctest.h>

#include "runtime_host/faults/backtrace.hpp"
#include "runtime_host/faults/fault_details.hpp"
#include "runtime_host/faults/faults.hpp"
#include "support/files/files.hpp"
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

namespace {

constexpr std::uint32_t bytes = 4096, base = MOG_DATA_BASE, stack = base + 0x800;

/// A fault log, and PEs that stand at some instruction of the small image.
struct Fixture {
    explicit Fixture(std::uint32_t nproc = 8)
        : image(test::small_image()),
          device(nproc, bytes),
          log(image, nproc, {"--mem SIZE, now 64K", 0, 0, true}, [&](std::string_view line) { said.emplace_back(line); }) {}

    StoppedPe pe(std::uint32_t number, std::uint32_t text_index, std::uint32_t ra = 0) {
        return {device, image, bytes, {number, text_index, stack, ra, 0, base + 0x100}};
    }
    void put(std::uint32_t pe, std::uint32_t address, std::uint32_t word) {
        device.put(pe, address, {reinterpret_cast<const char *>(&word), 4});
    }
    int status(std::uint32_t stop, std::uint32_t signal = 0) {
        StoppedPe stopped = pe(0, 0);
        return log.record({signal ? Ending::By::Signal : Ending::By::Fault, stop, 0, signal}, stopped).status;
    }
    std::string calls(StoppedPe pe) { return backtrace_as_text(image, unwind(image, pe)); }

    Image image;
    test::FakeDevice device;
    std::vector<std::string> said;
    FaultLog log;
};

}  // namespace

TEST_CASE("statuses are what a shell shows for the signal") {
    Fixture f;
    CHECK(f.status(MOG_STOP_LOAD_RANGE) == 139);
    CHECK(f.status(MOG_STOP_STORE_ALIGN) == 138);
    CHECK(f.status(MOG_STOP_DIVIDE) == 136);
    CHECK(f.status(MOG_STOP_ILLEGAL) == 132);
    CHECK(f.status(MOG_STOP_TRAP) == 133);
    CHECK(f.status(MOG_STOP_SYS, 6) == 134);
}

TEST_CASE("a place without a source line names its caller") {
    Fixture f;
    StoppedPe two = f.pe(2, 3, 0x40000c), five = f.pe(5, 3, 0x400008), six = f.pe(6, 3, 0x40000c);
    REQUIRE(f.log.wants_stack(two));
    const Ending ending{Ending::By::Fault, MOG_STOP_STORE_ALIGN, 0x10000003, 0};
    CHECK(f.log.record(ending, two).is_first);
    CHECK(f.log.record(ending, five).is_first);
    CHECK_FALSE(f.log.record(ending, six).is_first);
    f.log.tell_all();
    REQUIRE(f.said.size() == 2);
    CHECK(f.said[0].starts_with("PE 5: writes to misaligned address 0x10000003, in library, called from main at t.c:7\n"));
    CHECK(f.said[1].starts_with(
        "PEs 2, 6: writes to misaligned address 0x10000003, in library, called from main at t.c:8\ncalls of PE 2:\n"));
    f.log.tell_all();
    CHECK(f.said.size() == 2);
}

TEST_CASE("PEs that come to a cause that was told are named once, in a line of their own") {
    Image image = test::small_image();
    test::FakeDevice device(8, bytes);
    std::vector<std::string> said;
    Limits limits{"--mem SIZE", 0, 0, true};
    limits.patience = std::chrono::milliseconds(-1);
    FaultLog log(image, 8, limits, [&](std::string_view line) { said.emplace_back(line); });
    const auto fault = [&](std::uint32_t number) {
        StoppedPe pe(device, image, bytes, {number, 3, stack, 0x400008, 0, base + 0x100});
        log.record({Ending::By::Fault, MOG_STOP_STORE_ALIGN, 0x10000003, 0}, pe);
    };
    fault(5);
    log.tell_early();
    for (const std::uint32_t late : {7u, 1u, 6u}) fault(late);
    log.tell_early();
    REQUIRE(said.size() == 1);
    CHECK(said[0].starts_with("PE 5: writes to misaligned address 0x10000003, in library, called from main at t.c:7\n"));
    log.tell_all();
    log.tell_all();
    REQUIRE(said.size() == 2);
    CHECK(said[1] == "PEs 1, 6-7: as PE 5 before: writes to misaligned address 0x10000003, in library, called from main at t.c:7");
}

TEST_CASE("heaps that cannot grow are told of in one sentence") {
    Fixture f;
    f.log.lacks_memory(3, 1000000, 65536);
    f.log.lacks_memory(1, 5000, 65536);
    f.log.lacks_memory(3, 70000, 65536);
    f.log.tell_all();
    REQUIRE(f.said.size() == 1);
    CHECK(f.said[0] ==
          "PEs 1, 3: no memory for 5000 bytes more, so that malloc and its like fail with ENOMEM: 128K for each PE would do "
          "(--mem SIZE, now 64K)");
    f.log.lacks_memory(5, 0x7fffffff, 65536);
    f.log.tell_all();
    REQUIRE(f.said.size() == 2);
    CHECK(f.said[1].starts_with("PE 5: as PE 1 before: no memory for 5000 bytes more"));
}

TEST_CASE("memory that ran full is pointed out") {
    Fixture f(1);
    StoppedPe pe(f.device, f.image, bytes, {0, 0, stack, 0, 0, base + 0x700});
    f.log.record({Ending::By::Fault, MOG_STOP_STORE_RANGE, 0, 0}, pe);
    f.log.tell_all();
    REQUIRE(f.said.size() == 1);
    CHECK(f.said[0].find("(its memory is full: --mem SIZE, now 64K)") != std::string::npos);
}

TEST_CASE("calls go outwards from frame to frame, up to the start") {
    Fixture f;
    f.image.entry = 3;  // "library" is where the program starts
    f.put(0, stack + 0x1c, 0x40000c);
    f.put(0, stack + 0x3c, 0x40001c);
    CHECK(f.calls(f.pe(0, 0)) == "#0  0x00400000 in main (t.c:7)\n#1  0x00400004 in main (t.c:8)\n#2  0x00400014 in library");
}

TEST_CASE("a thread's calls go up to where it began") {
    Fixture f;
    f.image.entry = 1u << 20;  // the program starts elsewhere
    std::ranges::find(f.image.symbols, "library", &Symbol::name)->name = "__mog_clone";
    f.put(0, stack + 0x1c, 0x40000c);
    f.put(0, stack + 0x3c, 0x40001c);
    CHECK(f.calls(f.pe(0, 0)) == "#0  0x00400000 in main (t.c:7)\n#1  0x00400004 in main (t.c:8)\n#2  0x00400014 in __mog_clone");
}

TEST_CASE("a damaged stack ends the calls with a word") {
    Fixture f;
    f.image.entry = 3;
    SUBCASE("no return address") {
        CHECK(f.calls(f.pe(0, 0))
                  .ends_with("in main (t.c:7)\n(the calls end here: its return address 0x0 is no code; is the stack damaged?)"));
    }
    SUBCASE("frames that lead out of memory") {
        for (std::uint32_t at = stack + 0x1c; at < base + bytes; at += 0x20) f.put(0, at, 0x40000c);
        CHECK(f.calls(f.pe(0, 0))
                  .ends_with("(the calls end here: the stack is damaged: the caller's frame would be at "
                             "0x10001020)"));
    }
    SUBCASE("a stack pointer out of memory") {
        StoppedPe pe(f.device, f.image, bytes, {0, 0, 0x7fff0001, 0, 0, 0});
        CHECK(f.calls(pe).ends_with("the caller's frame would be at 0x7fff0021)"));
    }
    SUBCASE("a frame as large as nothing") {
        f.image.frames = {{0x400000, FrameRule::Base::Sp, 0, -4, 0}};
        f.put(0, stack - 4, 0x40000c);
        CHECK(f.calls(f.pe(0, 0)).ends_with("the caller's frame would be at 0x10000800)"));
    }
}

TEST_CASE("recursion is folded, also of several functions") {
    Image image = test::small_image();
    Backtrace trace;
    trace.frames.assign(10000, 0x400004);
    trace.frames.push_back(0x400000);
    CHECK(backtrace_as_text(image, trace) ==
          "#0  0x00400004 in main (t.c:8)\n#1  0x00400004 in main (t.c:8)\n... 9,998 more of this frame\n"
          "#10000 0x00400000 in main (t.c:7)");
    trace.frames.clear();
    for (int i = 0; i < 6; i++) trace.frames.insert(trace.frames.end(), {0x400004, 0x400010});
    CHECK(backtrace_as_text(image, trace) ==
          "#0  0x00400004 in main (t.c:8)\n#1  0x00400010 in library\n#2  0x00400004 in main (t.c:8)\n"
          "#3  0x00400010 in library\n... 4 more rounds of these 2 frames");
    trace.frames = {0x400004, 0x400004, 0x400004};
    CHECK(backtrace_as_text(image, trace).find("...") == std::string::npos);
}

TEST_CASE("registers that are dead may be stale, and are not shown") {
    Image image = test::small_image();
    // lr a0; sr a1; lr v1; brk: a1 is written before it is read, and a2 is never read.
    image.text = {0x0204, 0x0305, 0x0203, 0x9700};
    const std::vector<RegisterSet> live = live_registers(image);
    CHECK(live[0].test(4));
    CHECK_FALSE(live[1].test(4));
    CHECK_FALSE(live[0].test(5));
    const RegisterSet known = live_registers(image, live, 0);
    CHECK(known.test(0));  // $sp and $ra always are
    CHECK(known.test(1));
    CHECK_FALSE(known.test(6));
    // Within one MIPS instruction what it has read is still right, what it has written is not.
    image.source_address = {8, 8, 8, 12};
    CHECK(live_registers(image, live, 2).test(4));
    CHECK_FALSE(live_registers(image, live, 2).test(5));
    CHECK_FALSE(live_registers(image, live, 3).test(4));
}

TEST_CASE("a return leads to no beginning of a function, and another jump anywhere") {
    Image image = test::small_image();
    // lr a0; j; lr a1; brk: the third is where a function begins.
    image.text = {0x0204, 0x9300, 0x0205, 0x9700};
    image.entries = {Entry::Label, Entry::Label, Entry::Function, Entry::Label, Entry::Function, Entry::Label};
    CHECK(live_registers(image)[1].test(5));
    image.jumps[1] = JumpKind::returns;
    CHECK_FALSE(live_registers(image)[1].test(5));
    CHECK(live_registers(image)[1].test(4));
}

TEST_CASE("the source line is shown only if there is one") {
    const auto path = std::filesystem::temp_directory_path() / "mog_source_line_test.c";
    REQUIRE(bool(write_text_file(path, "int a;\n\n\tint\x1b b;\r\n")));
    CHECK(source_line({"f", path.string(), 1}) == "    1 | int a;");
    CHECK(source_line({"f", path.string(), 2}).empty());
    CHECK(source_line({"f", path.string(), 3}) == "    3 | \tint? b;");
    CHECK(source_line({"f", path.string(), 4}).empty());
    CHECK(source_line({"f", "/dev/zero", 1}).empty());
    CHECK(source_line({"f", path.parent_path().string(), 1}).empty());
    CHECK(source_line({"f", "", 1}).empty());
    std::filesystem::remove(path);
}
