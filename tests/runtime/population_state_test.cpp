// population_state_test.cpp: a population written down and read again, what cannot be, and streams that are no state. Whole programs are in
// tests/state.
#include <doctest/doctest.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <fstream>
#include <sstream>

#include "support/files/hash.hpp"
#include "support/random.hpp"
#include "tests/runtime/fake_device.hpp"

using namespace mog;
using namespace mog::test;

namespace {

constexpr std::uint32_t bytes = 16384, base = MOG_DATA_BASE, row_v0 = MOG_S_REGS + 2, pes = 4;

struct Fixture {
    explicit Fixture(std::uint32_t nproc = pes, std::uint32_t data_bytes = bytes)
        : device(nproc, data_bytes), image(small_image()), config(config_for(nproc, data_bytes, seen)) {}

    Transcript seen;
    FakeDevice device;
    Image image;
    RunConfig config;
};

struct Folder {
    Folder() {
        char name[] = "/tmp/mog-state-XXXXXX";
        path = mkdtemp(name);
    }
    ~Folder() { std::filesystem::remove_all(path); }
    std::string path;
};

/// PE 0 has exited with 5, PE 1 has a file open at 4 and half a line printed, PE 2 sleeps, PE 3 has faulted.
std::string some_state(const std::string &file) {
    std::ofstream(file) << "0123456789";
    Fixture f;
    f.device.put(1, base + 0x200, file);
    f.device.put(1, base + 0x400, "half a line");
    f.device.put(2, base + 0x200, std::string("\0\0\0\0\0\x1b\xb7\0", 8));  // 12 ms
    f.device.state[{1, row_v0 + 1}] = 0x12345678;
    f.device.step({system_call(1, 4005, {base + 0x200, 0, 0})});
    f.device.step({system_call(1, 4003, {3, base + 0x3000, 4})});
    f.device.step({system_call(0, 4001, {5}), system_call(1, 4004, {1, base + 0x400, 11}), system_call(2, 4166, {base + 0x200, 0}),
                   fault(3, MOG_STOP_DIVIDE, 0)});
    ServiceLoop loop(f.device, f.image, f.config);
    const Result<bool> ended = loop.run_for({HUGE_VAL, 3});
    REQUIRE(ended);
    REQUIRE_FALSE(*ended);
    CHECK(f.seen.out.empty());
    std::ostringstream out;
    REQUIRE(loop.write_state(out));
    return out.str();
}

std::string why_not(Fixture &f, const std::string &state) {
    ServiceLoop loop(f.device, f.image, f.config);
    std::istringstream in(state);
    const Result<void> read = loop.read_state(in);
    return read ? "" : read.error().text();
}

/// Where the bytes of each section are.
std::vector<std::pair<std::size_t, std::size_t>> sections_of(const std::string &state) {
    std::vector<std::pair<std::size_t, std::size_t>> all;
    for (std::size_t at = 8; at < state.size();) {
        std::uint64_t size = 0;
        std::memcpy(&size, state.data() + at + 4, sizeof size);
        all.emplace_back(at + 12, size);
        at += 12 + size + 8;
    }
    return all;
}

/// As its writer would have it.
void set_checksum(std::string &state, const std::pair<std::size_t, std::size_t> &section) {
    const auto *const from = reinterpret_cast<const std::uint8_t *>(state.data()) + section.first;
    const std::uint64_t hash = fnv1a({from, section.second}, fnv1a({from - 12, 12}));
    std::memcpy(state.data() + section.first + section.second, &hash, sizeof hash);
}

}  // namespace

TEST_CASE("PEs go on where their state says") {
    const Folder folder;
    const std::string state = some_state(folder.path + "/file");
    Fixture f;
    f.device.put(1, base + 0x400, "for a new process, other bytes");
    f.device.step({system_call(1, 4003, {3, base + 0x3100, 20})});
    ServiceLoop loop(f.device, f.image, f.config);
    std::istringstream in(state);
    const Result<void> read = loop.read_state(in);
    REQUIRE_MESSAGE(read, read.error().text());
    CHECK(f.device.get(1, base + 0x400, 12) == std::string("half a line\0", 12));
    CHECK(f.device.state[{1, row_v0 + 1}] == 0x12345678);
    CHECK(loop.end_of(0).status == 5);
    CHECK(loop.progress().calls == 5);
    const Result<RunResult> result = loop.run();
    REQUIRE(result);
    CHECK(result->status == 5);
    CHECK(result->slices == 3 + f.device.launched.size());
    CHECK(f.device.launched.front() == std::vector<std::uint32_t>{1});  // PE 2 sleeps, the others have ended
    CHECK(f.device.get(1, base + 0x3000, 4) == "0123");
    CHECK(f.device.get(1, base + 0x3100, 6) == "456789");
    CHECK(f.device.state[{1, row_v0}] == 6);
    CHECK(f.seen.out == "half a line");
    REQUIRE(f.seen.said.size() == 1);
    CHECK(f.seen.said.front().find("PE 3: divides by zero") == 0);
}

TEST_CASE("a state is for the same program, as many PEs and as much memory") {
    const Folder folder;
    const std::string state = some_state(folder.path + "/file");
    Fixture same, more(pes + 1), larger(pes, 2 * bytes), other, fuel, called;
    CHECK(why_not(same, state).empty());
    CHECK(why_not(more, state) == "the state is that of 4 PEs, and here are 5");
    CHECK(why_not(larger, state).find("the state is that of PEs with 16384 bytes of memory") == 0);
    other.image.text.push_back(0x9700);
    CHECK(why_not(other, state) == "the state is that of another program");
    fuel.config.options.fuel = 100;
    CHECK(why_not(fuel, state) == "the state is that of a run without --fuel");
    NativeFunctions natives;
    natives.add("cube", [](std::span<mog_call>, PeMemory &) {});
    called.config.natives = &natives;
    CHECK(why_not(called, state) == "the state is that of a run with other native functions");
}

TEST_CASE("what is damaged, cut, or no state at all is told apart from one") {
    const Folder folder;
    const std::string state = some_state(folder.path + "/file");
    Fixture f;
    CHECK(why_not(f, "") == "this is no state of a run of MOG");
    CHECK(why_not(f, "#!/bin/sh\necho hello\n") == "this is no state of a run of MOG");
    for (std::size_t size = 8; size < state.size(); size += 97)
        CHECK(why_not(f, state.substr(0, size)) == "the state is damaged: it ends too early");
    for (std::size_t at = 8; at < state.size(); at += 61) {
        std::string damaged = state;
        damaged[at] = static_cast<char>(damaged[at] ^ 0x10);
        CHECK(why_not(f, damaged).find("the state is damaged: ") == 0);
    }
    std::string newer = state;
    const auto head = sections_of(state).front();
    newer[head.first] = static_cast<char>(newer[head.first] + 1);
    set_checksum(newer, head);
    CHECK(why_not(f, newer) == "the state is of version 6, and this MOG reads 5");
}

TEST_CASE("a state that somebody has made up does no harm") {
    const Folder folder;
    const std::string state = some_state(folder.path + "/file");
    const auto sections = sections_of(state);
    REQUIRE(sections.size() == 4);  // HEAD, PES, MEM, END
    Random random(1);
    std::uint32_t refused = 0;
    for (std::uint32_t i = 0; i < 1500; i++) {
        std::string made_up = state;
        const auto section = sections[i % 3];
        for (std::uint32_t changes = 1 + random.below(3); changes != 0; changes--) {
            // Numbers are small mostly, and lengths are where they can do harm.
            const std::size_t at = section.first + random.below(static_cast<std::uint32_t>(section.second));
            made_up[at] = static_cast<char>(random.below(2) == 0 ? random.below(256) : random.below(2) == 0 ? 0xff : made_up[at] + 1);
        }
        set_checksum(made_up, section);
        Fixture f;
        refused += why_not(f, made_up).empty() ? 0 : 1;
    }
    CHECK(refused > 300);
}

TEST_CASE("what cannot be opened again is refused by its name") {
    const Folder folder;
    const auto state_with = [&](const std::string &path, std::uint32_t flags, bool removes) {
        Fixture f;
        f.device.put(1, base + 0x200, path);
        f.device.step({system_call(1, 4005, {base + 0x200, flags, 0})});
        f.device.step({});
        ServiceLoop loop(f.device, f.image, f.config);
        REQUIRE(loop.run_for({HUGE_VAL, 2}));
        if (removes) unlink(path.c_str());
        std::ostringstream out;
        const Result<void> written = loop.write_state(out);
        return written ? std::string() : written.error().text();
    };
    const std::string file = folder.path + "/file", fifo = folder.path + "/fifo";
    std::ofstream(file) << "x";
    mkfifo(fifo.c_str(), 0600);
    CHECK(state_with(file, 0, false).empty());
    CHECK(state_with(fifo, 2, false) ==
          "the state of PE 1 cannot be written: it has " + fifo + " open, a FIFO, whose other end may be anybody's");
    CHECK(state_with(file, 0, true) ==
          "the state of PE 1 cannot be written: it has " + file + " (deleted) open, removed while it was open");
}

TEST_CASE("locks are had again, of records and of whole files") {
    const Folder folder;
    const std::string file = folder.path + "/file";
    std::ofstream(file) << "0123456789";
    std::ostringstream out;
    {
        Fixture f;
        f.device.put(1, base + 0x200, file);
        f.device.put(2, base + 0x200, file);
        f.device.put(2, base + 0x300, std::string("\1\0\0\0\2\0\0\0\3\0\0\0", 12));  // F_WRLCK, from byte 2 on, three
        f.device.step({system_call(1, 4005, {base + 0x200, 2, 0}), system_call(2, 4005, {base + 0x200, 2, 0})});
        f.device.step({system_call(1, 4143, {3, 2}), system_call(2, 4055, {3, 6, base + 0x300})});  // flock(LOCK_EX), fcntl(F_SETLK)
        ServiceLoop loop(f.device, f.image, f.config);
        REQUIRE(loop.run_for({HUGE_VAL, 2}));
        REQUIRE(f.device.state[{1, row_v0}] == 0);
        REQUIRE(f.device.state[{2, row_v0}] == 0);
        REQUIRE(loop.write_state(out));
    }
    Fixture f;
    f.device.put(3, base + 0x200, file);
    f.device.put(3, base + 0x300, std::string("\1\0\0\0\4\0\0\0\1\0\0\0", 12));
    f.device.put(0, base + 0x200, file);
    ServiceLoop loop(f.device, f.image, f.config);
    std::istringstream in(out.str());
    REQUIRE(loop.read_state(in));
    // Memory is as it was; who had no file gets one now.
    for (const std::uint32_t pe : {0u, 3u}) f.device.put(pe, base + 0x200, file);
    f.device.put(3, base + 0x300, std::string("\1\0\0\0\4\0\0\0\1\0\0\0", 12));
    f.device.step({system_call(0, 4005, {base + 0x200, 0, 0}), system_call(3, 4005, {base + 0x200, 2, 0})});
    f.device.step({system_call(0, 4143, {3, 2 | 4}), system_call(3, 4055, {3, 6, base + 0x300})});
    REQUIRE(loop.run_for({HUGE_VAL, 2}));
    CHECK(f.device.state[{0, row_v0}] == EAGAIN);
    CHECK(f.device.state[{3, row_v0}] == EAGAIN);
}

TEST_CASE("a file that is gone, or may not be opened here, ends the attempt with its name") {
    const Folder folder;
    const std::string file = folder.path + "/file", state = some_state(file);
    Fixture allowed, forbidden;
    forbidden.config.options.files.no_files = true;
    Result<std::shared_ptr<const HostPaths>> paths = HostPaths::make(forbidden.config.options.files);
    REQUIRE(paths);
    forbidden.config.paths = *paths;
    CHECK(why_not(forbidden, state) == file + ", which PE 1 had open, cannot be opened again: Permission denied");
    unlink(file.c_str());
    CHECK(why_not(allowed, state) == file + ", which PE 1 had open, cannot be opened again: No such file or directory");
}

TEST_CASE("what looks on at MPI, and worlds of several processes, are refused") {
    Fixture f;
    f.config.options.mpi.statistics = mpi::Settings::Statistics::Text;
    ServiceLoop loop(f.device, f.image, f.config);
    std::ostringstream out;
    const Result<void> written = loop.write_state(out);
    REQUIRE_FALSE(written);
    CHECK(written.error().text().find("--mpi-stats") == std::string("what ").size());
}
