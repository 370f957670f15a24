// guest_abi_test.cpp: numbers and layouts of MIPS o32, as Linux's headers have them.
#include <doctest/doctest.h>

#include <fcntl.h>

#include <cerrno>
#include <ctime>

#include "runtime_host/linux/guest_abi.hpp"

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

TEST_CASE("signals") {
    CHECK(signal_name(10) == "SIGBUS");  // 7 on most other machines
    CHECK(signal_name(40).empty());
    CHECK(signal_is_harmless(18));
    CHECK(signal_is_harmless(0));
    CHECK_FALSE(signal_is_harmless(15));
}
