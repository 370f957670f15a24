// strace_test.cpp: lines of --strace, for calls that a test makes up: what they read, what they filled, and what came of them.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "runtime_host/linux/guest_abi.hpp"
#include "runtime_host/linux/strace.hpp"

using namespace mog;

namespace {

constexpr std::uint32_t base = MOG_DATA_BASE;

std::vector<std::uint8_t> bytes_of(std::string_view text) { return {text.begin(), text.end()}; }
std::vector<std::uint8_t> words_of(std::initializer_list<std::uint32_t> words) {
    std::vector<std::uint8_t> bytes(4 * words.size());
    std::uint8_t *at = bytes.data();
    for (const std::uint32_t word : words) guest::put32(std::exchange(at, at + 4), word);
    return bytes;
}

/// A call under way: its arguments, what it read (in the order of the arguments), and what it filled.
struct Traced {
    std::uint32_t number;
    std::array<std::uint32_t, 8> args{};
    std::vector<std::vector<std::uint8_t>> read{};
    std::vector<std::pair<std::uint32_t, std::vector<std::uint8_t>>> filled{};

    std::string line(std::int32_t result) const { return text(result, strace_line); }
    std::string line_without_result() const { return text(0, strace_line_without_result); }

private:
    std::string text(std::int32_t result, std::string (*tell)(const TracedCall &)) const {
        Replies replies;
        // What another call of this round filled comes before.
        std::ranges::fill(replies.add(0, base + 0x100, 64), std::uint8_t{0xff});
        const std::size_t first = replies.transfers().size();
        for (const auto &[address, bytes] : filled)
            std::memcpy(replies.add(0, address, static_cast<std::uint32_t>(bytes.size())).data(), bytes.data(), bytes.size());
        std::array<std::optional<std::span<const std::uint8_t>>, 2> input;
        for (std::size_t i = 0; i < read.size(); i++) input[i] = read[i];
        const SyscallRow *row = find_syscall(number);
        REQUIRE(row);
        return tell({*row, args, input, replies, first, result});
    }
};

}  // namespace

TEST_CASE("paths, flags and modes") {
    Traced open{guest::call_open, {base, 0x0301, 0644}, {bytes_of("a \"name\"\n")}};
    CHECK(open.line(3) == R"(open("a \"name\"\n", O_WRONLY|O_CREAT|O_TRUNC, 0644) = 3)");
    open.args[1] = 0;
    CHECK(open.line(-2) == R"(open("a \"name\"\n", O_RDONLY) = -1 ENOENT (No such file or directory))");
    open.args[1] = 0x40000001;
    CHECK(open.line(-22) == R"(open("a \"name\"\n", O_WRONLY|0x40000000) = -1 EINVAL (Invalid argument))");
    const Traced at{guest::call_fstatat64, {0xffffff9c, base, 0, 0x1100}, {bytes_of("x")}};
    CHECK(at.line(-14) == R"(fstatat64(AT_FDCWD, "x", NULL, AT_SYMLINK_NOFOLLOW|AT_EMPTY_PATH) = -1 EFAULT (Bad address))");
    // A path that could not be read is an address.
    const Traced bad{guest::call_unlink, {base + 0x55}};
    CHECK(bad.line(-14) == "unlink(0x10000055) = -1 EFAULT (Bad address)");
}

TEST_CASE("bytes that are read and written are cut after 32") {
    const std::string text = "0123456789abcdefghijklmnopqrstuvwxyz";
    const Traced write{guest::call_write, {1, base, 36}, {bytes_of(text)}};
    CHECK(write.line(36) == R"(write(1, "0123456789abcdefghijklmnopqrstuv"..., 36) = 36)");
    Traced read{guest::call_read, {0, base + 0x200, 100}, {}, {{base + 0x200, bytes_of("one\n")}}};
    CHECK(read.line(4) == R"(read(0, "one\n", 100) = 4)");
    CHECK(read.line(0) == R"(read(0, "", 100) = 0)");
    read.filled.clear();
    CHECK(read.line(-9) == "read(0, 0x10000200, 100) = -1 EBADF (Bad file descriptor)");
}

TEST_CASE("structures that calls fill") {
    linux_stat64 status{};
    status.mode = 0100644;
    status.size = 0x123456789a;
    const auto raw = guest::bytes_of(status);
    const Traced fstat{guest::call_fstat64, {3, base + 0x300}, {}, {{base + 0x300, {raw.begin(), raw.end()}}}};
    CHECK(fstat.line(0) == "fstat64(3, {st_mode=S_IFREG|0644, st_size=78187493530, ...}) = 0");
    const Traced clock{guest::call_clock_gettime, {1, base}, {}, {{base, words_of({12, 345})}}};
    CHECK(clock.line(0) == "clock_gettime(CLOCK_MONOTONIC, {tv_sec=12, tv_nsec=345}) = 0");
    const Traced wide{guest::call_clock_gettime64, {0, base}, {}, {{base, words_of({1, 1, 345, 0})}}};
    CHECK(wide.line(0) == "clock_gettime64(CLOCK_REALTIME, {tv_sec=4294967297, tv_nsec=345}) = 0");
    const Traced pipe{guest::call_pipe2, {base, 0x80000}, {}, {{base, words_of({3, 4})}}};
    CHECK(pipe.line(0) == "pipe2([3, 4], O_CLOEXEC) = 0");
    const Traced limit{guest::call_getrlimit, {5, base}, {}, {{base, words_of({1024, 2048})}}};
    CHECK(limit.line(0) == "getrlimit(5, {rlim_cur=1024, rlim_max=2048}) = 0");
    struct utsname host {};
    std::strcpy(host.sysname, "Linux");
    std::strcpy(host.nodename, "here");
    const auto names = guest::to_guest_utsname(host);
    const Traced uname{guest::call_uname, {base}, {}, {{base, {names.begin(), names.end()}}}};
    CHECK(uname.line(0) == R"(uname({sysname="Linux", nodename="here", ...}) = 0)");
    // Two entries of 24 bytes: inode, place, length, kind and name.
    std::vector<std::uint8_t> entries(48);
    for (const std::size_t at : {0u, 24u}) entries[at + 16] = 24;
    const Traced directory{guest::call_getdents64, {3, base, 4096}, {}, {{base, entries}}};
    CHECK(directory.line(48) == "getdents64(3, 0x10000000 /* 2 entries */, 4096) = 48");
}

TEST_CASE("times that a call reads, and utimensat's special ones") {
    const Traced sleep{guest::call_nanosleep, {base, 0}, {words_of({1, 500})}};
    CHECK(sleep.line(0) == "nanosleep({tv_sec=1, tv_nsec=500}, NULL) = 0");
    const Traced times{guest::call_utimensat, {3, base, base + 8, 0}, {bytes_of("f"), words_of({0, 0x3fffffff, 7, 0x3ffffffe})}};
    CHECK(times.line(0) == R"(utimensat(3, "f", [UTIME_NOW, UTIME_OMIT], 0) = 0)");
}

TEST_CASE("fcntl shows what its command takes and gives") {
    Traced fcntl{guest::call_fcntl, {3, guest::F_GETFL_MIPS, 0}};
    CHECK(fcntl.line(0x8) == "fcntl(3, F_GETFL) = 0x8 (flags O_RDONLY|O_APPEND)");
    fcntl.args[1] = guest::F_GETFD_MIPS;
    CHECK(fcntl.line(1) == "fcntl(3, F_GETFD) = 0x1 (flags FD_CLOEXEC)");
    fcntl.args[1] = guest::F_SETFD_MIPS;
    fcntl.args[2] = 1;
    CHECK(fcntl.line(0) == "fcntl(3, F_SETFD, FD_CLOEXEC) = 0");
    fcntl.args[1] = 77;
    CHECK(fcntl.line(-22) == "fcntl(3, 0x4d, 1) = -1 EINVAL (Invalid argument)");
    const linux_flock narrow{1, 0, 5, 10, 0, 0, {}};
    const auto raw = guest::bytes_of(narrow);
    Traced lock{guest::call_fcntl, {3, guest::F_SETLK_MIPS, base}, {{raw.begin(), raw.end()}}};
    CHECK(lock.line(0) == "fcntl(3, F_SETLK, {l_type=F_WRLCK, l_whence=SEEK_SET, l_start=5, l_len=10}) = 0");
    const linux_flock64 wide{2, 2, 0, std::int64_t{1} << 33, 0, 0, 0};
    const auto answer = guest::bytes_of(wide);
    Traced get{guest::call_fcntl64, {3, guest::F_GETLK64_MIPS, base}, {{answer.begin(), answer.end()}}};
    CHECK(get.line(0) == "fcntl64(3, F_GETLK64, {l_type=F_UNLCK, l_whence=SEEK_END, l_start=8589934592, l_len=0}) = 0");
    get.read[0].resize(20);  // not all of it could be read
    CHECK(get.line(-14) == "fcntl64(3, F_GETLK64, 0x10000000) = -1 EFAULT (Bad address)");
}

TEST_CASE("poll shows what is asked for and what was found; ioctl what it gave") {
    Traced poll{guest::call_poll, {base, 2, 100}, {words_of({0, 0x0001, 1, 0x0005})}};
    CHECK(poll.line(0) == "poll([{fd=0, events=POLLIN}, {fd=1, events=POLLIN|POLLOUT}], 2, 100) = 0 (Timeout)");
    poll.filled = {{base, words_of({0, 0x00100001, 1, 0x00000005})}};
    CHECK(poll.line(1) == "poll([{fd=0, events=POLLIN}, {fd=1, events=POLLIN|POLLOUT}], 2, 100) = 1 ([{fd=0, revents=POLLHUP}])");
    const Traced ioctl{guest::call_ioctl, {0, guest::FIONREAD_MIPS, base}, {}, {{base, words_of({42})}}};
    CHECK(ioctl.line(0) == "ioctl(0, FIONREAD, [42]) = 0");
}

TEST_CASE("calls that do not return, and calls that there are not") {
    const Traced exit{guest::call_exit, {7}};
    CHECK(exit.line_without_result() == "exit(7) = ?");
    const std::array<std::uint32_t, 8> args{1, 2, 3, 0xffffffff};
    CHECK(strace_line_unknown(guest::call_fork, args, -89) == "fork(0x1, 0x2, 0x3, 0xffffffff) = -1 ENOSYS (Function not implemented)");
    CHECK(strace_line_unknown(4999, args, -89).starts_with("syscall_4999("));
    const Traced brk{guest::call_brk, {0}};
    CHECK(brk.line(static_cast<std::int32_t>(base + 0x1000)) == "brk(NULL) = 0x10001000");
    const Traced umask{guest::call_umask, {022}};
    CHECK(umask.line(0) == "umask(022) = 000");
}
