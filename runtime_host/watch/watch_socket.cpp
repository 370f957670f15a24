// watch_socket.cpp
#include "runtime_host/watch/watch_socket.hpp"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <system_error>

#include <fmt/format.h>

#include "support/sizes.hpp"

namespace mog {

namespace {

namespace fs = std::filesystem;

/// Nobody but this user may have a folder of that name.
bool is_ours(const fs::path &folder) {
    struct stat status {};
    return lstat(folder.c_str(), &status) == 0 && S_ISDIR(status.st_mode) && status.st_uid == geteuid() && (status.st_mode & 077) == 0;
}

/// Where sockets may be, the best place first.
std::vector<fs::path> folders() {
    std::vector<fs::path> all;
    if (const char *own = std::getenv("XDG_RUNTIME_DIR"); own && *own == '/') all.push_back(fs::path(own) / "mog");
    all.push_back(fmt::format("/tmp/mog-{}", geteuid()));
    all.push_back(fmt::format("/run/user/{}/mog", geteuid()));
    return all;
}

/// Connected; or -errno.
int connect_to(const fs::path &path) {
    struct sockaddr_un address {};
    address.sun_family = AF_UNIX;
    if (path.native().size() >= sizeof address.sun_path) return -ENAMETOOLONG;
    std::memcpy(address.sun_path, path.c_str(), path.native().size());
    const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0) return -errno;
    if (connect(fd, reinterpret_cast<const struct sockaddr *>(&address), sizeof address) == 0) return fd;
    const int error = errno;
    close(fd);
    return -error;
}

std::optional<int> process_of(const fs::path &path) {
    const std::optional<int> process = parse_number<int>(path.filename().native());
    return process && *process > 0 ? process : std::nullopt;
}

/// What runs have left that were killed.
void remove_dead(const fs::path &folder) {
    std::error_code failed;
    for (const fs::directory_entry &entry : fs::directory_iterator(folder, failed)) {
        const std::optional<int> process = process_of(entry.path());
        if (!process || kill(*process, 0) == 0 || errno != ESRCH) continue;
        // The process may be there for others: in a container that shares the folder.
        const int fd = connect_to(entry.path());
        if (fd >= 0) close(fd);
        else if (fd == -ECONNREFUSED) unlink(entry.path().c_str());
    }
}

bool is_same_user(int fd) {
    struct ucred other {};
    socklen_t size = sizeof other;
    return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &other, &size) == 0 && (other.uid == geteuid() || other.uid == 0);
}

void send_all(int fd, std::string_view text) {
    const struct timeval patience { 5, 0 };
    setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
    while (!text.empty()) {
        const ssize_t sent = send(fd, text.data(), text.size(), MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR) continue;
        if (sent <= 0) return;  // who asked has left
        text.remove_prefix(static_cast<std::size_t>(sent));
    }
}

}  // namespace

std::unique_ptr<WatchSocket> WatchSocket::open(Watch &watch, std::string title) {
    std::unique_ptr<WatchSocket> server(new WatchSocket(watch, std::move(title)));
    for (const fs::path &folder : folders()) {
        if (mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST) continue;
        if (!is_ours(folder)) continue;
        remove_dead(folder);
        const fs::path path = folder / std::to_string(getpid());
        struct sockaddr_un address {};
        address.sun_family = AF_UNIX;
        if (path.native().size() >= sizeof address.sun_path) continue;
        std::memcpy(address.sun_path, path.c_str(), path.native().size());
        OwnedFd socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
        unlink(path.c_str());  // of a process that had our number
        if (!socket || bind(socket.get(), reinterpret_cast<const struct sockaddr *>(&address), sizeof address) != 0) continue;
        server->path_ = path;
        if (listen(socket.get(), 8) != 0) return nullptr;
        server->socket_ = std::move(socket);
        break;
    }
    server->ends_ = OwnedFd(eventfd(0, EFD_CLOEXEC));
    if (!server->socket_ || !server->ends_) return nullptr;
    // Signals are for the other threads.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    try {
        server->thread_ = std::thread([&own = *server] { own.serve(); });
    } catch (const std::system_error &) {
        server.reset();
    }
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return server;
}

WatchSocket::~WatchSocket() {
    if (thread_.joinable()) {
        watch_.close();
        const std::uint64_t one = 1;
        if (write(ends_.get(), &one, sizeof one) < 0) std::abort();  // an eventfd of our own takes it
        thread_.join();
    }
    if (!path_.empty()) unlink(path_.c_str());
}

void WatchSocket::serve() {
    for (;;) {
        struct pollfd wait[] = {{ends_.get(), POLLIN, 0}, {socket_.get(), POLLIN, 0}};
        if (poll(wait, 2, -1) < 0) continue;
        if (wait[0].revents != 0) return;
        const OwnedFd client(accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC));
        if (!client || !is_same_user(client.get())) continue;
        if (const std::optional<std::string> text = watch_.ask_and_wait()) send_all(client.get(), title_ + *text);
    }
}

Result<std::optional<std::string>> ask_run(int process) {
    int fd = -ENOENT;
    for (const fs::path &folder : folders())
        if (fd == -ENOENT && is_ours(folder)) fd = connect_to(folder / std::to_string(process));
    if (fd < 0) return Error{fmt::format("process {} is no run that can be asked: none of mogrun, another user's, or over", process)};
    const OwnedFd connection(fd);
    std::string text;
    for (char piece[4096];;) {
        const ssize_t size = read(fd, piece, sizeof piece);
        if (size < 0 && errno == EINTR) continue;
        if (size <= 0) break;
        text.append(piece, static_cast<std::size_t>(size));
    }
    if (text.empty()) return std::optional<std::string>();
    return std::optional(std::move(text));
}

std::vector<int> runs_to_watch() {
    std::vector<int> all;
    for (const fs::path &folder : folders()) {
        std::error_code failed;
        if (!is_ours(folder)) continue;
        for (const fs::directory_entry &entry : fs::directory_iterator(folder, failed))
            if (const std::optional<int> process = process_of(entry.path()); process && kill(*process, 0) == 0) all.push_back(*process);
    }
    std::ranges::sort(all);
    all.erase(std::ranges::unique(all).begin(), all.end());
    return all;
}

}  // namespace mog
