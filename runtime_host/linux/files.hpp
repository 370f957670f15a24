// files.hpp: files as PEs have them open. Thousands of PEs may open the same file: they share one descriptor of the
// host, and each has its own offset.
#pragma once

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/types.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "runtime_host/linux/file_locks.hpp"
#include "runtime_host/linux/host_paths.hpp"
#include "runtime_host/linux/output.hpp"

namespace mog {

/// A value that is not negative, or minus an errno of the host.
using HostResult = std::int64_t;
/// What a call gives that would have to wait: it is tried again in a later round.
inline constexpr HostResult would_block = INT64_MIN;

/// A descriptor of the host, closed with its last user.
struct HostFile {
    int fd = -1;
    bool is_regular = false;                 ///< read and written at offsets that each PE keeps
    std::shared_ptr<std::uint64_t> counter;  ///< counts those that are open, if there is one
    HostFile(int fd_, bool is_regular_) : fd(fd_), is_regular(is_regular_) {}
    HostFile(int fd_, bool is_regular_, std::shared_ptr<std::uint64_t> counter_) : HostFile(fd_, is_regular_) {
        counter = std::move(counter_);
        ++*counter;
    }
    HostFile(const HostFile &) = delete;
    HostFile &operator=(const HostFile &) = delete;
    ~HostFile();
};

/// What an open file is: with its name and flags, enough to have it again elsewhere (service/file_state.hpp).
struct FileIdentity {
    enum class Kind : std::uint8_t {
        Input,        ///< the standard input of this process
        NoInput,      ///< standard input that is empty
        GivenInput,   ///< standard input that was given as bytes
        CopiedInput,  ///< a copy of this process's
        Output,       ///< standard output or error
        Regular,      ///< a file that is read and written at offsets
        Other,        ///< all else that the host knows, its standard input too
    } kind = Kind::Other;
    int stream = 0;           ///< of output: 1 or 2
    std::int64_t offset = 0;  ///< where it stands, if that is known here
};

/// One open file description, as Linux calls it: descriptors that dup made share it.
class OpenFile {
public:
    virtual ~OpenFile() = default;
    virtual HostResult read(std::span<std::uint8_t> into) = 0;
    virtual HostResult write(std::uint32_t rank, std::span<const std::uint8_t> bytes) = 0;
    virtual HostResult seek(std::int64_t offset, int whence) = 0;
    /// The same at an offset, which leaves the file's own alone.
    virtual HostResult read_at(std::span<std::uint8_t>, std::int64_t) { return -ESPIPE; }
    virtual HostResult write_at(std::span<const std::uint8_t>, std::int64_t) { return -ESPIPE; }
    /// Entries of a directory, as getdents64 of the host gives them.
    virtual HostResult entries(std::span<std::uint8_t>) { return -ENOTDIR; }
    /// Those of poll()'s `events` that hold now, and POLLHUP and the like.
    virtual short poll(short events) const;
    virtual int status(struct stat *out) const = 0;  ///< 0, or minus errno
    virtual int truncate(std::int64_t length) = 0;   ///< 0, or minus errno
    /// The host's descriptor behind it; -1 if there is none.
    virtual int host_fd() const = 0;
    virtual FileIdentity identity() const { return {}; }

    /// How many bytes are there to be read (FIONREAD); or minus an errno.
    virtual HostResult available();
    /// A standard stream that PEs share, for one that changes its flags: the same stream, with flags of its own. Others:
    /// nullptr.
    virtual std::shared_ptr<OpenFile> apart() const { return nullptr; }

    bool is_terminal() const;
    int flags = 0;                       ///< open() flags of the host
    std::shared_ptr<void> whole_lock{};  ///< its flock(), if it has one; see FileLocks
};

/// Told of what PEs are about to do to files by name, where that may have to be undone (checkpoint/).
class FileChanges {
public:
    virtual ~FileChanges() = default;
    /// What has this name is made, written, or removed. `follows`: a link leads to it. `loses`: what it has is gone then.
    virtual void changing(const Place &place, bool follows, bool loses) = 0;
    /// An open file gets shorter.
    virtual void changing(int fd) = 0;
    virtual void renaming(const Place &from, const Place &to) = 0;
};

/// Everything PEs can open. One for a run.
class FileSystem {
public:
    enum class Stdin { Rank, All, None };

    /// Without `paths`, they are the host's.
    FileSystem(Output &output, Stdin stdin_mode, std::uint32_t stdin_rank, std::shared_ptr<const HostPaths> paths = nullptr);
    ~FileSystem();

    /// Bytes that are a PE's standard input, instead of what the mode says; nullptr: it says. Asked once for each PE.
    using GivenInput = std::function<std::shared_ptr<const std::string>(std::uint32_t rank)>;
    void give_input(GivenInput input) { given_input_ = std::move(input); }
    /// Open files that all PEs together may have; then ENFILE. Those of the host are fewer: PEs share them.
    static constexpr std::uint64_t usual_most_open = 1 << 20;
    void set_most_open(std::uint64_t most) { most_open_ = most; }

    /// The files a PE starts with. Shared by all PEs as far as they cannot tell the difference.
    std::shared_ptr<OpenFile> standard_input(std::uint32_t rank);
    std::shared_ptr<OpenFile> standard_output(int stream);
    /// The one that all have whose standard input is empty.
    const std::shared_ptr<OpenFile> &no_input() const { return no_input_; }
    /// Of standard input that all PEs read: what was read of it so far, and whether that was all.
    void input_so_far(std::string *bytes, bool *is_at_end) const;
    void set_input_so_far(const std::string &bytes, bool is_at_end);

    /// Outlives this; null: nobody is told.
    void tell_changes(FileChanges *changes) { changes_ = changes; }
    FileChanges *changes() const { return changes_; }

    /// What paths mean, and what may be done.
    const HostPaths &paths() const { return *paths_; }
    FileLocks &locks() { return locks_; }

    /// openat(). Returns 0 or an errno. Never waits: a FIFO that nobody reads gives ENXIO.
    int open(const std::string &path, int flags, mode_t mode, std::shared_ptr<OpenFile> *out, int folder = AT_FDCWD);
    /// The same for a name that the user of mogrun has given, and not a program: where mogrun was started.
    int open_for_user(const std::string &path, int flags, std::shared_ptr<OpenFile> *out);
    /// A folder to begin paths at. Returns 0 or an errno.
    int open_folder(const std::string &path, std::shared_ptr<HostFile> *out, int folder);
    /// pipe(): its end for reading and its end for writing. Returns 0 or an errno.
    int make_pipe(int flags, std::array<std::shared_ptr<OpenFile>, 2> *out);
    /// The umask of this process.
    mode_t umask() const;
    /// How many files are remembered, so that PEs can share them: some of them closed.
    std::size_t remembered() const { return shared_.size() + shared_folders_.size(); }

private:
    int adopt(int fd, int flags, std::shared_ptr<OpenFile> *out);

    FileLocks locks_;  // outlives the open files
    using Key = std::tuple<dev_t, ino_t, int>;
    /// Files of the host by what they are. Those that were closed are swept out from time to time.
    class Shared {
    public:
        std::weak_ptr<HostFile> &slot(const Key &key);
        std::size_t size() const { return files_.size(); }

    private:
        std::map<Key, std::weak_ptr<HostFile>> files_;
        std::size_t sweep_at_ = 1024;
    };
    Shared shared_, shared_folders_;
    std::shared_ptr<std::uint64_t> open_ = std::make_shared<std::uint64_t>(0), pipe_ends_ = std::make_shared<std::uint64_t>(0);
    std::uint64_t most_open_ = usual_most_open;
    std::shared_ptr<OpenFile> input_, no_input_, output_, error_;
    struct InputCopy;
    std::shared_ptr<InputCopy> input_copy_;
    Stdin stdin_mode_;
    std::uint32_t stdin_rank_;
    GivenInput given_input_;
    std::shared_ptr<const HostPaths> paths_;
    FileChanges *changes_ = nullptr;
};

}  // namespace mog
