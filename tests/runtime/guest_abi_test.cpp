// guest_abi_test.cpp: numbers and layouts of MIPS o32, as Linux's headers have them.
#include <doctest/doctest.h>

#include <fcntl.h>

#include <cerrno>
#include <cstring>
#include <ctime>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "interp_templates/launch_abi.h"
#include "runtime_host/linux/guest_abi.hpp"
#include "runtime_host/linux/guest_names.hpp"

using namespace mog::guest;

TEST_CASE("error numbers") {
    CHECK(to_guest_errno(ENOENT) == 2);
    CHECK(to_guest_errno(ERANGE) == 34);
    CHECK(to_guest_errno(ENOSYS) == 89);
    CHECK(to_guest_errno(ENAMETOOLONG) == 78);
    CHECK(to_guest_errno(ENOTEMPTY) == 93);
    CHECK(to_guest_errno(EDQUOT) == 1133);
    CHECK(to_guest_errno(9999) == EINVAL);
}

TEST_CASE("every error of the host arrives as itself") {
    int names = 0;
    for (int error = 1; error < 4096; error++) {
        const char *name = strerrorname_np(error);
        if (!name) continue;
        names++;
        CAPTURE(name);
        const std::uint32_t number = to_guest_errno(error);
        CHECK((number == EINVAL) == (error == EINVAL));
        CHECK(errno_text(number) == std::string(name) + " (" + strerrordesc_np(error) + ")");
    }
    CHECK(names >= 130);
    // Those of sockets that a PE can be told of through an open file of the host.
    CHECK(to_guest_errno(ENOTCONN) == 134);
    CHECK(to_guest_errno(EHOSTDOWN) == 147);
    CHECK(to_guest_errno(EOWNERDEAD) == 165);
    CHECK(to_guest_errno(EIDRM) == 36);
}

TEST_CASE("flags of the *at calls") {
    CHECK(to_host_at_flags(0) == 0);
    CHECK(to_host_at_flags(0x1100) == (AT_SYMLINK_NOFOLLOW | AT_EMPTY_PATH));
    CHECK(to_host_at_flags(0x600) == (AT_REMOVEDIR | AT_SYMLINK_FOLLOW));
    CHECK_FALSE(to_host_at_flags(0x800).has_value());
}

TEST_CASE("record locks, in both structures") {
    CHECK(flock_bytes(*lock_command(14)) == 36);
    CHECK(flock_bytes(*lock_command(35)) == 32);
    CHECK(lock_command(6)->what == LockCommand::Set);
    CHECK(lock_command(34)->wide);
    CHECK_FALSE(lock_command(1).has_value());
    for (const bool wide : {false, true}) {
        CAPTURE(wide);
        const FileLock lock{1, 2, -7, wide ? std::int64_t{1} << 40 : 1 << 30, 4711};
        const std::vector<std::uint8_t> old(wide ? 32 : 36, 0xee);
        const std::vector<std::uint8_t> guest = to_guest_flock(lock, old, wide);
        REQUIRE(guest.size() == old.size());
        CHECK(get32(&guest[0]) == 0x00020001);
        CHECK(get32(&guest[wide ? 8 : 4]) == 0xfffffff9);
        CHECK(get32(&guest[wide ? 24 : 16]) == 4711);
        CHECK(guest[wide ? 28 : 20] == 0xee);  // what the structure has beside stays
        const FileLock back = to_host_flock(guest, wide);
        CHECK(back.type == lock.type);
        CHECK(back.whence == lock.whence);
        CHECK(back.start == lock.start);
        CHECK(back.length == lock.length);
        // Nothing in the way: only the type is told.
        const std::vector<std::uint8_t> free = to_guest_flock({2, 0, 5, 5, 5}, guest, wide);
        CHECK(get32(&free[0]) == 2);
        CHECK(get32(&free[wide ? 8 : 4]) == 0xfffffff9);
    }
}

TEST_CASE("other structures") {
    const auto terminal = guest_termios();
    CHECK(get32(&terminal[0]) == 0x0500);
    CHECK(get32(&terminal[4]) == 0x0005);
    CHECK(get32(&terminal[8]) == 0x00bf);
    CHECK(get32(&terminal[12]) == 0x013b);  // IEXTEN is 0x8000 on other machines, and here TOSTOP
    CHECK(get32(to_guest_winsize(24, 80).data()) == (24 | 80 << 16));
    CHECK(get32(guest_rlimit(5, 64, 1 << 20)->data()) == 64);
    CHECK(get32(guest_rlimit(2, 64, 1 << 20)->data() + 4) == 1 << 20);
    CHECK(get32(guest_rlimit(0, 64, 1 << 20)->data()) == 0x7fffffff);
    CHECK_FALSE(guest_rlimit(16, 64, 1 << 20).has_value());
    CHECK(get32(to_guest_rusage({3, 5000}, 77).data() + 16) == 77);
    CHECK(handler_of_sigaction(to_guest_sigaction(0x1234)) == 0x1234);
    struct utsname host {};
    std::strcpy(host.nodename, "here");
    const auto names = to_guest_utsname(host);
    CHECK(std::string(reinterpret_cast<const char *>(&names[65])) == "here");
    CHECK(std::string(reinterpret_cast<const char *>(&names[4 * 65])) == "mips");
    std::array<std::uint8_t, 16> polled{};
    put32(&polled[8], 0xffffffff);
    put32(&polled[12], 0x00040001);
    CHECK(to_host_pollfd(polled, 1).fd == -1);
    CHECK(to_host_pollfd(polled, 1).events == 1);
    CHECK(to_host_pollfd(polled, 1).revents == 4);
    put_revents(polled, 0, 0x20);
    CHECK(get32(&polled[4]) == 0x00200000);
}

TEST_CASE("clocks and names") {
    CHECK(to_host_clock(1) == CLOCK_MONOTONIC);
    CHECK(to_host_clock(7) == CLOCK_BOOTTIME);
    CHECK_FALSE(to_host_clock(8).has_value());
    CHECK(call_name(4001) == "exit");
    CHECK(call_name(4002) == "fork");
    CHECK(call_name(4499) == "mog_native_call");
    CHECK(call_name(4496).empty());
}

TEST_CASE("open flags, both ways") {
    CHECK(to_host_open_flags(0x0301) == (O_WRONLY | O_CREAT | O_TRUNC));
    CHECK(to_host_open_flags(0x010a) == (O_RDWR | O_CREAT | O_APPEND));
    CHECK(to_host_open_flags(0x2000) == O_RDONLY);
    CHECK(to_host_open_flags(0x4010) == O_SYNC);
    CHECK_FALSE(to_host_open_flags(3).has_value());
    CHECK_FALSE(to_host_open_flags(0x40000000).has_value());
    for (int flags : {O_RDONLY, O_RDWR | O_APPEND, O_WRONLY | O_CREAT | O_EXCL, O_RDONLY | O_NONBLOCK})
        CHECK(to_host_open_flags(to_guest_open_flags(flags)) == flags);
}

TEST_CASE("struct stat64") {
    struct stat host {};
    host.st_ino = 0x1122334455667788;
    host.st_mode = 0100644;
    host.st_size = 0x123456789a;
    host.st_mtim = {1000, 999};
    auto guest = to_guest_stat64(host);
    CHECK(get32(&guest[16]) == 0x55667788);
    CHECK(get32(&guest[20]) == 0x11223344);
    CHECK(get32(&guest[24]) == 0100644);
    CHECK(get32(&guest[56]) == 0x3456789a);
    CHECK(get32(&guest[60]) == 0x12);
    CHECK(get32(&guest[72]) == 1000);
    CHECK(get32(&guest[76]) == 999);
}

TEST_CASE("times") {
    struct timespec t {
        7, 123'456'789
    };
    CHECK(get32(to_guest_timespec(t).data() + 4) == 123'456'789);
    CHECK(get32(to_guest_timeval(t).data() + 4) == 123'456);
    auto back = to_host_timespec(to_guest_timespec(t));
    REQUIRE(back);
    CHECK(back->tv_nsec == t.tv_nsec);
    std::array<std::uint8_t, 8> bad{};
    put32(&bad[4], 1'000'000'000);
    CHECK_FALSE(to_host_timespec(bad));
}

TEST_CASE("the signals that stops amount to, which launch_abi.h has as numbers, for kernels include nothing") {
    const std::pair<std::string_view, std::uint32_t> wanted[] = {{"LOAD_RANGE", SIGSEGV_MIPS},
                                                                 {"STORE_RANGE", SIGSEGV_MIPS},
                                                                 {"LOAD_ALIGN", SIGBUS_MIPS},
                                                                 {"STORE_ALIGN", SIGBUS_MIPS},
                                                                 {"JUMP_RANGE", SIGSEGV_MIPS},
                                                                 {"STACK", SIGSEGV_MIPS},
                                                                 {"TRAP", SIGTRAP_MIPS},
                                                                 {"BREAK", SIGTRAP_MIPS},
                                                                 {"DIVIDE", SIGFPE_MIPS},
                                                                 {"OVERFLOW", SIGFPE_MIPS},
                                                                 {"ILLEGAL", SIGILL_MIPS},
                                                                 {"FPU", SIGFPE_MIPS},
                                                                 {"BAD_OPCODE", SIGILL_MIPS},
                                                                 {"RUNNING", 0},
                                                                 {"SYS", 0},
                                                                 {"YIELD", 0}};
#define MOG_SIGNAL_OF_STOP(name, code, signal, sentence) {#name, signal},
    const std::map<std::string_view, std::uint32_t> stops{MOG_STOPS(MOG_SIGNAL_OF_STOP)};
    const std::map<std::string_view, std::uint32_t> all(std::begin(wanted), std::end(wanted));
    CHECK(stops == all);
}

TEST_CASE("signals") {
    CHECK(signal_name(10) == "SIGBUS");  // 7 on most other machines
    CHECK(signal_name(40).empty());
    CHECK(signal_is_harmless(18));
    CHECK(signal_is_harmless(0));
    CHECK_FALSE(signal_is_harmless(15));
}
