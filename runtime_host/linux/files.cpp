// files.cpp: regular files at offsets, streams as they come, standard input for one PE or for all.
#include "runtime_host/linux/files.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <utility>

namespace mog {

HostFile::~HostFile() {
    if (fd > STDERR_FILENO) close(fd);
    if (counter) --*counter;
}

bool OpenFile::is_terminal() const { return host_fd() >= 0 && isatty(host_fd()); }

short OpenFile::poll(short events) const {
    struct pollfd wait {
        host_fd(), events, 0
    };
    ::poll(&wait, 1, 0);
    return wait.revents;
}

HostResult OpenFile::available() {
    int bytes = 0;
    if (host_fd() < 0) return 0;
    return ioctl(host_fd(), FIONREAD, &bytes) == 0 ? bytes : -errno;
}

namespace {

HostResult or_minus_errno(HostResult value) { return value < 0 ? -errno : value; }

/// True if a read or write would not wait.
bool is_ready(int fd, short events) {
    struct pollfd wait {
        fd, events, 0
    };
    return ::poll(&wait, 1, 0) != 0;
}

/// Read at once of what is no regular file: a device has something without end.
constexpr std::size_t most_of_stream = 32u << 20;

/// A file of the host.
class PlainFile final : public OpenFile {
public:
    PlainFile(std::shared_ptr<HostFile> file, int open_flags, std::shared_ptr<std::uint64_t> counter = nullptr)
        : file_(std::move(file)), counter_(std::move(counter)) {
        flags = open_flags;
        if (counter_) ++*counter_;
    }
    ~PlainFile() override {
        if (counter_) --*counter_;
    }

    HostResult read(std::span<std::uint8_t> into) override {
        if (!file_->is_regular) {
            if (!(flags & O_NONBLOCK) && !is_ready(file_->fd, POLLIN)) return would_block;
            into = into.first(std::min(into.size(), most_of_stream));
            return or_wait(::read(file_->fd, into.data(), into.size()));
        }
        HostResult n = or_minus_errno(pread(file_->fd, into.data(), into.size(), offset_));
        if (n > 0) offset_ += n;
        return n;
    }

    HostResult write(std::uint32_t, std::span<const std::uint8_t> bytes) override {
        if (!file_->is_regular) {
            if (!(flags & O_NONBLOCK) && !is_ready(file_->fd, POLLOUT)) return would_block;
            return or_wait(::write(file_->fd, bytes.data(), bytes.size()));
        }
        HostResult n = put(bytes, offset_);
        if (n > 0) offset_ += n;
        if (n > 0 && (flags & O_APPEND)) {
            struct stat now;
            if (fstat(file_->fd, &now) == 0) offset_ = now.st_size;
        }
        return n;
    }

    HostResult read_at(std::span<std::uint8_t> into, std::int64_t offset) override {
        return or_minus_errno(pread(file_->fd, into.data(), into.size(), offset));
    }
    HostResult write_at(std::span<const std::uint8_t> bytes, std::int64_t offset) override { return put(bytes, offset); }
    HostResult entries(std::span<std::uint8_t> into) override {
        return or_minus_errno(syscall(SYS_getdents64, file_->fd, into.data(), into.size()));
    }
    short poll(short events) const override {
        return file_->is_regular ? static_cast<short>(events & (POLLIN | POLLOUT)) : OpenFile::poll(events);
    }

    HostResult seek(std::int64_t offset, int whence) override {
        if (!file_->is_regular) return or_minus_errno(lseek(file_->fd, offset, whence));
        std::int64_t base = 0;
        if (whence == SEEK_CUR) {
            base = offset_;
        } else if (whence == SEEK_END) {
            struct stat now;
            if (fstat(file_->fd, &now) != 0) return -errno;
            base = now.st_size;
        } else if (whence != SEEK_SET) {
            return -EINVAL;
        }
        std::int64_t target;
        if (__builtin_add_overflow(base, offset, &target)) return -EOVERFLOW;
        if (target < 0) return -EINVAL;
        return offset_ = target;
    }

    HostResult available() override {
        struct stat now;
        if (!file_->is_regular) return OpenFile::available();
        return fstat(file_->fd, &now) == 0 ? std::max<HostResult>(now.st_size - offset_, 0) : -errno;
    }

    int status(struct stat *out) const override { return fstat(file_->fd, out) == 0 ? 0 : -errno; }
    int truncate(std::int64_t length) override { return ftruncate(file_->fd, length) == 0 ? 0 : -errno; }
    int host_fd() const override { return file_->fd; }
    FileIdentity identity() const override {
        if (!file_->is_regular) return {};
        return {FileIdentity::Kind::Regular, 0, offset_};
    }

private:
    /// pwrite(), at the end of the file if the PE appends. The descriptor of the host does not: PEs share it that do not
    /// append, and each may change its mind.
    HostResult put(std::span<const std::uint8_t> bytes, std::int64_t offset) const {
        if (!(flags & O_APPEND)) return or_minus_errno(pwrite(file_->fd, bytes.data(), bytes.size(), offset));
        struct iovec part = {const_cast<std::uint8_t *>(bytes.data()), bytes.size()};
        ssize_t n = pwritev2(file_->fd, &part, 1, 0, RWF_APPEND);
        if (n >= 0 || (errno != EOPNOTSUPP && errno != ENOSYS)) return or_minus_errno(n);
        struct stat now;
        if (fstat(file_->fd, &now) != 0) return -errno;
        return or_minus_errno(pwrite(file_->fd, bytes.data(), bytes.size(), now.st_size));
    }

    /// The host's descriptor never waits. Where the PE's would, the call is tried again.
    HostResult or_wait(ssize_t n) const {
        if (n < 0 && errno == EAGAIN && !(flags & O_NONBLOCK)) return would_block;
        return or_minus_errno(n);
    }

    std::shared_ptr<HostFile> file_;
    std::shared_ptr<std::uint64_t> counter_;  ///< of open files
    std::int64_t offset_ = 0;
};

/// What a pipe says of itself, for streams with no descriptor of the host behind them.
int status_of_pipe(struct stat *out) {
    *out = {};
    out->st_mode = S_IFIFO | 0600;
    out->st_nlink = 1;
    out->st_blksize = 4096;
    return 0;
}

/// Standard output or error, through the assembly of lines.
class OutputFile final : public OpenFile {
public:
    OutputFile(Output &output, int stream) : output_(output), stream_(stream) { flags = O_WRONLY; }
    std::shared_ptr<OpenFile> apart() const override { return std::make_shared<OutputFile>(output_, stream_); }

    HostResult read(std::span<std::uint8_t>) override { return -EBADF; }
    HostResult write(std::uint32_t rank, std::span<const std::uint8_t> bytes) override {
        std::string_view text(reinterpret_cast<const char *>(bytes.data()), bytes.size());
        if (output_.is_untried(stream_)) return would_block;
        int failed = output_.write(rank, stream_, text);
        return failed ? -failed : static_cast<HostResult>(bytes.size());
    }
    HostResult seek(std::int64_t, int) override { return -ESPIPE; }
    int status(struct stat *out) const override {
        if (output_.is_captured()) return status_of_pipe(out);
        return fstat(stream_, out) == 0 ? 0 : -errno;
    }
    int truncate(std::int64_t) override { return -EINVAL; }
    short poll(short events) const override { return events & POLLOUT; }
    int host_fd() const override { return output_.is_captured() ? -1 : stream_; }
    FileIdentity identity() const override { return {FileIdentity::Kind::Output, stream_, 0}; }

private:
    Output &output_;
    int stream_;
};

/// Standard input of PEs that have none: at its end from the beginning.
class NoInput final : public OpenFile {
public:
    std::shared_ptr<OpenFile> apart() const override { return std::make_shared<NoInput>(); }
    HostResult read(std::span<std::uint8_t>) override { return 0; }
    HostResult write(std::uint32_t, std::span<const std::uint8_t>) override { return -EBADF; }
    HostResult seek(std::int64_t, int) override { return -ESPIPE; }
    int status(struct stat *out) const override { return stat("/dev/null", out) == 0 ? 0 : -errno; }
    int truncate(std::int64_t) override { return -EINVAL; }
    short poll(short events) const override { return events & POLLIN; }
    int host_fd() const override { return -1; }
    FileIdentity identity() const override { return {FileIdentity::Kind::NoInput, 0, 0}; }
};

/// Standard input that was given as bytes.
class GivenBytes final : public OpenFile {
public:
    explicit GivenBytes(std::shared_ptr<const std::string> bytes) : bytes_(std::move(bytes)) {}
    HostResult read(std::span<std::uint8_t> into) override {
        const std::size_t n = std::min(into.size(), bytes_->size() - at_);
        if (n) std::memcpy(into.data(), bytes_->data() + at_, n);
        at_ += n;
        return static_cast<HostResult>(n);
    }
    HostResult write(std::uint32_t, std::span<const std::uint8_t>) override { return -EBADF; }
    HostResult seek(std::int64_t, int) override { return -ESPIPE; }
    int status(struct stat *out) const override { return status_of_pipe(out); }
    int truncate(std::int64_t) override { return -EINVAL; }
    short poll(short events) const override { return events & POLLIN; }
    HostResult available() override { return static_cast<HostResult>(bytes_->size() - at_); }
    int host_fd() const override { return -1; }
    FileIdentity identity() const override { return {FileIdentity::Kind::GivenInput, 0, static_cast<std::int64_t>(at_)}; }

private:
    std::shared_ptr<const std::string> bytes_;
    std::size_t at_ = 0;
};

}  // namespace

/// What was read of standard input so far, for PEs that each read all of it.
struct FileSystem::InputCopy {
    std::vector<std::uint8_t> bytes;
    bool at_end = false;
    int error = 0;
};

namespace {

template <typename Copy>
class CopiedInput final : public OpenFile {
public:
    explicit CopiedInput(std::shared_ptr<Copy> copy) : copy_(std::move(copy)) {}

    HostResult read(std::span<std::uint8_t> into) override {
        while (at_ >= copy_->bytes.size() && !copy_->at_end && !into.empty()) {
            if (!is_ready(STDIN_FILENO, POLLIN)) return would_block;
            constexpr std::size_t chunk = 1 << 16;
            std::size_t old = copy_->bytes.size();
            copy_->bytes.resize(old + chunk);
            ssize_t n = ::read(STDIN_FILENO, copy_->bytes.data() + old, chunk);
            int failed = n < 0 ? errno : 0;
            copy_->bytes.resize(old + static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
            if (failed) return -failed;
            if (n == 0) copy_->at_end = true;
        }
        std::size_t n = std::min(into.size(), copy_->bytes.size() - std::min(at_, copy_->bytes.size()));
        if (n) std::memcpy(into.data(), copy_->bytes.data() + at_, n);
        at_ += n;
        return static_cast<HostResult>(n);
    }
    HostResult write(std::uint32_t, std::span<const std::uint8_t>) override { return -EBADF; }
    HostResult seek(std::int64_t, int) override { return -ESPIPE; }
    int status(struct stat *out) const override { return fstat(STDIN_FILENO, out) == 0 ? 0 : -errno; }
    int truncate(std::int64_t) override { return -EINVAL; }
    short poll(short events) const override {
        return at_ < copy_->bytes.size() || copy_->at_end ? static_cast<short>(events & POLLIN) : OpenFile::poll(events);
    }
    HostResult available() override {
        HostResult more = OpenFile::available();
        return static_cast<HostResult>(copy_->bytes.size() - std::min(at_, copy_->bytes.size())) + std::max<HostResult>(more, 0);
    }
    int host_fd() const override { return STDIN_FILENO; }
    FileIdentity identity() const override { return {FileIdentity::Kind::CopiedInput, 0, static_cast<std::int64_t>(at_)}; }

private:
    std::shared_ptr<Copy> copy_;
    std::size_t at_ = 0;
};

}  // namespace

FileSystem::FileSystem(Output &output, Stdin stdin_mode, std::uint32_t stdin_rank, std::shared_ptr<const HostPaths> paths)
    : input_(std::make_shared<PlainFile>(std::make_shared<HostFile>(STDIN_FILENO, false), O_RDONLY)),
      no_input_(std::make_shared<NoInput>()),
      output_(std::make_shared<OutputFile>(output, 1)),
      error_(std::make_shared<OutputFile>(output, 2)),
      input_copy_(std::make_shared<InputCopy>()),
      stdin_mode_(stdin_mode),
      stdin_rank_(stdin_rank),
      paths_(paths ? std::move(paths) : std::make_shared<const HostPaths>()) {}

FileSystem::~FileSystem() = default;

mode_t FileSystem::umask() const {
    // Asking by umask() would change it for a moment, for all threads of the process.
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;)
        if (unsigned mask; word == "Umask:" && status >> std::oct >> mask) return mask;
    return 022;
}

std::shared_ptr<OpenFile> FileSystem::standard_input(std::uint32_t rank) {
    if (given_input_)
        if (std::shared_ptr<const std::string> bytes = given_input_(rank)) return std::make_shared<GivenBytes>(std::move(bytes));
    if (stdin_mode_ == Stdin::All) return std::make_shared<CopiedInput<InputCopy>>(input_copy_);
    return stdin_mode_ == Stdin::Rank && rank == stdin_rank_ ? input_ : no_input_;
}

std::shared_ptr<OpenFile> FileSystem::standard_output(int stream) { return stream == 1 ? output_ : error_; }

void FileSystem::input_so_far(std::string *bytes, bool *is_at_end) const {
    bytes->assign(input_copy_->bytes.begin(), input_copy_->bytes.end());
    *is_at_end = input_copy_->at_end;
}

void FileSystem::set_input_so_far(const std::string &bytes, bool is_at_end) {
    input_copy_->bytes.assign(bytes.begin(), bytes.end());
    input_copy_->at_end = is_at_end;
}

std::weak_ptr<HostFile> &FileSystem::Shared::slot(const Key &key) {
    if (files_.size() >= sweep_at_) {
        std::erase_if(files_, [](const auto &file) { return file.second.expired(); });
        sweep_at_ = std::max<std::size_t>(1024, 2 * files_.size());
    }
    return files_[key];
}

int FileSystem::open(const std::string &path, int flags, mode_t mode, std::shared_ptr<OpenFile> *out, int folder) {
    // Whoever waits for a FIFO or a terminal, it must not be the host.
    constexpr int always = O_NOCTTY | O_NONBLOCK;
    if (*open_ >= most_open_) return ENFILE;
    if (changes_ && ((flags & O_ACCMODE) != O_RDONLY || (flags & (O_CREAT | O_TRUNC)) != 0)) {
        Place place;
        const bool follows = (flags & O_NOFOLLOW) == 0;
        const bool is_there = paths_->find(folder, path, follows, &place) == 0;
        if (paths_->refuses_change() == 0 && (is_there || paths_->find_name(folder, path, &place) == 0))
            changes_->changing(place, follows && is_there, (flags & O_TRUNC) != 0);
    }
    int fd = paths_->open(folder, path, (flags & ~O_APPEND) | always, mode);
    // Of a file that may only be appended to.
    if (fd == -EPERM && (flags & O_APPEND)) fd = paths_->open(folder, path, flags | always, mode);
    return fd < 0 ? -fd : adopt(fd, flags, out);
}

int FileSystem::open_for_user(const std::string &path, int flags, std::shared_ptr<OpenFile> *out) {
    if (changes_ && (flags & O_ACCMODE) != O_RDONLY) changes_->changing({AT_FDCWD, path, 0}, false, (flags & O_TRUNC) != 0);
    const int fd = ::open(path.c_str(), flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0666);
    return fd < 0 ? errno : adopt(fd, flags, out);
}

/// What PEs see of a descriptor that is theirs now. 0, or an errno.
int FileSystem::adopt(int fd, int flags, std::shared_ptr<OpenFile> *out) {
    // The three lowest belong to standard input and output even if those are closed.
    if (fd <= STDERR_FILENO) {
        int moved = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        int failed = errno;
        close(fd);
        if (moved < 0) return failed;
        fd = moved;
    }
    struct stat status;
    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) {
        *out = std::make_shared<PlainFile>(std::make_shared<HostFile>(fd, false), flags, open_);
        return 0;
    }
    std::weak_ptr<HostFile> &slot = shared_.slot(Key{status.st_dev, status.st_ino, flags & (O_ACCMODE | O_SYNC)});
    std::shared_ptr<HostFile> file = slot.lock();
    if (file) {
        close(fd);
    } else {
        file = std::make_shared<HostFile>(fd, true);
        slot = file;
    }
    *out = std::make_shared<PlainFile>(std::move(file), flags, open_);
    return 0;
}

int FileSystem::open_folder(const std::string &path, std::shared_ptr<HostFile> *out, int folder) {
    int fd = paths_->open(folder, path, O_PATH | O_DIRECTORY, 0);
    if (fd < 0) return -fd;
    auto file = std::make_shared<HostFile>(fd, false);
    if (faccessat(fd, ".", X_OK, AT_EACCESS) != 0) return errno;
    struct stat status;
    if (fstat(fd, &status) != 0) return errno;
    std::weak_ptr<HostFile> &slot = shared_folders_.slot(Key{status.st_dev, status.st_ino, 0});
    *out = slot.lock();
    if (!*out) slot = *out = std::move(file);
    return 0;
}

int FileSystem::make_pipe(int flags, std::array<std::shared_ptr<OpenFile>, 2> *out) {
    // 64 KiB of the kernel's memory each, but for PEs that have very many of them.
    constexpr std::uint64_t wide_ends = 2048;
    constexpr int narrow = 4096;
    int ends[2];
    if (*open_ + 1 >= most_open_) return ENFILE;
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0) return errno;
    if (*pipe_ends_ >= wide_ends) fcntl(ends[1], F_SETPIPE_SZ, narrow);
    for (std::size_t k = 0; k < 2; k++)
        (*out)[k] = std::make_shared<PlainFile>(std::make_shared<HostFile>(ends[k], false, pipe_ends_),
                                                (flags & O_NONBLOCK) | (k ? O_WRONLY : O_RDONLY), open_);
    return 0;
}

}  // namespace mog
