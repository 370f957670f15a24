// files.cpp: whole files in and out. C streams, for their errno.
#include "support/files/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <random>

#include <fmt/format.h>

#include "support/files/staged_file.hpp"
#include "support/files/temporary.hpp"

namespace mog {

bool write_all(int fd, std::span<const std::uint8_t> bytes) {
    while (!bytes.empty()) {
        const ssize_t done = ::write(fd, bytes.data(), bytes.size());
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return false;
        bytes = bytes.subspan(static_cast<std::size_t>(done));
    }
    return true;
}

int descriptor_named(const std::filesystem::path &path) {
    if (path == "/dev/stdout") return STDOUT_FILENO;
    if (path == "/dev/stderr") return STDERR_FILENO;
    for (const char *folder : {"/dev/fd", "/proc/self/fd"}) {
        if (path.parent_path() != folder) continue;
        const std::string name = path.filename();
        int fd = -1;
        const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), fd);
        if (error == std::errc() && end == name.data() + name.size()) return fd;
    }
    return -1;
}

namespace {

Error system_error(const std::string &what, int number) { return {what + ": " + std::strerror(number), {}}; }

template <typename Container>
Result<Container> read_whole(const std::filesystem::path &path, bool only_regular = false) {
    const bool is_stdin = path == "-" && !only_regular;
    // Who wants a file only must not wait for somebody to write to a pipe of that name.
    const int fd = is_stdin ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC | (only_regular ? O_NONBLOCK | O_NOCTTY : 0));
    if (fd < 0) return system_error("cannot open " + path.string(), errno);
    Container content;
    struct stat status {};
    const bool is_regular = ::fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
    if (only_regular && !is_regular) {
        ::close(fd);
        return Error{path.string() + " is no regular file", {}};
    }
    if (is_regular) content.reserve(static_cast<std::size_t>(status.st_size));
    char chunk[1 << 16];
    for (;;) {
        const ssize_t got = ::read(fd, chunk, sizeof chunk);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) {
            const int number = errno;
            if (!is_stdin) ::close(fd);
            return system_error("cannot read " + path.string(), number);
        }
        if (got == 0) break;
        // As what it is put into, or each byte is converted by itself.
        const auto *bytes = reinterpret_cast<const typename Container::value_type *>(chunk);
        content.insert(content.end(), bytes, bytes + got);
    }
    if (!is_stdin) ::close(fd);
    return content;
}

/// Opens a file with more flags, makes these bytes its contents and closes it; 0 or an error number.
int write_in_place(const std::filesystem::path &path, std::span<const std::uint8_t> bytes, unsigned permissions, int flags = 0) {
    const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | flags, static_cast<mode_t>(permissions));
    if (fd < 0) return errno;
    const int number = write_all(fd, bytes) ? 0 : errno;
    return ::close(fd) != 0 && number == 0 ? errno : number;
}

/// Where a new file is to stand that is written as `path`. As with ld, a link to a file with contents is replaced itself, and one to
/// an empty file or to nothing is followed.
std::filesystem::path place_of(const std::filesystem::path &path, bool has_contents) {
    std::filesystem::path place = path;
    std::error_code error;
    for (int links = 0; !has_contents && links < 40 && std::filesystem::is_symlink(std::filesystem::symlink_status(place, error));
         ++links) {
        const std::filesystem::path target = std::filesystem::read_symlink(place, error);
        if (error) break;
        place = place.parent_path() / target;
    }
    return place;
}

/// A name in the same folder that nobody else uses. Not made of the file's own, which may be as long as names can be.
std::filesystem::path name_beside(const std::filesystem::path &path) {
    std::random_device device;
    const std::uint64_t number = std::uint64_t{device()} << 32 | device();
    return path.parent_path() / fmt::format(".mog-{:016x}.tmp", number);
}

}  // namespace

Result<std::vector<std::uint8_t>> read_file(const std::filesystem::path &path) { return read_whole<std::vector<std::uint8_t>>(path); }

Result<std::vector<std::uint8_t>> read_regular_file(const std::filesystem::path &path) {
    return read_whole<std::vector<std::uint8_t>>(path, true);
}

Result<std::string> read_text_file(const std::filesystem::path &path) { return read_whole<std::string>(path); }

Result<void> write_file(const std::filesystem::path &path, std::span<const std::uint8_t> bytes, unsigned permissions) {
    if (path == "-") {
        std::fflush(stdout);
        if (!write_all(STDOUT_FILENO, bytes)) return system_error("cannot write to standard output", errno);
        return {};
    }
    const auto failed = [&](int number) { return system_error("cannot write " + path.string(), number); };
    if (const int fd = descriptor_named(path); fd >= 0) return write_all(fd, bytes) ? Result<void>() : failed(errno);

    struct stat status {};
    const bool exists = ::stat(path.c_str(), &status) == 0;
    // Devices and pipes (/dev/null, a FIFO) are written as they are; files are replaced by a finished one.
    if (exists && !S_ISREG(status.st_mode)) {
        const int number = write_in_place(path, bytes, permissions);
        return number == 0 ? Result<void>() : failed(number);
    }
    const std::filesystem::path place = place_of(path, exists && status.st_size != 0);
    const std::filesystem::path temporary = name_beside(place);
    remove_at_exit(temporary);
    int number = write_in_place(temporary, bytes, permissions, O_EXCL);
    if (number == 0 && ::rename(temporary.c_str(), place.c_str()) != 0) number = errno;
    if (number != 0) ::unlink(temporary.c_str());
    keep(temporary);
    // A folder that takes no new files may still hold one that can be written.
    if (exists && (number == EACCES || number == EPERM || number == EROFS)) number = write_in_place(path, bytes, permissions);
    return number == 0 ? Result<void>() : failed(number);
}

std::optional<Staged> stage_file(const std::filesystem::path &path, bool follows_links) {
    struct stat status {};
    const bool exists = ::stat(path.c_str(), &status) == 0;
    if (path == "-" || descriptor_named(path) >= 0 || (exists && !S_ISREG(status.st_mode))) return std::nullopt;
    Staged file{{}, place_of(path, !follows_links && exists && status.st_size != 0)};
    file.temporary = name_beside(file.place);
    const std::filesystem::path folder = file.place.parent_path();
    if (::access(folder.empty() ? "." : folder.c_str(), W_OK) != 0) return std::nullopt;
    remove_at_exit(file.temporary);
    return file;
}

Result<void> finish_staged(const Staged &file) {
    if (::rename(file.temporary.c_str(), file.place.c_str()) != 0) return system_error("cannot write " + file.place.string(), errno);
    keep(file.temporary);
    return {};
}

Result<void> write_text_file(const std::filesystem::path &path, std::string_view text) { return write_file(path, as_byte_span(text)); }

bool same_file(int a, int b) {
    struct stat x {
    }, y{};
    return fstat(a, &x) == 0 && fstat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

}  // namespace mog
