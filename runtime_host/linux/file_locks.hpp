// file_locks.hpp: locks that PEs hold on files. To each other they are processes: a lock of one keeps the others out. For
// the rest of the host, all of them together are one: it is locked out of what any PE has locked.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "support/owned_fd.hpp"

namespace mog {

class OpenFile;

/// A record lock, as fcntl() has it.
struct RecordLock {
    enum class Kind : std::uint8_t { None, Read, Write } kind = Kind::None;
    std::int64_t begin = 0, end = INT64_MAX;  ///< INT64_MAX: wherever the file may end
    std::uint32_t rank = 0;                   ///< of the PE that holds it
    int pid = 0;                              ///< test(): of the process of the host that holds it, if no PE does
};

class FileLocks {
public:
    /// What the host keeps for PEs has to stay within bounds: of one file (file_locks.cpp), and of all of them together. Then ENOLCK.
    static constexpr std::size_t usual_most_in_all = 1 << 18;
    explicit FileLocks(std::size_t most_in_all = usual_most_in_all) : most_in_all_(most_in_all) {}

    /// fcntl(F_SETLK): the PE's lock on a range is of this kind from now on. 0; EAGAIN if another PE or process has it;
    /// or another errno. `blocker` gets the rank of a PE that has it, or -1.
    int set(const OpenFile &file, const RecordLock &wanted, std::int64_t *blocker);
    /// fcntl(F_GETLK): `found` gets a lock that stands against the wanted one; its kind is None if none does. 0 or errno.
    int test(const OpenFile &file, const RecordLock &wanted, RecordLock *found);
    /// True if PE `rank` would wait for ever, if it waited for PE `blocker`. Otherwise it is noted to wait for it.
    bool closes_circle(std::uint32_t rank, std::int64_t blocker);
    void stops_waiting(std::uint32_t rank) { waits_for_.erase(rank); }

    /// The PE closed a descriptor of this file: as in Linux, all of its record locks on it are gone.
    void closed(std::uint32_t rank, const OpenFile &file);
    /// The PE ended.
    void ended(std::uint32_t rank);

    /// flock(): whole-file locks, held by open files. 0, EAGAIN or another errno. The lock ends with the open file at the
    /// latest.
    int lock_whole(OpenFile &file, RecordLock::Kind kind);

    // What there is, to be written down (service/file_state.hpp).

    /// An open file's whole-file lock; None: it has none.
    RecordLock::Kind whole_lock(const OpenFile &file) const;
    /// The record locks of a PE on a file.
    std::vector<RecordLock> held_by(std::uint32_t rank, const OpenFile &file) const;
    /// By PE that waits for a lock: a PE that has it.
    const std::map<std::uint32_t, std::uint32_t> &waits() const { return waits_for_; }

private:
    using Key = std::pair<dev_t, ino_t>;
    struct Locked {
        std::vector<RecordLock> records;
        std::vector<std::pair<const OpenFile *, RecordLock::Kind>> whole;
        OwnedFd host;  ///< an open file of our own, that holds the host's locks for all PEs; none for what is no regular file
        int mode = 0;  ///< of it: O_RDONLY, O_WRONLY or O_RDWR
    };

    int find(const OpenFile &file, Key *key, Locked **out);
    const Locked *known(const OpenFile &file) const;
    int lock_host(Locked &locked, RecordLock::Kind kind, std::int64_t begin, std::int64_t end);
    void unlock_host(Locked &locked, std::uint32_t rank, std::int64_t begin, std::int64_t end);
    void unlock_all(std::uint32_t rank, const Key &key);
    void unlock_whole(const OpenFile *file, const Key &key);
    void forget_if_free(const Key &key);

    std::map<Key, Locked> files_;
    std::size_t all_records_ = 0;
    const std::size_t most_in_all_;
    std::map<std::uint32_t, std::set<Key>> holders_;  ///< the files on which a PE has record locks
    std::map<std::uint32_t, std::uint32_t> waits_for_;
};

}  // namespace mog
