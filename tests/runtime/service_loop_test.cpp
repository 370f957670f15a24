// service_loop_test.cpp: the loop, walked through with a scripted device.
#include <doctest/doctest.h>

#include <unistd.h>

#include <cerrno>
#include <fstream>

#include "tests/runtime/fake_device.hpp"

using namespace mog;
using namespace mog::test;

namespace {

constexpr std::uint32_t bytes = 4096, base = MOG_DATA_BASE;
constexpr std::uint32_t row_v0 = MOG_S_REGS + 2, row_a3 = MOG_S_REGS + 7;

struct Fixture {
    explicit Fixture(std::uint32_t nproc) : device(nproc, bytes), image(small_image()), config(config_for(nproc, bytes, seen)) {}
    Result<RunResult> run() { return ServiceLoop(device, image, config).run(); }

    Transcript seen;
    FakeDevice device;
    Image image;
    RunConfig config;
};

}  // namespace

TEST_CASE("results go to $v0 and $a3, and PEs that called run again") {
    Fixture f(3);
    f.device.put(1, base + 0x101, "two\nlines\n");
    f.device.step({system_call(1, 4004, {1, base + 0x101, 10})});
    f.device.step({system_call(0, 4006, {77}), system_call(2, 4020)});
    Result<RunResult> result = f.run();
    REQUIRE(result);
    CHECK(result->status == 0);
    CHECK(f.seen.out == "two\nlines\n");
    CHECK(f.device.state[{1, row_v0}] == 10);
    CHECK(f.device.state[{1, row_a3}] == 0);
    CHECK(f.device.state[{0, row_v0}] == EBADF);
    CHECK(f.device.state[{0, row_a3}] == 1);
    CHECK(f.device.state[{2, row_v0}] > 0);
    CHECK(f.device.launched.size() == 3);
    CHECK(result->calls == 6);  // three of the script, three exits
}

TEST_CASE("within a launch calls are served that concern their PE alone, and the others stay for its end") {
    Fixture f(3);
    f.device.put(2, base + 0x100, "from two\n");
    f.device.put(0, base + 0x100, "from none\n");
    f.device.put(1, base + 0x200, std::string_view("\1\0\0\0\0\0\0\0", 8));  // a second
    bool asked = false;
    // What is written first is not held: a stream may take nothing.
    f.device.script.push_back([&](std::span<const std::uint32_t>) -> Result<std::vector<Request>> {
        const Request first = system_call(2, 4004, {1, base + 0x100, 9});
        CHECK_FALSE(f.device.at_once(first));
        return std::vector<Request>{first};
    });
    f.device.script.push_back([&](std::span<const std::uint32_t>) -> Result<std::vector<Request>> {
        REQUIRE(f.device.at_once);
        asked = true;
        CHECK(f.device.at_once(system_call(2, 4004, {1, base + 0x100, 9})));
        CHECK(f.device.state[{2, row_v0}] == 9);
        CHECK(f.device.at_once(system_call(1, 4020)));  // getpid
        CHECK(f.device.state[{1, row_a3}] == 0);
        CHECK(f.device.at_once(system_call(1, 4006, {77})));
        CHECK(f.device.state[{1, row_v0}] == EBADF);
        CHECK(f.device.at_once(system_call(0, 4004, {1, base + 0x100, 10})));
        CHECK(f.seen.out == "from two\n");
        CHECK_FALSE(f.device.at_once(system_call(1, 4001, {3})));                // exit
        CHECK_FALSE(f.device.at_once(system_call(1, 4999)));                     // none
        CHECK_FALSE(f.device.at_once(system_call(1, 4166, {base + 0x200, 0})));  // nanosleep
        CHECK_FALSE(f.device.at_once(fault(1, MOG_STOP_TRAP, 0)));
        return std::vector<Request>{system_call(1, 4001, {3})};
    });
    const Result<RunResult> result = f.run();
    REQUIRE(result);
    CHECK(asked);
    CHECK(f.seen.out == "from two\nfrom none\nfrom two\n");
    CHECK(result->status == 3);
    CHECK(result->calls == 8);      // five, and three exits
    CHECK_FALSE(f.device.at_once);  // nobody serves any more
}

TEST_CASE("not within a launch: calls of one PE, of a host program's threads, of runs that are the same each time, those that are traced") {
    Fixture f(2);
    bool served = true;
    SUBCASE("one PE") { f.config.nproc = 1; }
    SUBCASE("libmog") { f.config.owns_process = false; }
    SUBCASE("captured") {
        f.config.output.by_pe = [](std::uint32_t, int, std::string_view) { return 0; };
    }
    SUBCASE("deterministic") { f.config.options.deterministic = true; }
    SUBCASE("--on-fault=abort") { f.config.options.abort_on_fault = true; }
    SUBCASE("--strace") { f.config.options.strace = true; }
    f.device.script.push_back([&](std::span<const std::uint32_t>) -> Result<std::vector<Request>> {
        served = f.device.at_once && f.device.at_once(system_call(0, 4020));
        return std::vector<Request>{};
    });
    REQUIRE(f.run());
    CHECK_FALSE(served);
}

TEST_CASE("PEs that ended are not launched again; the lowest rank's status counts") {
    Fixture f(4);
    f.device.step({system_call(3, 4001, {5}), system_call(1, 4246, {0x109})});
    // Requests come ascending from a real device.
    f.device.script.back() = [](std::span<const std::uint32_t>) -> Result<std::vector<Request>> {
        return std::vector<Request>{system_call(1, 4246, {0x109}), system_call(3, 4001, {5})};
    };
    Result<RunResult> result = f.run();
    REQUIRE(result);
    CHECK(result->status == 9);
    CHECK(f.device.launched.at(1) == std::vector<std::uint32_t>{0, 2});
}

TEST_CASE("lists that very many PEs poll are looked at in batches that the host has room for") {
    // 8 KiB of each, which are fetched and put back: 80 MiB, where a batch has 64 at most.
    constexpr std::uint32_t pes = 5000, entries = 1024, list = 8 * entries, memory = list + 512;
    Transcript seen;
    FakeDevice device(pes, memory);
    const Image image = small_image();
    const RunConfig config = config_for(pes, memory, seen);
    std::vector<Request> requests;
    for (std::uint32_t pe = 0; pe < pes; pe++) {
        device.put(pe, base + 256, std::string(list, '\xff'));  // descriptor -1: answered with nothing
        requests.push_back(system_call(pe, 4188, {base + 256, entries, 0}));
    }
    device.step(requests);
    REQUIRE(ServiceLoop(device, image, config).run());
    CHECK(device.most_staged > list);
    CHECK(device.most_staged <= 32u << 20);
    for (const std::uint32_t pe : {0u, pes / 2, pes - 1}) {
        CHECK(device.state[{pe, row_v0}] == 0);
        CHECK(device.state[{pe, row_a3}] == 0);
        CHECK(device.get(pe, base + 256, 8) == std::string_view("\xff\xff\xff\xff\xff\xff\0\0", 8));
        CHECK(device.get(pe, base + 256 + list - 8, 8) == std::string_view("\xff\xff\xff\xff\xff\xff\0\0", 8));
    }
}

TEST_CASE("pointers out of DATA give EFAULT and never reach the device") {
    Fixture f(1);
    f.device.step({system_call(0, 4004, {1, base + bytes - 2, 3})});
    f.device.step({system_call(0, 4004, {1, 0, 3})});
    f.device.step({system_call(0, 4003, {0, base + bytes - 2, 0xffffffffu})});
    f.device.step({system_call(0, 4005, {4, 0, 0})});
    f.device.step({system_call(0, 4263, {0, base + bytes - 4})});
    std::vector<std::uint32_t> errors;
    for (FakeDevice::Step &step : f.device.script)
        step = [&, inner = step](std::span<const std::uint32_t> active) {
            if (f.device.state.contains({0, row_v0})) errors.push_back(f.device.state[{0, row_v0}]);
            return inner(active);
        };
    REQUIRE(f.run());
    errors.push_back(f.device.state[{0, row_v0}]);
    CHECK(errors == std::vector<std::uint32_t>(5, EFAULT));
}

TEST_CASE("a path without its NUL in DATA gives EFAULT; one across pieces is read whole") {
    Fixture f(2);
    f.device.put(0, base + bytes - 8, "ABCDEFGH");
    std::string path = "/tmp/" + std::string(200, 'x') + "/none";
    f.device.put(1, base + 0x203, path);
    f.device.step({system_call(0, 4010, {base + bytes - 8}), system_call(1, 4010, {base + 0x203})});
    REQUIRE(f.run());
    CHECK(f.device.state[{0, row_v0}] == EFAULT);
    CHECK(f.device.state[{1, row_v0}] == ENOENT);
}

TEST_CASE("many PEs read one file, each from its own offset") {
    char name[] = "/tmp/mog-test-XXXXXX";
    close(mkstemp(name));
    std::ofstream(name) << "0123456789abcdef";
    constexpr std::uint32_t n = 2000;
    Fixture f(n);
    std::vector<Request> opens, reads, more;
    for (std::uint32_t pe = 0; pe < n; pe++) {
        f.device.put(pe, base + 0x200, name);
        opens.push_back(system_call(pe, 4005, {base + 0x200, 0, 0}));
        reads.push_back(system_call(pe, 4003, {3, base + 0x300, pe % 5 + 1}));
        more.push_back(system_call(pe, 4003, {3, base + 0x301, 11}));
    }
    f.device.step(opens);
    f.device.step(reads);
    f.device.step(more);
    REQUIRE(f.run());
    for (std::uint32_t pe : {0u, 7u, 1999u}) {
        CHECK(f.device.state[{pe, row_v0}] == 11);
        CHECK(f.device.get(pe, base + 0x301, 11) == std::string("0123456789abcdef").substr(pe % 5 + 1, 11));
    }
    unlink(name);
}

TEST_CASE("writev joins its parts, whatever their alignment") {
    Fixture f(1);
    const char vector[] =
        "\x01\x01\x00\x10\x03\x00\x00\x00"
        "\x00\x00\x00\x00\x00\x00\x00\x00"
        "\x06\x01\x00\x10\x05\x00\x00\x00";
    f.device.put(0, base + 0x80, std::string_view(vector, 24));
    f.device.put(0, base + 0x101, "abc");
    f.device.put(0, base + 0x106, "defg\n");
    f.device.step({system_call(0, 4146, {1, base + 0x80, 3})});
    REQUIRE(f.run());
    CHECK(f.seen.out == "abcdefg\n");
    CHECK(f.device.state[{0, row_v0}] == 8);
}

TEST_CASE("a fault ends its PE only, with the signal's status and one message for all") {
    Fixture f(6);
    f.device.step({fault(1, MOG_STOP_LOAD_RANGE, 0x10), fault(3, MOG_STOP_LOAD_RANGE, 0x20), fault(4, MOG_STOP_LOAD_RANGE, 0x10)});
    Result<RunResult> result = f.run();
    REQUIRE(result);
    CHECK(result->status == 139);
    REQUIRE(f.seen.said.size() == 1);
    CHECK(f.seen.said[0].starts_with("PEs 1, 3-4: null pointer: reads from address 0x10, which is not its memory, in main at t.c:7\n"));
    CHECK(f.device.launched.at(1) == std::vector<std::uint32_t>{0, 2, 5});
}

TEST_CASE("abort is a signal to oneself; nobody else can be signalled") {
    Fixture f(1);
    f.device.step({system_call(0, 4037, {1, 9})});
    f.device.script.push_back([](std::span<const std::uint32_t>) -> Result<std::vector<Request>> {
        return std::vector<Request>{system_call(0, 4037, {0, 6})};
    });
    Result<RunResult> result = f.run();
    REQUIRE(result);
    CHECK(f.device.state[{0, row_v0}] == ESRCH);
    CHECK(result->status == 134);
    REQUIRE(f.seen.said.size() == 1);
    CHECK(f.seen.said[0].starts_with("calls abort(), in main at t.c:"));
}

TEST_CASE("an unsupported call fails with ENOSYS and is told of once") {
    Fixture f(2);
    f.device.step({system_call(0, 4002), system_call(1, 4002)});
    REQUIRE(f.run());
    CHECK(f.device.state[{1, row_v0}] == 89);
    REQUIRE(f.seen.said.size() == 1);
    CHECK(f.seen.said[0] ==
          "system call fork (4002) is not supported and fails: a PE cannot start processes or threads; let more PEs share the work (-n) "
          "(first: PE 0 in main at t.c:7)");
}

TEST_CASE("a device that fails ends the run with its sentence, after the output so far") {
    Fixture f(1);
    f.device.put(0, base + 0x100, "so far\n");
    f.device.step({system_call(0, 4004, {1, base + 0x100, 7})});
    f.device.script.push_back([](std::span<const std::uint32_t>) -> Result<std::vector<Request>> { return Error{"it broke"}; });
    Result<RunResult> result = f.run();
    REQUIRE_FALSE(result);
    CHECK(result.error().message == "it broke");
    CHECK(f.seen.out == "so far\n");
}

TEST_CASE("failing transfers end the run") {
    Fixture f(1);
    f.device.step({system_call(0, 4004, {1, base + 0x100, 7})});
    SUBCASE("gather") { f.device.gather_fails = true; }
    SUBCASE("scatter") { f.device.scatter_fails = true; }
    Result<RunResult> result = f.run();
    REQUIRE_FALSE(result);
    CHECK(result.error().message == "the fake device lost its memory");
}

TEST_CASE("a timeout ends what still runs, with status 124") {
    Fixture f(3);
    f.config.options.timeout = 0.02;
    f.device.script.push_back(
        [](std::span<const std::uint32_t>) -> Result<std::vector<Request>> { return std::vector<Request>{system_call(1, 4001, {3})}; });
    for (int i = 0; i < 100; i++)
        f.device.script.push_back([](std::span<const std::uint32_t>) -> Result<std::vector<Request>> {
            usleep(5000);
            return std::vector<Request>{};
        });
    Result<RunResult> result = f.run();
    REQUIRE(result);
    CHECK(result->status == 124);
    REQUIRE(f.seen.said.size() == 1);
    CHECK(f.seen.said[0].starts_with("PEs 0, 2: ended, still running after 0.02 s (--timeout), in main at t.c:7\n"));
    CHECK(f.device.launched.size() < 50);
}

TEST_CASE("fuel: each PE has its own, and what a launch left of it counts") {
    Fixture f(2);
    f.config.options.fuel = 100;
    f.config.options.slice = 60;
    Request call = system_call(1, 4020);  // getpid
    call[MOG_Q_LEFT] = 50;                // after ten instructions
    f.device.step({call});
    for (int i = 0; i < 5; i++) f.device.step({});
    Result<RunResult> result = f.run();
    REQUIRE(result);
    CHECK(result->status == 124);
    using Lists = std::vector<std::vector<std::uint32_t>>;
    CHECK(f.device.launched == Lists{{0, 1}, {0, 1}, {1}});
    CHECK(f.device.passes == Lists{{60, 60}, {40, 60}, {30}});
    REQUIRE(f.seen.said.size() == 1);
    CHECK(f.seen.said[0].starts_with("PEs 0-1: out of fuel after 100 instructions (--fuel), in main at t.c:7\n"));
}

TEST_CASE("the last instruction that the fuel allows may be a call, which is served") {
    Fixture f(1);
    f.config.options.fuel = 60;
    f.config.options.slice = 60;
    Request call = system_call(0, 4001, {7});
    call[MOG_Q_LEFT] = 0;
    f.device.step({call});
    Result<RunResult> result = f.run();
    REQUIRE(result);
    CHECK(result->status == 7);
    CHECK(f.seen.said.empty());
}

TEST_CASE("the first fault ends all if that is asked for") {
    Fixture f(4);
    f.config.options.abort_on_fault = true;
    f.device.step({system_call(0, 4001, {3}), fault(2, MOG_STOP_DIVIDE, 7)});
    Result<RunResult> result = f.run();
    REQUIRE(result);
    CHECK(result->status == 136);
    CHECK(f.device.launched.size() == 1);
    REQUIRE(f.seen.said.size() == 2);
    CHECK(f.seen.said[0].starts_with("PE 2: divides by zero, in main at t.c:7\n"));
    CHECK(f.seen.said[1] == "PEs 1, 3: ended, for another went wrong (--on-fault=abort)");
}

TEST_CASE("a sleeping PE is not launched and wakes up") {
    Fixture f(2);
    f.device.put(0, base + 0x100, std::string_view("\0\0\0\0\x80\xc3\xc9\x01", 8));  // 30 ms
    f.device.step({system_call(0, 4166, {base + 0x100, 0})});
    f.device.step({system_call(1, 4001, {0})});
    Result<RunResult> result = f.run();
    REQUIRE(result);
    CHECK(result->status == 0);
    CHECK(result->seconds >= 0.03);
    CHECK(f.device.launched == std::vector<std::vector<std::uint32_t>>{{0, 1}, {1}, {0}});
}

TEST_CASE("brk moves the word of the control block, and stays below the stack") {
    Fixture f(1);
    f.device.put(0, base + 4 * MOG_CB_BRK, std::string_view("\x40\0\0\x10", 4));
    f.device.step({system_call(0, 4045, {0})});
    f.device.script.push_back([&](std::span<const std::uint32_t>) -> Result<std::vector<Request>> {
        CHECK(f.device.state[{0, row_v0}] == base + 0x40);
        return std::vector<Request>{system_call(0, 4045, {base + 0x100})};
    });
    f.device.script.push_back([&](std::span<const std::uint32_t>) -> Result<std::vector<Request>> {
        CHECK(f.device.state[{0, row_v0}] == base + 0x100);
        return std::vector<Request>{system_call(0, 4045, {base + 0x7f0})};  // the stack is at 0x800
    });
    REQUIRE(f.run());
    CHECK(f.device.state[{0, row_v0}] == base + 0x100);
    CHECK(f.device.get(0, base + 4 * MOG_CB_BRK, 4) == std::string_view("\0\x01\0\x10", 4));
}
