// patient_write.cpp: pipes and terminals are opened once more, without waiting; sockets have a flag for each write; what can be
// opened by its name in /proc no more, a pipe of another user, gets pieces that it takes at once when it takes anything.
#include "support/patient_write.hpp"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>

namespace mog {

PatientWriter::~PatientWriter() {
    if (own_ >= 0) close(own_);
}

void PatientWriter::look() {
    struct stat status {};
    kind_ = Kind::Shared;
    if (fstat(fd_, &status) != 0) return;
    if (S_ISREG(status.st_mode) || S_ISBLK(status.st_mode)) kind_ = Kind::File;
    if (S_ISSOCK(status.st_mode)) kind_ = Kind::Socket;
    if (!S_ISFIFO(status.st_mode) && !S_ISCHR(status.st_mode)) return;
    own_ = open(("/proc/self/fd/" + std::to_string(fd_)).c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    // A standard stream may be open for reading only, or its number mean something else by now.
    const int flags = fcntl(fd_, F_GETFL);
    if (own_ >= 0 && flags >= 0 && (flags & O_ACCMODE) != O_RDONLY) kind_ = Kind::Own;
}

int PatientWriter::write(std::string_view bytes, const Wait &wait) {
    constexpr std::size_t always_fits = 512;  // POSIX's least PIPE_BUF
    if (kind_ == Kind::Unknown) look();
    while (!bytes.empty()) {
        const int fd = kind_ == Kind::Own ? own_ : fd_;
        if (kind_ == Kind::Shared)
            if (int failed = wait(fd)) return failed;
        const ssize_t n = kind_ == Kind::Socket
                              ? send(fd, bytes.data(), bytes.size(), MSG_DONTWAIT | MSG_NOSIGNAL)
                              : ::write(fd, bytes.data(), kind_ == Kind::Shared ? std::min(bytes.size(), always_fits) : bytes.size());
        if (n >= 0) {
            bytes.remove_prefix(static_cast<std::size_t>(n));
        } else if (errno == EAGAIN) {
            if (int failed = wait(fd)) return failed;
        } else if (errno != EINTR) {
            return errno;
        }
    }
    return 0;
}

}  // namespace mog
