// threads_test.cpp: PEs as threads of processes: who is in use, who waits where, what is mapped; and their calls, served by the loop.
#include <doctest/doctest.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <random>
#include <set>

#include "abi/linux.hpp"
#include "runtime_host/linux/guest_abi.hpp"
#include "runtime_host/linux/threads.hpp"
#include "tests/runtime/fake_device.hpp"

using namespace mog;
using namespace mog::test;
using namespace mog::guest;

namespace {

constexpr std::uint32_t base = MOG_DATA_BASE, bytes = 1 << 20, all_bits = UINT32_MAX;
constexpr std::uint32_t row_v0 = MOG_S_REGS + 2, row_a3 = MOG_S_REGS + 7, row_sp = MOG_S_REGS;
constexpr std::uint32_t flags =
    CLONE_VM_MIPS | CLONE_SIGHAND_MIPS | CLONE_THREAD_MIPS | CLONE_PARENT_SETTID_MIPS | CLONE_CHILD_CLEARTID_MIPS;

struct Fixture {
    explicit Fixture(std::uint32_t processes, std::uint32_t threads = 4)
        : device(processes, bytes, threads), image(small_image()), config(config_for(processes, bytes, seen)) {
        config.threads = threads;
        config.advised_threads = threads;
    }
    Result<RunResult> run() { return ServiceLoop(device, image, config).run(); }
    std::string said() const {
        std::string all;
        for (const std::string &one : seen.said) all += one + "\n";
        return all;
    }
    std::uint32_t word(std::uint32_t pe, std::uint32_t address) const {
        std::uint32_t value;
        std::memcpy(&value, device.get(pe, address, 4).data(), 4);
        return value;
    }
    void put(std::uint32_t pe, std::uint32_t address, std::uint32_t value) {
        device.put(pe, address, {reinterpret_cast<const char *>(&value), 4});
    }

    Transcript seen;
    FakeDevice device;
    Image image;
    RunConfig config;
};

using Pes = std::vector<std::uint32_t>;

Request clone(std::uint32_t pe) { return system_call(pe, call_clone, {flags, base + 0x900, base + 0x10, 0, base + 0x20}); }

}  // namespace

TEST_CASE("PEs of a process are taken and given back, and no more than there are") {
    Threads threads(2, 3, {bytes}, 8);
    CHECK(threads.advised() == 3);
    CHECK(threads.alive(1) == 1);
    CHECK(threads.take(1) == 3);  // 1 + 2 * 1
    CHECK(threads.take(1) == 5);
    CHECK_FALSE(threads.take(1));
    CHECK_FALSE(threads.is_short_of(1));
    CHECK_FALSE(threads.take(1));
    CHECK(threads.is_short_of(1));
    CHECK(threads.take(0) == 2);
    CHECK(threads.of_process(1) == Pes{1, 3, 5});
    threads.give_back(3);
    CHECK(threads.alive(1) == 2);
    CHECK_FALSE(threads.is_alive(3));
    CHECK(threads.take(1) == 3);
    CHECK_FALSE(threads.is_short_of(1));  // one has ended since
    threads.end_process(1);
    CHECK(threads.alive(1) == 0);
    CHECK(threads.alive(0) == 2);
}

TEST_CASE("who waits in the window is woken by any process, who waits at home by its own") {
    Threads threads(3, 2, {bytes, 8192}, 2);
    const std::uint32_t shared = MOG_SHARED_BASE + 8;
    for (std::uint32_t pe = 0; pe < 3; ++pe) threads.wait(pe, {pe == 1 ? base : shared, 1, {}});
    CHECK(threads.wake(2, base, 9, all_bits).empty());
    CHECK(threads.wake(1, shared, 9, all_bits) == Pes{0, 2});
    CHECK(threads.wake(1, base, 9, all_bits) == Pes{1});
    threads.wait(0, {shared, 1, {}});
    threads.wait(1, {shared, 1, {}});
    CHECK(threads.requeue(2, shared, shared + 4, 9) == 2);
    threads.end_process(0);
    CHECK(threads.wake(2, shared + 4, 9, all_bits) == Pes{1});
    // Behind the window there is nothing that they share.
    threads.wait(1, {MOG_SHARED_BASE + 8192, 1, {}});
    CHECK(threads.wake(2, MOG_SHARED_BASE + 8192, 9, all_bits).empty());
}

TEST_CASE("memory of a PE is its own, or in the window, and no range is in both") {
    const Addresses addresses{4096, 8192};
    CHECK(addresses.has(MOG_DATA_BASE, 4096));
    CHECK_FALSE(addresses.has(MOG_DATA_BASE, 4097));
    CHECK_FALSE(addresses.has(MOG_DATA_BASE - 1, 1));
    CHECK(addresses.has(MOG_SHARED_BASE + 8188, 4));
    CHECK_FALSE(addresses.has(MOG_SHARED_BASE + 8188, 5));
    CHECK_FALSE(addresses.has(MOG_DATA_BASE, MOG_SHARED_BASE - MOG_DATA_BASE + 4));
    CHECK_FALSE(addresses.has(0xffffffffu, 2));
    CHECK(addresses.end_of(MOG_SHARED_BASE + 1) == MOG_SHARED_BASE + 8192);
    CHECK_FALSE(Addresses{4096}.has(MOG_SHARED_BASE, 1));
}

TEST_CASE("who waits is woken in order, by bits, elsewhere after a requeue, and by the time") {
    Threads threads(1, 8, {bytes}, 8);
    for (int i = 0; i < 7; ++i) threads.take(0);
    for (std::uint32_t pe = 1; pe < 6; ++pe) threads.wait(pe, {base, pe == 3 ? 2u : 1u, {}});
    CHECK(threads.wake(0, base, 2, 1) == Pes{1, 2});
    CHECK(threads.wake(0, base, 1, 2) == Pes{3});
    CHECK(threads.wake(0, base + 4, 9, all_bits).empty());
    CHECK(threads.requeue(0, base, base + 4, 1) == 1);
    CHECK(threads.requeue(0, base + 8, base + 4, 9) == 0);
    CHECK(threads.wake(0, base, 9, all_bits) == Pes{5});
    CHECK(threads.waits(4).address == base + 4);
    CHECK(threads.wake(0, base + 4, 9, all_bits) == Pes{4});
    CHECK(threads.wake(0, base + 4, 9, all_bits).empty());

    const auto now = Threads::Clock::now();
    CHECK_FALSE(threads.next_expiry());
    threads.wait(1, {base, 1, now + std::chrono::seconds(2)});
    threads.wait(2, {base, 1, now + std::chrono::seconds(1)});
    threads.wait(3, {base, 1, now + std::chrono::seconds(1)});
    CHECK(threads.next_expiry() == now + std::chrono::seconds(1));
    CHECK(threads.wake(0, base, 1, 1) == Pes{1});
    threads.forget(3);
    CHECK(threads.expired(now).empty());
    CHECK(threads.expired(now + std::chrono::seconds(1)) == Pes{2});
    CHECK(threads.wake(0, base, 9, 1).empty());
    CHECK_FALSE(threads.next_expiry());
}

TEST_CASE("mappings do not overlap, leave the heap and the first stack alone, and use what was given back") {
    constexpr std::uint32_t page = Threads::page_bytes;
    Threads threads(1, 4, {bytes}, 4);
    const std::uint32_t brk = base + 100 * page;
    std::set<std::uint32_t> mapped, ever;  // pages
    std::vector<Threads::Mapping> all;
    std::mt19937 random(1);
    bool was_full = false;
    for (int i = 0; i < 5000; ++i) {
        if (random() % 2 == 0 || all.empty()) {
            const std::optional<Threads::Mapping> made = threads.map(0, 1 + random() % (8 * page), brk);
            was_full = was_full || !made;
            if (!made) continue;
            CHECK(made->address % page == 0);
            CHECK(made->address > brk);
            CHECK(made->address + made->bytes <= base + bytes - (64u << 10));
            for (std::uint32_t at = made->address; at < made->address + made->bytes; at += page) {
                CHECK(mapped.insert(at).second);
                if (!ever.insert(at).second) CHECK(made->is_used);
            }
            all.push_back(*made);
        } else {
            // A piece of one, so that the rest stays.
            const std::size_t which = random() % all.size();
            Threads::Mapping &mapping = all[which];
            const std::uint32_t pages = mapping.bytes / page, first = static_cast<std::uint32_t>(random()) % pages;
            const std::uint32_t count = 1 + static_cast<std::uint32_t>(random()) % (pages - first);
            CHECK(threads.unmap(0, mapping.address + first * page, count * page));
            for (std::uint32_t k = 0; k < count; ++k) mapped.erase(mapping.address + (first + k) * page);
            all.erase(all.begin() + static_cast<std::ptrdiff_t>(which));  // what is left of it stays mapped
        }
        CHECK(threads.floor(0) == (mapped.empty() ? 0 : *mapped.begin()));
    }
    CHECK(was_full);
    CHECK_FALSE(threads.map(0, bytes, brk));
    CHECK_FALSE(threads.map(0, 0, brk));
    CHECK_FALSE(threads.unmap(0, base + 1, page));
    CHECK_FALSE(threads.unmap(0, base, bytes + page));
    CHECK_FALSE(threads.unmap(0, base - page, page));
}

TEST_CASE("a thread has left its stack where another one's is, or nothing that is mapped, and not in the heap or a mapping of its own") {
    constexpr std::uint32_t page = Threads::page_bytes;
    Threads threads(1, 4, {bytes}, 4);
    const std::uint32_t brk = base + 10 * page;
    const std::uint32_t first = threads.map(0, 4 * page, brk)->address, second = threads.map(0, 4 * page, brk)->address;
    const std::uint32_t own = threads.map(0, 4 * page, brk)->address;
    for (const std::uint32_t stack : {first, second}) threads.has_stack(*threads.take(0), stack + 4 * page);
    CHECK(threads.stack_of(1) == first);
    CHECK(threads.stack_of(2) == second);
    CHECK_FALSE(threads.has_left_stack(1, first, brk));
    CHECK(threads.has_left_stack(1, first - 16, brk));  // in the second one's
    CHECK_FALSE(threads.has_left_stack(1, own + page, brk));
    CHECK_FALSE(threads.has_left_stack(2, own + page, brk));
    CHECK(threads.has_left_stack(2, own - 16, brk));
    CHECK_FALSE(threads.has_left_stack(2, brk - 16, brk));
    CHECK_FALSE(threads.has_left_stack(0, own - 16, brk));  // the first thread's stops by itself
    threads.has_stack(3, base + page);                      // in the heap
    CHECK(threads.stack_of(3) == 0);
    threads.give_back(2);
    CHECK_FALSE(threads.has_left_stack(1, first - 16, brk));  // nobody's stack any more
}

TEST_CASE("threads that are written down and read are the same, and what makes no sense is refused") {
    constexpr std::uint32_t page = Threads::page_bytes, brk = base + page;
    Threads threads(2, 4, {bytes}, 4);
    for (int i = 0; i < 3; ++i) threads.take(1);
    const std::uint32_t mapping = threads.map(1, 2 * page, brk)->address;
    threads.has_stack(3, mapping + 2 * page);
    threads.cleared_at_end(5) = base + 8;
    threads.wait(7, {base + 4, 1, Threads::Clock::now() + std::chrono::hours(1)});
    threads.wait(3, {base + 4, 1, {}});
    const Threads::Saved saved = threads.saved();
    Threads same(2, 4, {bytes}, 4);
    REQUIRE(same.restore(saved));
    CHECK(same.of_process(1) == Pes{1, 3, 5, 7});
    CHECK(same.cleared_at_end(5) == base + 8);
    CHECK(same.stack_of(3) == mapping);
    CHECK(same.floor(1) == mapping);
    CHECK(same.next_expiry());
    CHECK(same.wake(1, base + 4, 9, all_bits) == Pes{7, 3});
    const auto refuses = [&](auto change) {
        Threads::Saved other = saved;
        change(other);
        return !Threads(2, 4, {bytes}, 4).restore(other);
    };
    CHECK(refuses([](Threads::Saved &s) { s.threads.back().pe = 8; }));
    CHECK(refuses([](Threads::Saved &s) { s.threads.push_back(s.threads.front()); }));
    CHECK(refuses([](Threads::Saved &s) { s.waiting.front().address = base + bytes; }));
    CHECK(refuses([](Threads::Saved &s) { s.waiting.front().pe = 2; }));
    CHECK(refuses([](Threads::Saved &s) { s.next.front() = 4; }));
    CHECK(refuses([](Threads::Saved &s) { s.memory.front().mapped = {{base + bytes - page, 2 * page}}; }));
    CHECK(refuses([](Threads::Saved &s) { s.memory.front().process = 2; }));
}

TEST_CASE("clone starts a thread in a copy of the registers; its end clears a word and wakes who waits for that") {
    Fixture f(2);
    f.device.state[{1, MOG_S_PC}] = 3;
    f.device.state[{1, MOG_S_REGS + 3}] = 77;
    f.device.step({clone(1)});
    f.device.script.push_back([&](std::span<const std::uint32_t> active) -> Result<std::vector<Request>> {
        CHECK(Pes(active.begin(), active.end()) == Pes{0, 1, 3});
        const std::uint32_t tid = f.device.state[{1, row_v0}];
        CHECK(tid != 0);
        CHECK(f.device.state[{1, row_a3}] == 0);
        CHECK(f.word(1, base + 0x10) == tid);
        CHECK(f.device.state[{3, row_v0}] == 0);
        CHECK(f.device.state[{3, row_sp}] == base + 0x900);
        CHECK(f.device.state[{3, MOG_S_PC}] == 3);
        CHECK(f.device.state[{3, MOG_S_REGS + 3}] == 77);
        f.put(1, base + 0x20, tid);
        return std::vector<Request>{system_call(1, call_futex, {base + 0x20, FUTEX_WAIT_MIPS, tid, 0}), system_call(3, call_gettid)};
    });
    f.device.script.push_back([&](std::span<const std::uint32_t> active) -> Result<std::vector<Request>> {
        CHECK(Pes(active.begin(), active.end()) == Pes{0, 3});
        CHECK(f.device.state[{3, row_v0}] == f.word(1, base + 0x20));
        return std::vector<Request>{system_call(3, call_exit, {5})};
    });
    f.device.script.push_back([&](std::span<const std::uint32_t> active) -> Result<std::vector<Request>> {
        CHECK(Pes(active.begin(), active.end()) == Pes{0, 1});
        CHECK(f.word(1, base + 0x20) == 0);
        CHECK(f.device.state[{1, row_v0}] == 0);
        return std::vector<Request>{system_call(0, call_exit_group, {0}), system_call(1, call_exit, {6})};
    });
    const Result<RunResult> result = f.run();
    REQUIRE(result);
    CHECK(result->status == 6);
    CHECK(result->ranks_by_status.at(6) == Pes{1});
}

TEST_CASE("within a launch threads start, wait, wake each other and end") {
    Fixture f(1);
    f.config.options.deterministic = true;  // which other calls are kept for the round by
    f.device.script.push_back([&](std::span<const std::uint32_t>) -> Result<std::vector<Request>> {
        using Served = Device::Served;
        Pes woken;
        const auto served = [&](const Request &call) {
            woken.clear();
            return f.device.at_once.serve(call, woken);
        };
        CHECK(served(clone(0)) == Served::runs_on);
        CHECK(woken == Pes{1});
        f.put(0, base, 9);
        CHECK(served(system_call(1, call_futex, {base, FUTEX_WAIT_MIPS, 8, 0})) == Served::runs_on);  // it is not 8
        CHECK(f.device.state[{1, row_v0}] == to_guest_errno(EAGAIN));
        CHECK(served(system_call(1, call_futex, {base, FUTEX_WAIT_MIPS | FUTEX_PRIVATE_FLAG_MIPS, 9, 0})) == Served::rests);
        CHECK(served(system_call(0, call_sched_yield)) == Served::yields);
        CHECK(served(fault(0, MOG_STOP_YIELD, 0)) == Served::yields);
        CHECK(served(system_call(0, call_futex, {base, FUTEX_WAKE_MIPS, 1})) == Served::runs_on);
        CHECK(f.device.state[{0, row_v0}] == 1);
        CHECK(woken == Pes{1});
        CHECK(served(system_call(0, call_getpid)) == Served::later);
        CHECK(served(system_call(1, call_exit, {0})) == Served::rests);
        CHECK(served(system_call(0, call_exit, {0})) == Served::later);  // the last one
        return std::vector<Request>{};
    });
    REQUIRE(f.run());
}

TEST_CASE("a fault of one thread, or exit_group, ends its process and no other") {
    Fixture f(2);
    f.device.step({clone(0), clone(1)});
    f.device.step({fault(2, MOG_STOP_DIVIDE, 0), system_call(0, call_getpid), system_call(3, call_exit_group, {4})});
    const Result<RunResult> result = f.run();
    REQUIRE(result);
    CHECK(f.device.launched.size() == 2);
    CHECK(result->ranks_by_status.at(136) == Pes{0});
    CHECK(result->ranks_by_status.at(4) == Pes{1});
    CHECK(f.said().find("PE 0: thread 1: divides by zero") != std::string::npos);
}

TEST_CASE("a wait with a time ends by it; threads that all wait for each other are ended, and it is said who has the lock") {
    Fixture f(1);
    f.put(0, base + 0x40, 0);
    f.put(0, base + 0x44, 5'000'000);  // ns
    f.device.step({clone(0)});
    f.device.step({system_call(0, call_futex, {base, FUTEX_WAIT_MIPS, 0, base + 0x40}), system_call(1, call_sched_yield)});
    f.device.script.push_back([&](std::span<const std::uint32_t> active) -> Result<std::vector<Request>> {
        CHECK(Pes(active.begin(), active.end()) == Pes{1});
        f.put(0, base + 4, 0x80000001u);  // the first thread has the lock
        return std::vector<Request>{system_call(1, call_futex, {base + 4, FUTEX_WAIT_MIPS, 0x80000001u, 0})};
    });
    f.device.script.push_back([&](std::span<const std::uint32_t> active) -> Result<std::vector<Request>> {
        CHECK(Pes(active.begin(), active.end()) == Pes{0});
        CHECK(f.device.state[{0, row_v0}] == ETIMEDOUT_MIPS);
        CHECK(f.device.state[{0, row_a3}] == 1);
        return std::vector<Request>{system_call(0, call_futex, {base + 8, FUTEX_WAIT_MIPS, 0, 0})};
    });
    const Result<RunResult> result = f.run();
    REQUIRE(result);
    CHECK(result->status == 1);
    CHECK(f.said().find("deadlock: all threads wait for each other: thread 0 waits") != std::string::npos);
    CHECK(f.said().find("for the lock address 0x10000004, which thread 0 has") != std::string::npos);
}

TEST_CASE("no more threads than --threads says, which is said once; without threads there are none, nor mmap") {
    SUBCASE("two") {
        Fixture f(1, 2);
        f.device.step({clone(0)});
        f.device.step({clone(0)});
        f.device.step({clone(0)});
        REQUIRE(f.run());
        CHECK(f.device.state[{0, row_v0}] == to_guest_errno(EAGAIN));
        const std::string_view sentence = "all 2 threads of the process are in use";
        const std::size_t at = f.said().find(sentence);
        REQUIRE(at != std::string::npos);
        CHECK(f.said().find(sentence, at + 1) == std::string::npos);
    }
    SUBCASE("one") {
        Fixture f(1, 1);
        f.device.step({clone(0)});
        f.device.step({system_call(0, call_mmap2, {0, 4096, PROT_READ_MIPS, MAP_PRIVATE_MIPS | MAP_ANONYMOUS_MIPS, all_bits, 0})});
        REQUIRE(f.run());
        CHECK(f.device.state[{0, row_v0}] == ENOSYS_MIPS);
        CHECK(f.said().find("all 1 thread of the process are in use") != std::string::npos);
    }
}

TEST_CASE("memory is mapped with zeros, and the heap is told where it ends") {
    Fixture f(2);
    std::uint32_t first = 0;
    f.put(1, base + 4 * MOG_CB_BRK, base + 0x2000);
    const Request map = system_call(1, call_mmap2, {0, 5000, PROT_READ_MIPS, MAP_PRIVATE_MIPS | MAP_ANONYMOUS_MIPS, all_bits, 0});
    f.device.step({map});
    f.device.script.push_back([&](std::span<const std::uint32_t>) -> Result<std::vector<Request>> {
        first = f.device.state[{1, row_v0}];
        CHECK(f.word(1, base + 4 * MOG_CB_FLOOR) == first);
        CHECK(f.word(0, base + 4 * MOG_CB_FLOOR) == 0);
        f.put(1, first + 100, 1);
        return std::vector<Request>{system_call(1, call_munmap, {first, 5000})};
    });
    f.device.step({map});
    REQUIRE(f.run());
    CHECK(f.device.state[{1, row_v0}] == first);
    CHECK(f.word(1, first + 100) == 0);
}
