// result_file.cpp: new files by O_EXCL under a random name, renamed in the open folder. renameat() puts them in place of links, and
// follows none.
#include "support/files/result_file.hpp"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include <fmt/format.h>

#include "support/files/files.hpp"

namespace mog {

namespace {

Error cannot_write(const std::filesystem::path &path, const char *why) {
    return Error{fmt::format("cannot write {}: {}", path.string(), why)};
}

}  // namespace

Result<std::shared_ptr<const ResultFolder>> ResultFolder::open(const std::filesystem::path &path) {
    const std::string name = path.empty() ? "." : path.string();
    OwnedFd folder(::open(name.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!folder) return Error{std::strerror(errno)};
    return std::make_shared<const ResultFolder>(std::move(folder));
}

OwnedFd ResultFolder::create(mode_t mode, std::string *temporary) const {
    std::uint64_t random = 0;
    if (getrandom(&random, sizeof random, 0) != static_cast<ssize_t>(sizeof random)) return {};
    *temporary = fmt::format(".mog-{:016x}", random);
    return OwnedFd(openat(folder_.get(), temporary->c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode));
}

bool ResultFolder::name(const std::string &temporary, const std::string &name) const {
    if (renameat(folder_.get(), temporary.c_str(), folder_.get(), name.c_str()) == 0) return true;
    const int failed = errno;
    remove(temporary);
    errno = failed;
    return false;
}

void ResultFolder::remove(const std::string &temporary) const { unlinkat(folder_.get(), temporary.c_str(), 0); }

Result<ResultFile> ResultFile::open(const std::filesystem::path &path) {
    ResultFile file;
    file.path_ = path;
    const int stream = path == "-" ? STDOUT_FILENO : descriptor_named(path);
    if (stream >= 0 || path.native().starts_with("/dev/")) {
        // Not waiting for anybody to read it; what was opened may take its time.
        OwnedFd device(stream >= 0 ? fcntl(stream, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
                                   : ::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
        if (!device) return cannot_write(path, std::strerror(errno));
        if (stream < 0) fcntl(device.get(), F_SETFL, O_WRONLY);
        file.device_ = std::make_shared<OwnedFd>(std::move(device));
        return file;
    }
    Result<std::shared_ptr<const ResultFolder>> folder = ResultFolder::open(path.parent_path());
    if (!folder) return cannot_write(path, folder.error().message.c_str());
    file.folder_ = *std::move(folder);
    file.name_ = path.filename().string();
    struct stat status {};
    if (fstatat(file.folder_->fd(), file.name_.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0) {
        if (S_ISDIR(status.st_mode)) return cannot_write(path, std::strerror(EISDIR));
        if (!S_ISREG(status.st_mode) && !S_ISLNK(status.st_mode))
            return cannot_write(path, S_ISFIFO(status.st_mode) ? "it is a named pipe, not a file" : "it is no file");
    } else if (file.name_.empty()) {
        return cannot_write(path, std::strerror(EISDIR));
    }
    if (faccessat(file.folder_->fd(), ".", W_OK | X_OK, AT_EACCESS) != 0) return cannot_write(path, std::strerror(errno));
    return file;
}

Result<OwnedFd> ResultFile::begin() const {
    if (device_) {
        OwnedFd again(fcntl(device_->get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
        return again ? Result<OwnedFd>(std::move(again)) : cannot_write(path_, std::strerror(errno));
    }
    std::string temporary;
    OwnedFd file = folder_->create(0666, &temporary);
    if (!file || !folder_->name(temporary, name_)) return cannot_write(path_, std::strerror(errno));
    return file;
}

Result<void> ResultFile::write(std::string_view bytes) const {
    if (device_) {
        std::fflush(stdout);
        return write_all(device_->get(), as_byte_span(bytes)) ? Result<void>() : cannot_write(path_, std::strerror(errno));
    }
    std::string temporary;
    OwnedFd file = folder_->create(0666, &temporary);
    if (!file) return cannot_write(path_, std::strerror(errno));
    if (!write_all(file.get(), as_byte_span(bytes))) {
        const int failed = errno;
        folder_->remove(temporary);
        return cannot_write(path_, std::strerror(failed));
    }
    return folder_->name(temporary, name_) ? Result<void>() : cannot_write(path_, std::strerror(errno));
}

}  // namespace mog
