// file_state.cpp
#include "runtime_host/service/file_state.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstring>
#include <map>
#include <optional>
#include <unordered_map>

#include <fmt/format.h>

#include "support/owned_fd.hpp"

namespace mog {

namespace {

constexpr std::uint32_t none = UINT32_MAX;

/// One open file description. Descriptors that dup made name the same one.
struct FileState {
    FileIdentity::Kind kind = FileIdentity::Kind::Other;
    int stream = 0;         ///< of output: 1 or 2
    bool is_apart = false;  ///< a standard stream that its PE does not share with others
    std::uint32_t pe = 0;   ///< who had it first
    int flags = 0;
    std::int64_t offset = 0;    ///< where it has one
    std::string path;           ///< of what is opened by name
    std::int64_t length = -1;   ///< of a file that it writes
    std::uint32_t pipe = none;  ///< of an end of a pipe
    bool writes = false;        ///< it is the end for writing
    RecordLock::Kind whole_lock = RecordLock::Kind::None;

    static void carry(auto &self, auto &archive) {
        archive(self.kind, self.stream, self.is_apart, self.pe, self.flags, self.offset, self.path, self.length, self.pipe, self.writes,
                self.whole_lock);
    }
};

struct DescriptorState {
    std::uint32_t file = none;  ///< none: it is closed
    bool close_on_exec = false;
    static void carry(auto &self, auto &archive) { archive(self.file, self.close_on_exec); }
};

struct ProcessState {
    bool has_descriptors = false;
    std::vector<DescriptorState> descriptors;
    std::optional<std::string> folder;
    std::optional<std::uint32_t> umask;
    bool ignores_sigpipe = false;
    std::optional<std::int64_t> wakes_in;  ///< ns
    static void carry(auto &self, auto &archive) {
        archive(self.has_descriptors, self.descriptors, self.folder, self.umask, self.ignores_sigpipe, self.wakes_in);
    }
};

struct LockState {
    std::uint32_t file = none, pe = 0;
    RecordLock::Kind kind = RecordLock::Kind::None;
    std::int64_t begin = 0, end = 0;
    static void carry(auto &self, auto &archive) { archive(self.file, self.pe, self.kind, self.begin, self.end); }
};

struct FilesState {
    std::string standard_input;                ///< --stdin=all: what was read of it so far,
    bool input_is_at_end = false;              ///< and whether that was all
    std::optional<std::int64_t> input_offset;  ///< of the process's standard input, where it is a file
    std::vector<std::string> pipes;            ///< what is in each
    std::vector<FileState> files;
    std::vector<ProcessState> processes;  ///< by PE
    std::vector<LockState> locks;
    std::map<std::uint32_t, std::uint32_t> waits;  ///< for locks: whom a PE waits for
    static void carry(auto &self, auto &archive) {
        archive(self.standard_input, self.input_is_at_end, self.input_offset, self.pipes, self.files, self.processes, self.locks,
                self.waits);
    }
};

/// What the host calls an open file.
std::string name_of(int fd) {
    char name[PATH_MAX];
    const ssize_t size = readlink(fmt::format("/proc/self/fd/{}", fd).c_str(), name, sizeof name);
    return size > 0 && size < static_cast<ssize_t>(sizeof name) ? std::string(name, static_cast<std::size_t>(size)) : std::string();
}

/// What is in a pipe, which keeps it.
Result<std::string> content_of_pipe(int fd) {
    const int capacity = fcntl(fd, F_GETPIPE_SZ);
    int ends[2];
    if (capacity < 0 || pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
        return Error{fmt::format("a pipe cannot be read: {}", std::strerror(errno))};
    const OwnedFd out(ends[0]), in(ends[1]);
    fcntl(in.get(), F_SETPIPE_SZ, capacity);
    std::string content(static_cast<std::size_t>(capacity), '\0');
    const ssize_t copied = tee(fd, in.get(), content.size(), SPLICE_F_NONBLOCK);
    if (copied < 0 && errno != EAGAIN) return Error{fmt::format("a pipe cannot be read: {}", std::strerror(errno))};
    content.resize(copied > 0 ? static_cast<std::size_t>(copied) : 0);
    for (std::size_t done = 0; done < content.size();) {
        const ssize_t n = read(out.get(), content.data() + done, content.size() - done);
        if (n <= 0) return Error{"a pipe cannot be read"};
        done += static_cast<std::size_t>(n);
    }
    return content;
}

class Writer {
public:
    explicit Writer(Population &population) : population_(population) {}

    Result<FilesState> write() {
        for (std::uint32_t pe = 0; pe < population_.processes.size(); pe++) MOG_TRY(add_process(pe));
        for (std::uint32_t pe = 0; pe < population_.processes.size(); pe++) add_locks(pe);
        state_.waits = population_.files.locks().waits();
        population_.files.input_so_far(&state_.standard_input, &state_.input_is_at_end);
        if (const off_t at = lseek(STDIN_FILENO, 0, SEEK_CUR); at > 0 && uses_input_) state_.input_offset = at;
        return std::move(state_);
    }

private:
    Result<void> add_process(std::uint32_t pe) {
        const Process &process = population_.processes[pe];
        ProcessState &state = state_.processes.emplace_back();
        state.has_descriptors = process.has_descriptors;
        state.ignores_sigpipe = process.ignores_sigpipe;
        if (process.umask) state.umask = *process.umask;
        if (process.wake != std::chrono::steady_clock::time_point{})
            state.wakes_in = std::chrono::nanoseconds(process.wake - std::chrono::steady_clock::now()).count();
        if (process.folder) {
            Result<std::string> path = path_of(pe, process.folder->fd);
            if (!path) return path.error();
            state.folder = *std::move(path);
        }
        for (const Descriptor &descriptor : process.descriptors) {
            DescriptorState &one = state.descriptors.emplace_back();
            one.close_on_exec = descriptor.close_on_exec;
            if (!descriptor.file) continue;
            const auto [found, is_new] = numbers_.try_emplace(descriptor.file.get(), static_cast<std::uint32_t>(state_.files.size()));
            one.file = found->second;
            if (is_new) MOG_TRY(add_file(pe, *descriptor.file));
        }
        return {};
    }

    Result<void> add_file(std::uint32_t pe, OpenFile &file) {
        using Kind = FileIdentity::Kind;
        const FileIdentity identity = file.identity();
        FileState state;
        state.kind = identity.kind;
        state.stream = identity.stream;
        state.pe = pe;
        state.flags = file.flags;
        state.offset = identity.offset;
        state.whole_lock = population_.files.locks().whole_lock(file);
        if (identity.kind == Kind::Output) state.is_apart = population_.files.standard_output(identity.stream).get() != &file;
        if (identity.kind == Kind::NoInput) state.is_apart = population_.files.no_input().get() != &file;
        if (identity.kind == Kind::Other && file.host_fd() == STDIN_FILENO) state.kind = Kind::Input;
        uses_input_ = uses_input_ || state.kind == Kind::Input || state.kind == Kind::CopiedInput;
        if (state.kind == Kind::Regular || state.kind == Kind::Other) MOG_TRY(describe(pe, file, state));
        state_.files.push_back(std::move(state));
        return {};
    }

    /// What is opened by its name; and pipes.
    Result<void> describe(std::uint32_t pe, const OpenFile &file, FileState &state) {
        const int fd = file.host_fd();
        struct stat status {};
        if (fstat(fd, &status) != 0) return refuse(pe, fd, std::strerror(errno));
        if (S_ISSOCK(status.st_mode)) return refuse(pe, fd, "a socket");
        if (S_ISFIFO(status.st_mode)) {
            if (!name_of(fd).starts_with("pipe:")) return refuse(pe, fd, "a FIFO, whose other end may be anybody's");
            state.writes = (file.flags & O_ACCMODE) != O_RDONLY;
            const auto [found, is_new] = pipes_.try_emplace(status.st_ino, static_cast<std::uint32_t>(state_.pipes.size()));
            if (is_new) state_.pipes.emplace_back();
            state.pipe = found->second;
            if (state.writes) return {};
            Result<std::string> content = content_of_pipe(fd);
            if (!content) return refuse(pe, fd, content.error().message);
            state_.pipes[state.pipe] = *std::move(content);
            return {};
        }
        // A device has no place in a stream that would have to be found again; a directory has, and is read at the host's.
        if (S_ISDIR(status.st_mode)) state.offset = lseek(fd, 0, SEEK_CUR);
        else if (!S_ISREG(status.st_mode) && !S_ISCHR(status.st_mode)) return refuse(pe, fd, "no file, directory, pipe or device");
        Result<std::string> path = path_of(pe, fd);
        if (!path) return path.error();
        state.path = *std::move(path);
        if (S_ISREG(status.st_mode) && (file.flags & O_ACCMODE) != O_RDONLY) state.length = status.st_size;
        return {};
    }

    /// As PEs would name it.
    Result<std::string> path_of(std::uint32_t pe, int fd) {
        struct stat status {
        }, there{};
        std::string path = name_of(fd);
        if (path.empty() || path[0] != '/') return refuse(pe, fd, "without a name");
        if (fstat(fd, &status) != 0 || stat(path.c_str(), &there) != 0 || there.st_dev != status.st_dev || there.st_ino != status.st_ino)
            return refuse(pe, fd, "removed while it was open");
        if (population_.files.paths().policy().root.empty()) return path;
        std::string root = name_of(population_.files.paths().start());
        if (root == "/") return path;
        if (path == root) return std::string("/");
        if (!path.starts_with(root + "/")) return refuse(pe, fd, "outside of --root");
        return path.substr(root.size());
    }

    Error refuse(std::uint32_t pe, int fd, std::string_view why) const {
        return Error{
            fmt::format("the state of PE {} cannot be written: it has {} open, {}", population_.config.first_rank + pe, name_of(fd), why)};
    }

    void add_locks(std::uint32_t pe) {
        // All of a file's locks go with any descriptor of it, so that a PE that has some has one.
        std::map<std::pair<dev_t, ino_t>, bool> done;
        for (const Descriptor &descriptor : population_.processes[pe].descriptors) {
            struct stat status {};
            if (!descriptor.file || descriptor.file->status(&status) != 0 || !done.try_emplace({status.st_dev, status.st_ino}, true).second)
                continue;
            for (const RecordLock &lock : population_.files.locks().held_by(pe, *descriptor.file))
                state_.locks.push_back({numbers_[descriptor.file.get()], pe, lock.kind, lock.begin, lock.end});
        }
    }

    Population &population_;
    FilesState state_;
    std::unordered_map<const OpenFile *, std::uint32_t> numbers_;
    std::map<ino_t, std::uint32_t> pipes_;
    bool uses_input_ = false;
};

class Reader {
public:
    Reader(Population &population, FilesState state) : population_(population), state_(std::move(state)) {}

    Result<void> read() {
        if (state_.processes.size() != population_.processes.size()) return wrong();
        population_.files.set_input_so_far(std::move(state_.standard_input), state_.input_is_at_end);
        if (state_.input_offset && lseek(STDIN_FILENO, *state_.input_offset, SEEK_SET) < 0)
            return Error{"the state was written where standard input was a file; here it is none"};
        MOG_TRY(make_pipes());
        for (const FileState &file : state_.files) MOG_TRY(open(file));
        for (std::uint32_t pe = 0; pe < state_.processes.size(); pe++) MOG_TRY(fill(pe));
        pipes_.clear();  // ends that nobody had are closed
        return lock();
    }

private:
    using Kind = FileIdentity::Kind;
    static Error wrong() { return Error{"the state is damaged: what PEs have open does not fit together"}; }

    Result<void> make_pipes() {
        for (const std::string &content : state_.pipes) {
            auto &ends = pipes_.emplace_back();
            if (const int failed = population_.files.make_pipe(0, &ends)) return Error{fmt::format("no pipe: {}", std::strerror(failed))};
            const int in = ends[1]->host_fd();
            if (content.size() > 1 << 16) fcntl(in, F_SETPIPE_SZ, static_cast<int>(std::min<std::size_t>(content.size(), 1 << 30)));
            for (std::size_t done = 0; done < content.size();) {
                const ssize_t n = ::write(in, content.data() + done, content.size() - done);
                if (n <= 0) return Error{"what was in a pipe does not fit into one of this system"};
                done += static_cast<std::size_t>(n);
            }
        }
        return {};
    }

    Result<void> open(const FileState &state) {
        std::shared_ptr<OpenFile> file;
        FileSystem &files = population_.files;
        if (state.pe >= population_.processes.size()) return wrong();
        switch (state.kind) {
            case Kind::Output:
                if (state.stream != 1 && state.stream != 2) return wrong();
                file = files.standard_output(state.stream);
                break;
            case Kind::NoInput: file = files.no_input(); break;
            case Kind::Input:
            case Kind::GivenInput:
            case Kind::CopiedInput:
                file = files.standard_input(state.pe);
                if (file->identity().kind != (state.kind == Kind::Input ? Kind::Other : state.kind))
                    return Error{
                        fmt::format("PE {} had another kind of standard input when its state was written: give it the same again "
                                    "(--stdin)",
                                    population_.config.first_rank + state.pe)};
                break;
            case Kind::Regular:
            case Kind::Other:
                if (state.pipe != none) {
                    if (state.pipe >= pipes_.size()) return wrong();
                    file = pipes_[state.pipe][state.writes];
                } else {
                    constexpr int only_once = O_CREAT | O_EXCL | O_TRUNC;
                    if (const int failed = files.open(state.path, state.flags & ~only_once, 0, &file))
                        return Error{fmt::format("{}, which PE {} had open, cannot be opened again: {}", state.path,
                                                 population_.config.first_rank + state.pe, std::strerror(failed))};
                    if (file->identity().kind != state.kind) return Error{fmt::format("{} is another kind of file now", state.path)};
                    if (state.length >= 0) MOG_TRY(cut(*file, state));
                }
                break;
            default: return wrong();
        }
        if (state.is_apart) file = file->apart();
        if (!file) return wrong();
        MOG_TRY(go_to(*file, state));
        file->flags = state.flags;
        if (state.whole_lock != RecordLock::Kind::None)
            if (const int failed = files.locks().lock_whole(*file, state.whole_lock)) return lost_lock(state.path, state.pe, failed);
        files_.push_back(std::move(file));
        return {};
    }

    /// What was written after the state was will be written again.
    Result<void> cut(OpenFile &file, const FileState &state) const {
        struct stat status {};
        if (const int failed = file.status(&status)) return Error{fmt::format("{}: {}", state.path, std::strerror(-failed))};
        if (status.st_size < state.length)
            return Error{fmt::format("{}, which PE {} writes, had {} bytes when its state was written, and has {}", state.path,
                                     population_.config.first_rank + state.pe, state.length, status.st_size)};
        const int failed = status.st_size > state.length ? file.truncate(state.length) : 0;
        return failed == 0 ? Result<void>()
                           : Error{fmt::format("{} cannot be cut to the {} bytes that it had when its state was written: {}", state.path,
                                               state.length, std::strerror(-failed))};
    }

    /// Where it was.
    static Result<void> go_to(OpenFile &file, const FileState &state) {
        if (state.offset <= 0) return state.offset < 0 ? wrong() : Result<void>();
        if (state.kind == Kind::Regular || (state.kind == Kind::Other && state.pipe == none)) {
            const HostResult at = file.seek(state.offset, SEEK_SET);
            return at == state.offset || state.kind == Kind::Other ? Result<void>() : wrong();
        }
        std::array<std::uint8_t, 4096> gone;
        for (std::int64_t left = state.offset; left > 0;) {
            const HostResult n = file.read(std::span(gone).first(static_cast<std::size_t>(std::min<std::int64_t>(left, gone.size()))));
            if (n <= 0) return Error{"a PE had read more of its standard input than there is now"};
            left -= n;
        }
        return {};
    }

    Result<void> fill(std::uint32_t pe) {
        Process &process = population_.processes[pe];
        const ProcessState &state = state_.processes[pe];
        process.has_descriptors = state.has_descriptors;
        process.ignores_sigpipe = state.ignores_sigpipe;
        process.umask.reset();
        if (state.umask) process.umask = static_cast<mode_t>(*state.umask & 0777);
        process.wake = {};
        constexpr std::int64_t most = 4'000'000'000'000'000'000;  // as nanosleep() may ask for, and a time_point can hold
        if (state.wakes_in && (*state.wakes_in > most || *state.wakes_in < -most)) return wrong();
        if (state.wakes_in) process.wake = std::chrono::steady_clock::now() + std::chrono::nanoseconds(*state.wakes_in);
        process.folder = nullptr;
        if (state.folder)
            if (const int failed = population_.files.open_folder(*state.folder, &process.folder, AT_FDCWD))
                return Error{fmt::format("{}, in which PE {} was, cannot be entered again: {}", *state.folder,
                                         population_.config.first_rank + pe, std::strerror(failed))};
        process.descriptors.clear();
        if (state.descriptors.size() > population_.files.paths().policy().max_files)
            return Error{fmt::format("PE {} had {} descriptors when its state was written; give it as many (--max-files)",
                                     population_.config.first_rank + pe, state.descriptors.size())};
        for (const DescriptorState &descriptor : state.descriptors) {
            if (descriptor.file != none && descriptor.file >= files_.size()) return wrong();
            process.descriptors.push_back({descriptor.file == none ? nullptr : files_[descriptor.file], descriptor.close_on_exec});
        }
        return {};
    }

    Result<void> lock() {
        FileLocks &locks = population_.files.locks();
        for (const LockState &state : state_.locks) {
            if (state.file >= files_.size() || state.pe >= population_.processes.size() || state.begin < 0 || state.end <= state.begin ||
                state.kind == RecordLock::Kind::None || state.kind > RecordLock::Kind::Write)
                return wrong();
            std::int64_t blocker = -1;
            if (const int failed = locks.set(*files_[state.file], {state.kind, state.begin, state.end, state.pe}, &blocker))
                return lost_lock(state_.files[state.file].path, state.pe, failed);
        }
        for (const auto &[pe, whom] : state_.waits) {
            if (pe >= population_.processes.size() || whom >= population_.processes.size()) return wrong();
            locks.closes_circle(pe, whom);
        }
        return {};
    }

    Error lost_lock(const std::string &path, std::uint32_t pe, int failed) const {
        return Error{fmt::format("{}, which PE {} had locked, cannot be locked again: {}", path, population_.config.first_rank + pe,
                                 std::strerror(failed))};
    }

    Population &population_;
    FilesState state_;
    std::vector<std::array<std::shared_ptr<OpenFile>, 2>> pipes_;
    std::vector<std::shared_ptr<OpenFile>> files_;
};

}  // namespace

Result<void> write_files(ArchiveWriter &archive, Population &population) {
    Result<FilesState> state = Writer(population).write();
    if (!state) return state.error();
    archive(*state);
    return {};
}

Result<void> read_files(ArchiveReader &archive, Population &population) {
    FilesState state;
    archive(state);
    if (!archive.is_good()) return Error{"the state is damaged: what PEs have open is not whole"};
    return Reader(population, std::move(state)).read();
}

}  // namespace mog
