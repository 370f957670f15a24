// files.cpp: whole files in and out. C streams, for their errno.
#include "support/files.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

namespace mog {
namespace {

Error system_error(const std::string &what, int number) {
    return {what + ": " + std::strerror(number), {}};
}

/// Writes all bytes; false with errno set if that fails.
bool write_all(int fd, std::span<const std::uint8_t> bytes) {
    while (!bytes.empty()) {
        const ssize_t done = ::write(fd, bytes.data(), bytes.size());
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return false;
        bytes = bytes.subspan(static_cast<std::size_t>(done));
    }
    return true;
}

template <typename Container>
Result<Container> read_whole(const std::filesystem::path &path) {
    const bool is_stdin = path == "-";
    const int fd = is_stdin ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0) return system_error("cannot open " + path.string(), errno);
    Container content;
    struct stat status {};
    if (::fstat(fd, &status) == 0 && S_ISREG(status.st_mode)) content.reserve(static_cast<std::size_t>(status.st_size));
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
        content.insert(content.end(), chunk, chunk + got);
    }
    if (!is_stdin) ::close(fd);
    return content;
}

}  // namespace

Result<std::vector<std::uint8_t>> read_file(const std::filesystem::path &path) {
    return read_whole<std::vector<std::uint8_t>>(path);
}

Result<std::string> read_text_file(const std::filesystem::path &path) {
    return read_whole<std::string>(path);
}

Result<void> write_file(const std::filesystem::path &path, std::span<const std::uint8_t> bytes) {
    if (path == "-") {
        std::fflush(stdout);
        if (!write_all(STDOUT_FILENO, bytes)) return system_error("cannot write to standard output", errno);
        return {};
    }
    // Devices and pipes (/dev/null, /dev/stdout) are written as they are; files are replaced by a finished one.
    std::error_code ignored;
    const auto kind = std::filesystem::status(path, ignored).type();
    const bool direct = kind != std::filesystem::file_type::regular && kind != std::filesystem::file_type::not_found;
    const std::string target = direct ? path.string() : path.string() + ".tmp" + std::to_string(::getpid());
    const int fd = ::open(target.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (fd < 0) return system_error("cannot write " + path.string(), errno);
    const bool written = write_all(fd, bytes);
    int number = errno;
    const bool closed = ::close(fd) == 0;
    if (written && !closed) number = errno;
    bool ok = written && closed;
    if (ok && !direct && ::rename(target.c_str(), path.c_str()) != 0) {
        number = errno;
        ok = false;
    }
    if (ok) return {};
    if (!direct) ::unlink(target.c_str());
    return system_error("cannot write " + path.string(), number);
}

Result<void> write_text_file(const std::filesystem::path &path, std::string_view text) {
    return write_file(path, as_byte_span(text));
}

}  // namespace mog
