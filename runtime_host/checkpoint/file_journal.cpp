// file_journal.cpp: records, each its size, a hash, and a FileBefore. One that is not whole is the last, of a change that was not made.
#include "runtime_host/checkpoint/file_journal.hpp"

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "runtime_host/checkpoint/block_hash.hpp"
#include "support/archive.hpp"
#include "support/files/files.hpp"

namespace mog {

namespace {

std::filesystem::path journal_of(const std::filesystem::path &checkpoint) { return checkpoint.string() + ".files"; }

std::string host_name_of(int fd) {
    char name[PATH_MAX];
    const ssize_t size = readlink(fmt::format("/proc/self/fd/{}", fd).c_str(), name, sizeof name);
    return size > 0 && size < static_cast<ssize_t>(sizeof name) ? std::string(name, static_cast<std::size_t>(size)) : std::string();
}

struct RecordStart {
    std::uint64_t size = 0, hash = 0;
};

}  // namespace

Result<std::unique_ptr<FileJournal>> FileJournal::create(const std::filesystem::path &checkpoint, const HostPaths &paths) {
    std::unique_ptr<FileJournal> journal(new FileJournal(paths));
    journal->file_name_ = journal_of(checkpoint);
    const char *const name = journal->file_name_.c_str();
    unlink(name);
    journal->file_ = OwnedFd(::open(name, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!journal->file_) return Error{fmt::format("{} cannot be written: {}", name, std::strerror(errno))};
    return journal;
}

void FileJournal::begin(std::uint32_t checkpoint) {
    checkpoint_ = checkpoint;
    noted_.clear();
}

void FileJournal::remove() { unlink(file_name_.c_str()); }

/// Of an open file or folder, as PEs name it; empty: they cannot.
std::string FileJournal::name_of(int fd) const {
    std::string name = host_name_of(fd);
    if (name.empty() || name[0] != '/') return {};
    if (paths_.policy().root.empty()) return name;
    const std::string root = host_name_of(paths_.start());
    if (root == "/") return name;
    if (name == root) return "/";
    return name.starts_with(root + "/") ? name.substr(root.size()) : std::string();
}

/// Of a name, which nothing need have.
std::string FileJournal::name_of(const Place &place) const {
    const std::filesystem::path path(place.path);
    const std::string parent = path.has_parent_path() ? path.parent_path().string() : ".";
    const OwnedFd folder(openat(place.folder, parent.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    std::string name = folder ? name_of(folder.get()) : std::string();
    if (name.empty() || path.filename().empty()) return {};
    return (name == "/" ? name : name + "/") + path.filename().string();
}

void FileJournal::note(FileBefore before) {
    if (before.path.empty()) return;
    before.checkpoint = checkpoint_;
    ArchiveWriter archive;
    archive(before);
    const RecordStart start{archive.bytes().size(), block_hash(archive.bytes())};
    std::vector<std::uint8_t> record(sizeof start);
    std::memcpy(record.data(), &start, sizeof start);
    record.insert(record.end(), archive.bytes().begin(), archive.bytes().end());
    write_all(file_.get(), record);
}

void FileJournal::note_file(int fd, std::string name, bool loses) {
    struct stat status {};
    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) return;
    const auto noted = noted_.find(name);
    if (noted != noted_.end() && (noted->second || !loses)) return;
    FileBefore before{FileBefore::Kind::File, 0, name, {}, status.st_mode & 07777, status.st_size, false, {}};
    if (loses && status.st_size <= most_content) {
        before.content.resize(static_cast<std::size_t>(status.st_size));
        const ssize_t n = pread(fd, before.content.data(), before.content.size(), 0);
        before.has_content = n == status.st_size;
        if (!before.has_content) before.content.clear();
    }
    note(std::move(before));
    noted_[std::move(name)] = loses;
}

void FileJournal::changing(const Place &place, bool follows, bool loses) {
    struct stat status {};
    const int flags = follows ? place.flags & ~AT_SYMLINK_NOFOLLOW : AT_SYMLINK_NOFOLLOW;
    if (fstatat(place.folder, place.path.c_str(), &status, flags) != 0) {
        std::string name = errno == ENOENT ? name_of(place) : std::string();
        if (name.empty() || noted_.contains(name)) return;
        note({FileBefore::Kind::Absent, 0, name, {}, 0, 0, false, {}});
        noted_[std::move(name)] = true;
        return;
    }
    if (S_ISREG(status.st_mode)) {
        const OwnedFd file(
            openat(place.folder, place.path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | (follows ? 0 : O_NOFOLLOW)));
        if (file) note_file(file.get(), name_of(file.get()), loses);
    } else if (S_ISDIR(status.st_mode) && loses) {
        note({FileBefore::Kind::Folder, 0, name_of(place), {}, status.st_mode & 07777, 0, false, {}});
    } else if (S_ISLNK(status.st_mode) && loses) {
        char target[PATH_MAX];
        const ssize_t size = readlinkat(place.folder, place.path.c_str(), target, sizeof target);
        if (size > 0)
            note({FileBefore::Kind::Link, 0, name_of(place), std::string(target, static_cast<std::size_t>(size)), 0, 0, false, {}});
    }
}

void FileJournal::changing(int fd) {
    // What is open for writing alone cannot be read.
    const OwnedFd file(::open(fmt::format("/proc/self/fd/{}", fd).c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    if (file) note_file(file.get(), name_of(file.get()), true);
}

void FileJournal::renaming(const Place &from, const Place &to) {
    changing(to, false, true);
    std::string name = name_of(from), other = name_of(to);
    if (name.empty() || other.empty()) return;
    // The one may be made again, as something else; what the other has now must not be lost if it is replaced again.
    noted_.erase(name);
    noted_.erase(other);
    note({FileBefore::Kind::Renamed, 0, std::move(name), std::move(other), 0, 0, false, {}});
}

// ---- undone -------------------------------------------------------------------------------------------------------------------

namespace {

Error cannot(const FileBefore &before, const char *what, int failed) {
    return Error{
        fmt::format("{}, which the run had changed after the checkpoint, cannot be {}: {}", before.path, what, std::strerror(failed))};
}

Result<void> restore_file(const FileBefore &before, const HostPaths &paths) {
    const int flags = O_WRONLY | O_NONBLOCK | O_NOCTTY | (before.has_content ? O_CREAT | O_TRUNC : 0);
    const OwnedFd file(paths.open(AT_FDCWD, before.path, flags, before.mode));
    if (file.get() == -ENOENT) return {};  // too large to be kept; the state says if it needs it
    if (!file) return cannot(before, "written", -file.get());
    if (before.has_content) {
        if (!write_all(file.get(), as_byte_span(before.content))) return cannot(before, "written", errno);
        return fchmod(file.get(), before.mode) == 0 ? Result<void>() : cannot(before, "written", errno);
    }
    struct stat status {};
    if (fstat(file.get(), &status) == 0 && status.st_size > before.length && ftruncate(file.get(), before.length) != 0)
        return cannot(before, "cut", errno);
    return {};
}

Result<void> restore(const FileBefore &before, const HostPaths &paths) {
    Place place;
    if (paths.find_name(AT_FDCWD, before.path, &place) != 0) return {};  // its folder is not there, so neither was it made
    struct stat status {};
    const bool is_there = fstatat(place.folder, place.path.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0;
    switch (before.kind) {
        case FileBefore::Kind::Absent:
            // A folder may have got something from others.
            if (is_there && unlinkat(place.folder, place.path.c_str(), S_ISDIR(status.st_mode) ? AT_REMOVEDIR : 0) != 0 &&
                errno != ENOTEMPTY)
                return cannot(before, "removed", errno);
            return {};
        case FileBefore::Kind::File: return restore_file(before, paths);
        case FileBefore::Kind::Folder:
            if (!is_there && mkdirat(place.folder, place.path.c_str(), before.mode) != 0) return cannot(before, "made again", errno);
            return {};
        case FileBefore::Kind::Link:
            if (!is_there && symlinkat(before.other.c_str(), place.folder, place.path.c_str()) != 0)
                return cannot(before, "made again", errno);
            return {};
        case FileBefore::Kind::Renamed: break;
    }
    Place other;
    struct stat there {};
    if (is_there || paths.find_name(AT_FDCWD, before.other, &other) != 0) return {};
    if (fstatat(other.folder, other.path.c_str(), &there, AT_SYMLINK_NOFOLLOW) != 0) return {};
    if (renameat(other.folder, other.path.c_str(), place.folder, place.path.c_str()) != 0) return cannot(before, "renamed back", errno);
    return {};
}

}  // namespace

Result<void> FileJournal::undo(const std::filesystem::path &checkpoint, std::uint32_t number, const HostPaths &paths) {
    const Result<std::vector<std::uint8_t>> bytes = read_regular_file(journal_of(checkpoint));
    if (!bytes) return {};  // nothing was changed
    std::vector<FileBefore> all;
    std::span<const std::uint8_t> rest(*bytes);
    for (RecordStart start; rest.size() >= sizeof start;) {
        std::memcpy(&start, rest.data(), sizeof start);
        rest = rest.subspan(sizeof start);
        if (start.size > rest.size() || block_hash(rest.first(start.size)) != start.hash) break;
        FileBefore before;
        ArchiveReader archive(rest.first(start.size));
        archive(before);
        if (!archive.is_done() || before.kind > FileBefore::Kind::Renamed) break;
        if (before.checkpoint >= number) all.push_back(std::move(before));
        rest = rest.subspan(start.size);
    }
    for (; !all.empty(); all.pop_back()) MOG_TRY(restore(all.back(), paths));
    return {};
}

}  // namespace mog
