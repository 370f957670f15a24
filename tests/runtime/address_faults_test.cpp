// address_faults_test.cpp: what native code leaves to the processor: where a fault leads, whose it is, and memory that no address leads out
// of.
#include <doctest/doctest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "interp_templates/launch_abi.h"
#include "runtime_host/devices/host/native/address_faults.hpp"
#include "runtime_host/devices/host/pe_windows.hpp"

using namespace mog;

namespace {

/// How a child ends in which `what` is done: its signal, or 0.
template <typename F>
int signal_of(F what) {
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        const struct rlimit no_core = {0, 0};
        setrlimit(RLIMIT_CORE, &no_core);
        signal(SIGALRM, SIG_DFL);
        alarm(20);
        what();
        _exit(0);
    }
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

/// Whether a byte there can be read, as the system sees it.
bool is_mapped(const std::uint8_t *byte) {
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    const bool done = write(ends[1], byte, 1) == 1;
    if (!done) CHECK(errno == EFAULT);
    close(ends[0]);
    close(ends[1]);
    return done;
}

}  // namespace

TEST_CASE("an instruction that faults leads to its own way out, of whatever code it is") {
    static const char old_code[64] = {}, code[100] = {};
    FaultSites sites;
    CHECK(sites.stop_of(code) == nullptr);
    sites.add(old_code, sizeof old_code, {{0, 4, 40}});
    sites.add(code, sizeof code, {{10, 14, 70}, {20, 28, 80}, {28, 30, 90}});
    CHECK(sites.stop_of(code + 9) == nullptr);
    CHECK(sites.stop_of(code + 10) == code + 70);
    CHECK(sites.stop_of(code + 13) == code + 70);
    CHECK(sites.stop_of(code + 14) == nullptr);
    CHECK(sites.stop_of(code + 27) == code + 80);
    CHECK(sites.stop_of(code + 28) == code + 90);
    CHECK(sites.stop_of(code + 70) == nullptr);
    CHECK(sites.stop_of(code + sizeof code) == nullptr);
    CHECK(sites.stop_of(old_code + 3) == old_code + 40);
    CHECK(sites.stop_of(old_code + 4) == nullptr);
}

TEST_CASE("a fault of anything else is what it was") {
    if (!processor_checks_addresses()) return;
    const auto write_to_nowhere = [] { *reinterpret_cast<volatile int *>(std::uintptr_t{64}) = 1; };
    CHECK(signal_of(write_to_nowhere) == SIGSEGV);
    CHECK(signal_of([&] {
              const FaultSites none;
              const FaultsLeadOut faults(none);
              write_to_nowhere();
          }) == SIGSEGV);
    CHECK(signal_of([] { raise(SIGBUS); }) == SIGBUS);
    // Programs that compilers made access words where they like.
    alignas(8) char bytes[16] = {};
    CHECK(signal_of([&] { *reinterpret_cast<volatile int *>(bytes + 1) = 1; }) == 0);
}

TEST_CASE("no address of a PE leads out of its window") {
    const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    auto windows = PeWindows::reserve(3, 2 * page);
    REQUIRE(windows);
    constexpr std::uint64_t most_added = 1u << 20, addresses = std::uint64_t{1} << 32;
    for (std::uint32_t pe = 0; pe < 3; ++pe) {
        std::uint8_t *const data = windows->data(pe);
        for (std::uint64_t i = 0; i < 2 * page; i += page - 1) CHECK(data[i] == 0);
        data[0] = data[2 * page - 1] = static_cast<std::uint8_t>(pe + 1);
        for (const std::uint64_t below : {std::uint64_t{1}, page, std::uint64_t{MOG_DATA_BASE}, MOG_DATA_BASE + most_added})
            CHECK_FALSE(is_mapped(data - below));
        for (const std::uint64_t above : {2 * page, addresses / 2, addresses - MOG_DATA_BASE - 1, addresses - MOG_DATA_BASE + most_added})
            CHECK_FALSE(is_mapped(data + above));
    }
    PeWindows moved = *std::move(windows);
    for (std::uint32_t pe = 0; pe < 3; ++pe) {
        CHECK(moved.data(pe)[2 * page - 1] == pe + 1);
        CHECK(is_mapped(moved.data(pe)));
    }
}

TEST_CASE("there are no windows for too many PEs, for parts of pages, and where the system gives none") {
    const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
    CHECK_FALSE(PeWindows::reserve(PeWindows::most_pes + 1, page));
    CHECK_FALSE(PeWindows::reserve(1, page + 16));
    CHECK_FALSE(PeWindows::reserve(1, 0));
    CHECK(signal_of([&] {
              const struct rlimit little = {1u << 30, 1u << 30};
              setrlimit(RLIMIT_AS, &little);
              if (PeWindows::reserve(1, page)) abort();
          }) == 0);
}
