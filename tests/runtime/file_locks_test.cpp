// file_locks_test.cpp: record locks and whole-file locks of PEs: against each other, against the rest of the host, and how they end.
#include <doctest/doctest.h>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <memory>
#include <string>

#include "runtime_host/linux/file_locks.hpp"
#include "runtime_host/linux/files.hpp"

using namespace mog;
using Kind = RecordLock::Kind;

namespace {

/// A file of the host that PEs have open. What an OpenFile does beside is not asked for here.
class LockedFile final : public OpenFile {
public:
    LockedFile(const std::string &path, int mode) : fd_(open(path.c_str(), mode | O_CLOEXEC)) {
        REQUIRE(fd_);
        flags = mode;
    }
    HostResult read(std::span<std::uint8_t>) override { return -ESPIPE; }
    HostResult write(std::uint32_t, std::span<const std::uint8_t>) override { return -ESPIPE; }
    HostResult seek(std::int64_t, int) override { return -ESPIPE; }
    int status(struct stat *out) const override { return fstat(fd_.get(), out) == 0 ? 0 : -errno; }
    int truncate(std::int64_t) override { return -EINVAL; }
    int host_fd() const override { return fd_.get(); }

private:
    OwnedFd fd_;
};

struct Fixture {
    std::string path = [] {
        char name[] = "/tmp/mog_locks_XXXXXX";
        const int fd = mkstemp(name);
        REQUIRE(fd >= 0);
        close(fd);
        return std::string(name);
    }();
    FileLocks locks;
    LockedFile file{path, O_RDWR};
    std::int64_t blocker = -1;

    ~Fixture() { unlink(path.c_str()); }
    int set(std::uint32_t rank, Kind kind, std::int64_t begin, std::int64_t end) {
        return locks.set(file, {kind, begin, end, rank}, &blocker);
    }
    RecordLock in_the_way_of(std::uint32_t rank, Kind kind, std::int64_t begin, std::int64_t end) {
        RecordLock found;
        CHECK(locks.test(file, {kind, begin, end, rank}, &found) == 0);
        return found;
    }
    /// What another process of the host would meet: the kind of a lock in the way of writing there, F_UNLCK: none.
    int seen_by_host(std::int64_t begin, std::int64_t length) const {
        OwnedFd other(open(path.c_str(), O_RDWR | O_CLOEXEC));
        struct flock lock {};
        lock.l_type = F_WRLCK;
        lock.l_whence = SEEK_SET;
        lock.l_start = begin;
        lock.l_len = length;
        CHECK(fcntl(other.get(), F_OFD_GETLK, &lock) == 0);
        return lock.l_type;
    }
};

}  // namespace

TEST_CASE_FIXTURE(Fixture, "record locks of PEs: readers share, writers do not, and who has it is told") {
    CHECK(set(1, Kind::Read, 0, 10) == 0);
    CHECK(set(2, Kind::Read, 5, 15) == 0);
    CHECK(set(3, Kind::Write, 12, 20) == EAGAIN);
    CHECK(blocker == 2);
    CHECK(set(3, Kind::Write, 15, 20) == 0);
    CHECK(blocker == -1);
    CHECK(set(1, Kind::Read, 19, 30) == EAGAIN);
    CHECK(blocker == 3);
    // The first one in the file is told.
    const RecordLock found = in_the_way_of(4, Kind::Write, 0, INT64_MAX);
    CHECK(found.rank == 1);
    CHECK(found.begin == 0);
    CHECK(found.end == 10);
    CHECK(found.kind == Kind::Read);
    CHECK(in_the_way_of(4, Kind::Read, 0, 15).kind == Kind::None);
    CHECK(in_the_way_of(3, Kind::Write, 15, 20).kind == Kind::None);  // its own is not in its way
}

TEST_CASE_FIXTURE(Fixture, "a range is taken out of a lock, and touching ones of a kind become one") {
    CHECK(set(1, Kind::Write, 0, 30) == 0);
    CHECK(set(1, Kind::None, 10, 20) == 0);
    CHECK(in_the_way_of(2, Kind::Write, 10, 20).kind == Kind::None);
    CHECK(in_the_way_of(2, Kind::Write, 9, 10).end == 10);
    CHECK(in_the_way_of(2, Kind::Write, 20, 21).begin == 20);
    CHECK(set(1, Kind::Write, 10, 20) == 0);
    const RecordLock whole = in_the_way_of(2, Kind::Read, 15, 16);
    CHECK(whole.begin == 0);
    CHECK(whole.end == 30);
    // Another kind takes its part of the range.
    CHECK(set(1, Kind::Read, 10, 20) == 0);
    CHECK(in_the_way_of(2, Kind::Read, 10, 20).kind == Kind::None);
    CHECK(in_the_way_of(2, Kind::Read, 0, 30).end == 10);
}

TEST_CASE_FIXTURE(Fixture, "the host sees the union of what PEs have locked") {
    CHECK(seen_by_host(0, 100) == F_UNLCK);
    CHECK(set(1, Kind::Read, 0, 20) == 0);
    CHECK(set(2, Kind::Read, 10, 30) == 0);
    CHECK(seen_by_host(0, 10) == F_RDLCK);
    CHECK(set(1, Kind::None, 0, INT64_MAX) == 0);
    CHECK(seen_by_host(0, 10) == F_UNLCK);
    CHECK(seen_by_host(10, 10) == F_RDLCK);  // PE 2 still has it
    locks.ended(2);
    CHECK(seen_by_host(0, 0) == F_UNLCK);
}

TEST_CASE_FIXTURE(Fixture, "what another process of the host has locked, no PE gets") {
    OwnedFd other(open(path.c_str(), O_RDWR | O_CLOEXEC));
    struct flock lock {};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    lock.l_start = 5;
    lock.l_len = 5;
    REQUIRE(fcntl(other.get(), F_OFD_SETLK, &lock) == 0);
    CHECK(set(1, Kind::Read, 0, 10) == EAGAIN);
    CHECK(blocker == -1);  // no PE that could be waited for
    CHECK(set(1, Kind::Read, 0, 5) == 0);
    const RecordLock found = in_the_way_of(1, Kind::Write, 0, 100);
    CHECK(found.kind == Kind::Write);
    CHECK(found.begin == 5);
    CHECK(found.end == 10);
}

TEST_CASE_FIXTURE(Fixture, "a file that is open in one way only is not locked in the other one") {
    LockedFile readable{path, O_RDONLY};
    REQUIRE(chmod(path.c_str(), 0400) == 0);
    FileLocks own;
    // Whoever may do anything opens it for both.
    const int expected = access(path.c_str(), W_OK) == 0 ? 0 : ENOLCK;
    CHECK(own.set(readable, {Kind::Write, 0, 1, 1}, &blocker) == expected);
    CHECK(own.set(readable, {Kind::Read, 0, 1, 1}, &blocker) == 0);
}

TEST_CASE_FIXTURE(Fixture, "closing any descriptor of the file ends all record locks of the PE on it, and of no other") {
    CHECK(set(1, Kind::Write, 0, 10) == 0);
    CHECK(set(2, Kind::Write, 20, 30) == 0);
    LockedFile again{path, O_RDONLY};
    locks.closed(1, again);
    CHECK(in_the_way_of(3, Kind::Write, 0, 10).kind == Kind::None);
    CHECK(in_the_way_of(3, Kind::Write, 20, 30).rank == 2);
}

TEST_CASE_FIXTURE(Fixture, "PEs that would wait for each other in a circle are told") {
    CHECK_FALSE(locks.closes_circle(1, 2));
    CHECK_FALSE(locks.closes_circle(2, 3));
    CHECK(locks.closes_circle(3, 1));
    CHECK(locks.closes_circle(2, 2));
    CHECK_FALSE(locks.closes_circle(4, 1));
    CHECK_FALSE(locks.closes_circle(3, -1));  // for a process of the host, of which nothing is known
    locks.stops_waiting(1);
    CHECK_FALSE(locks.closes_circle(3, 1));
}

TEST_CASE_FIXTURE(Fixture, "locks of files as a whole belong to open files, and end with them") {
    auto first = std::make_unique<LockedFile>(path, O_RDWR);
    LockedFile second{path, O_RDWR};
    CHECK(locks.lock_whole(*first, Kind::Read) == 0);
    CHECK(locks.lock_whole(second, Kind::Read) == 0);
    CHECK(locks.lock_whole(second, Kind::Write) == EAGAIN);  // and what it had is lost
    CHECK(locks.lock_whole(*first, Kind::Write) == 0);
    OwnedFd other(open(path.c_str(), O_RDWR | O_CLOEXEC));
    CHECK(flock(other.get(), LOCK_SH | LOCK_NB) == -1);
    CHECK(locks.lock_whole(second, Kind::Read) == EAGAIN);
    first.reset();
    CHECK(flock(other.get(), LOCK_EX | LOCK_NB) == 0);
    CHECK(locks.lock_whole(second, Kind::Read) == EAGAIN);  // the host has it
    flock(other.get(), LOCK_UN);
    CHECK(locks.lock_whole(second, Kind::Write) == 0);
    CHECK(locks.lock_whole(second, Kind::None) == 0);
    CHECK(flock(other.get(), LOCK_EX | LOCK_NB) == 0);
}

TEST_CASE_FIXTURE(Fixture, "how many records are kept has a bound") {
    FileLocks few(3);
    for (std::int64_t i = 0; i < 3; i++) CHECK(few.set(file, {Kind::Write, 10 * i, 10 * i + 1, 1}, &blocker) == 0);
    CHECK(few.set(file, {Kind::Write, 100, 101, 1}, &blocker) == ENOLCK);
    CHECK(few.set(file, {Kind::None, 0, 1, 1}, &blocker) == 0);
    CHECK(few.set(file, {Kind::Write, 100, 101, 1}, &blocker) == 0);
    few.ended(1);
    // Of one file.
    for (std::int64_t i = 0; i < 4096; i++) REQUIRE(set(1, Kind::Read, 2 * i, 2 * i + 1) == 0);
    CHECK(set(1, Kind::Read, 100000, 100001) == ENOLCK);
    locks.ended(1);
    CHECK(set(1, Kind::Read, 100000, 100001) == 0);
}
