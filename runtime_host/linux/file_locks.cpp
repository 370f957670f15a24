// file_locks.cpp: the locks that PEs have, kept here, and their union, kept on the host.
//
// The host sees one process, whose descriptors PEs share, so its own locks cannot tell PEs apart. What PEs hold is noted
// here. Against others of the host, one open file for each locked file holds their union: record locks as "open file
// description locks" (F_OFD_SETLK), which closing another descriptor of the file does not drop, and flock().
#include "runtime_host/linux/file_locks.hpp"

#include <fcntl.h>
#include <sys/file.h>

#include <algorithm>
#include <cerrno>
#include <string>

#include "runtime_host/linux/files.hpp"

namespace mog {

namespace {

using LockKind = RecordLock::Kind;

constexpr std::size_t most_records = 4096;  // of one file; see usual_most_in_all

bool overlap(const RecordLock &lock, std::int64_t begin, std::int64_t end) { return lock.begin < end && begin < lock.end; }

bool exclude(LockKind a, LockKind b) { return a == LockKind::Write || b == LockKind::Write; }

struct flock host_lock(LockKind kind, std::int64_t begin, std::int64_t end) {
    struct flock lock {};
    lock.l_type = static_cast<short>(kind == LockKind::Write ? F_WRLCK : kind == LockKind::Read ? F_RDLCK : F_UNLCK);
    lock.l_whence = SEEK_SET;
    lock.l_start = begin;
    lock.l_len = end == INT64_MAX ? 0 : end - begin;
    return lock;
}

/// A PE's records without what they have between `begin` and `end`.
void carve(std::vector<RecordLock> &records, std::uint32_t rank, std::int64_t begin, std::int64_t end) {
    std::vector<RecordLock> left;
    for (const RecordLock &lock : records) {
        if (lock.rank != rank || !overlap(lock, begin, end)) {
            left.push_back(lock);
            continue;
        }
        if (lock.begin < begin) left.push_back({lock.kind, lock.begin, begin, rank});
        if (lock.end > end) left.push_back({lock.kind, end, lock.end, rank});
    }
    records = std::move(left);
}

/// Adds a record, joined with those of its kind that it touches.
void add(std::vector<RecordLock> &records, RecordLock lock) {
    std::erase_if(records, [&](const RecordLock &other) {
        if (other.rank != lock.rank || other.kind != lock.kind || other.begin > lock.end || lock.begin > other.end) return false;
        lock.begin = std::min(lock.begin, other.begin);
        lock.end = std::max(lock.end, other.end);
        return true;
    });
    records.push_back(lock);
}

}  // namespace

/// What is known about a file's locks, made if need be. 0, or an errno.
int FileLocks::find(const OpenFile &file, Key *key, Locked **out) {
    struct stat status {};
    if (int failed = file.status(&status)) return -failed;
    *key = {status.st_dev, status.st_ino};
    auto [at, is_new] = files_.try_emplace(*key);
    *out = &at->second;
    if (!is_new || !S_ISREG(status.st_mode)) return 0;
    const std::string again = "/proc/self/fd/" + std::to_string(file.host_fd());
    for (int mode : {O_RDWR, file.flags & O_ACCMODE}) {
        at->second.host = OwnedFd(open(again.c_str(), mode | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
        at->second.mode = mode;
        if (at->second.host) return 0;
    }
    int failed = errno;
    files_.erase(at);
    return failed;
}

/// Locks a range against the rest of the host. 0, EAGAIN or another errno.
int FileLocks::lock_host(Locked &locked, LockKind kind, std::int64_t begin, std::int64_t end) {
    if (!locked.host) return 0;
    // Where the file may be opened in one way only, and a PE needs the other.
    if (locked.mode == (kind == LockKind::Write ? O_RDONLY : O_WRONLY)) return ENOLCK;
    struct flock lock = host_lock(kind, begin, end);
    if (fcntl(locked.host.get(), F_OFD_SETLK, &lock) == 0) return 0;
    return errno == EACCES ? EAGAIN : errno;
}

/// Gives the host back what no PE but `rank` has locked between `begin` and `end`.
void FileLocks::unlock_host(Locked &locked, std::uint32_t rank, std::int64_t begin, std::int64_t end) {
    if (!locked.host) return;
    std::vector<RecordLock> others;
    for (const RecordLock &lock : locked.records)
        if (lock.rank != rank && overlap(lock, begin, end)) others.push_back(lock);
    std::sort(others.begin(), others.end(), [](const auto &a, const auto &b) { return a.begin < b.begin; });
    others.push_back({LockKind::None, end, end});
    for (const RecordLock &lock : others) {
        if (lock.begin > begin) {
            struct flock free = host_lock(LockKind::None, begin, lock.begin);
            fcntl(locked.host.get(), F_OFD_SETLK, &free);
        }
        begin = std::max(begin, lock.end);
    }
}

void FileLocks::forget_if_free(const Key &key) {
    auto at = files_.find(key);
    if (at != files_.end() && at->second.records.empty() && at->second.whole.empty()) files_.erase(at);
}

int FileLocks::set(const OpenFile &file, const RecordLock &wanted, std::int64_t *blocker) {
    Key key;
    Locked *locked;
    *blocker = -1;
    if (int failed = find(file, &key, &locked)) return failed;
    int failed = 0;
    if (wanted.kind != LockKind::None) {
        for (const RecordLock &lock : locked->records)
            if (lock.rank != wanted.rank && exclude(lock.kind, wanted.kind) && overlap(lock, wanted.begin, wanted.end)) {
                *blocker = lock.rank;
                failed = EAGAIN;
            }
        if (!failed && (locked->records.size() >= most_records || all_records_ >= most_in_all_)) failed = ENOLCK;
        if (!failed) failed = lock_host(*locked, wanted.kind, wanted.begin, wanted.end);
    } else {
        unlock_host(*locked, wanted.rank, wanted.begin, wanted.end);
    }
    if (!failed) {
        all_records_ -= locked->records.size();
        carve(locked->records, wanted.rank, wanted.begin, wanted.end);
        if (wanted.kind != LockKind::None) {
            add(locked->records, wanted);
            holders_[wanted.rank].insert(key);
        }
        all_records_ += locked->records.size();
    }
    forget_if_free(key);
    return failed;
}

int FileLocks::test(const OpenFile &file, const RecordLock &wanted, RecordLock *found) {
    Key key;
    Locked *locked;
    *found = {};
    if (int failed = find(file, &key, &locked)) return failed;
    for (const RecordLock &lock : locked->records)
        if (lock.rank != wanted.rank && exclude(lock.kind, wanted.kind) && overlap(lock, wanted.begin, wanted.end) &&
            (found->kind == LockKind::None || lock.begin < found->begin))
            *found = lock;
    int failed = 0;
    if (locked->host && found->kind == LockKind::None) {
        struct flock lock = host_lock(wanted.kind, wanted.begin, wanted.end);
        if (fcntl(locked->host.get(), F_OFD_GETLK, &lock) != 0) failed = errno;
        else if (lock.l_type != F_UNLCK)
            *found = {lock.l_type == F_WRLCK ? LockKind::Write : LockKind::Read, lock.l_start,
                      lock.l_len ? lock.l_start + lock.l_len : INT64_MAX, 0, lock.l_pid};
    }
    forget_if_free(key);
    return failed;
}

bool FileLocks::closes_circle(std::uint32_t rank, std::int64_t blocker) {
    waits_for_.erase(rank);
    if (blocker < 0) return false;
    // Every PE waits for one other at most, so that the way from the blocker on is a line; what is no circle ends.
    std::uint32_t at = static_cast<std::uint32_t>(blocker);
    for (std::size_t steps = 0; steps <= waits_for_.size(); steps++) {
        if (at == rank) return true;
        auto next = waits_for_.find(at);
        if (next == waits_for_.end()) break;
        at = next->second;
    }
    waits_for_[rank] = static_cast<std::uint32_t>(blocker);
    return false;
}

void FileLocks::unlock_all(std::uint32_t rank, const Key &key) {
    auto at = files_.find(key);
    if (at == files_.end()) return;
    unlock_host(at->second, rank, 0, INT64_MAX);
    all_records_ -= at->second.records.size();
    carve(at->second.records, rank, 0, INT64_MAX);
    all_records_ += at->second.records.size();
    forget_if_free(key);
}

void FileLocks::closed(std::uint32_t rank, const OpenFile &file) {
    auto held = holders_.find(rank);
    struct stat status {};
    if (held == holders_.end() || file.status(&status) != 0) return;
    if (Key key{status.st_dev, status.st_ino}; held->second.erase(key)) unlock_all(rank, key);
    if (held->second.empty()) holders_.erase(held);
}

void FileLocks::ended(std::uint32_t rank) {
    waits_for_.erase(rank);
    auto held = holders_.find(rank);
    if (held == holders_.end()) return;
    for (const Key &key : held->second) unlock_all(rank, key);
    holders_.erase(held);
}

void FileLocks::unlock_whole(const OpenFile *file, const Key &key) {
    auto at = files_.find(key);
    if (at == files_.end()) return;
    Locked &locked = at->second;
    std::erase_if(locked.whole, [&](const auto &lock) { return lock.first == file; });
    if (locked.whole.empty() && locked.host) flock(locked.host.get(), LOCK_UN);
    forget_if_free(key);
}

int FileLocks::lock_whole(OpenFile &file, LockKind kind) {
    Key key;
    Locked *locked;
    // As in Linux, a lock that cannot become another kind is lost.
    file.whole_lock.reset();
    if (kind == LockKind::None) return 0;
    if (int failed = find(file, &key, &locked)) return failed;
    int failed = 0;
    for (const auto &lock : locked->whole)
        if (exclude(lock.second, kind)) failed = EAGAIN;
    if (!failed && locked->host && flock(locked->host.get(), (kind == LockKind::Write ? LOCK_EX : LOCK_SH) | LOCK_NB) != 0) failed = errno;
    if (failed) {
        forget_if_free(key);
        return failed;
    }
    locked->whole.emplace_back(&file, kind);
    file.whole_lock = std::shared_ptr<void>(nullptr, [this, file = &file, key](void *) { unlock_whole(file, key); });
    return 0;
}

/// Null: nobody has locked it.
const FileLocks::Locked *FileLocks::known(const OpenFile &file) const {
    struct stat status {};
    if (file.status(&status) != 0) return nullptr;
    const auto found = files_.find({status.st_dev, status.st_ino});
    return found == files_.end() ? nullptr : &found->second;
}

RecordLock::Kind FileLocks::whole_lock(const OpenFile &file) const {
    // It owns nothing but what happens at its end, so it compares with null whether it is there or not.
    if (const Locked *const locked = file.whole_lock.use_count() != 0 ? known(file) : nullptr)
        for (const auto &[holder, kind] : locked->whole)
            if (holder == &file) return kind;
    return LockKind::None;
}

std::vector<RecordLock> FileLocks::held_by(std::uint32_t rank, const OpenFile &file) const {
    std::vector<RecordLock> held;
    if (!holders_.contains(rank)) return held;
    if (const Locked *const locked = known(file))
        for (const RecordLock &lock : locked->records)
            if (lock.rank == rank) held.push_back(lock);
    return held;
}

}  // namespace mog
