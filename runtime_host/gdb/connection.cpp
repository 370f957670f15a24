// connection.cpp: see connection.hpp.
#include "runtime_host/gdb/connection.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

#include <cerrno>
#include <charconv>
#include <cstring>

#include <fmt/format.h>

namespace mog::gdb {

namespace {

Error failed(std::string_view where) { return Error{fmt::format("--gdb={}: {}", where, std::strerror(errno))}; }

}  // namespace

Connection::~Connection() {
    if (listener_ && !path_.empty()) unlink(path_.c_str());
}

Result<Connection> Connection::listen(std::string_view where) {
    Connection connection;
    std::uint16_t port = 0;
    const auto [end, not_read] = std::from_chars(where.data(), where.data() + where.size(), port);
    if (where.empty() || (not_read == std::errc() && end == where.data() + where.size())) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        connection.listener_ = OwnedFd(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        const int on = 1;
        setsockopt(connection.listener_.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
        socklen_t size = sizeof address;
        auto *const any = reinterpret_cast<sockaddr *>(&address);
        if (bind(connection.listener_.get(), any, size) != 0 || ::listen(connection.listener_.get(), 1) != 0 ||
            getsockname(connection.listener_.get(), any, &size) != 0)
            return failed(where);
        connection.name_ = fmt::format("localhost:{}", ntohs(address.sin_port));
        return connection;
    }
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    // It gets its name when somebody listens at it: whoever waits for the name may connect at once.
    const std::string path(where), unheard = fmt::format("{}.{}", where, getpid());
    if (unheard.size() >= sizeof address.sun_path) return Error{fmt::format("--gdb={}: the path of a socket is shorter", where)};
    std::memcpy(address.sun_path, unheard.data(), unheard.size());
    connection.listener_ = OwnedFd(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (bind(connection.listener_.get(), reinterpret_cast<sockaddr *>(&address), sizeof address) != 0) return failed(where);
    const bool is_named = ::listen(connection.listener_.get(), 1) == 0 && link(unheard.c_str(), path.c_str()) == 0;
    const Error error = failed(where);
    unlink(unheard.c_str());
    if (!is_named) return error;
    connection.name_ = connection.path_ = path;
    return connection;
}

bool Connection::is_asked() const {
    pollfd ready{listener_.get(), POLLIN, 0};
    return listener_ && poll(&ready, 1, 0) > 0;
}

Result<void> Connection::accept(bool again) {
    int fd = -1;
    do fd = accept4(listener_.get(), nullptr, nullptr, SOCK_CLOEXEC);
    while (fd < 0 && errno == EINTR);
    if (fd < 0) return failed(name_);
    peer_ = OwnedFd(fd);
    const int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);  // not of sockets in the file system, which need it not
    reader_ = PacketReader();
    if (again) return {};
    if (!path_.empty()) unlink(path_.c_str());
    path_.clear();
    listener_ = OwnedFd();
    return {};
}

void Connection::send(std::string_view bytes) {
    while (!bytes.empty() && peer_) {
        const ssize_t n = ::send(peer_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return close();
        bytes.remove_prefix(static_cast<std::size_t>(n));
    }
}

std::optional<Arrival> Connection::receive(int milliseconds) {
    for (;;) {
        if (std::optional<Arrival> arrival = reader_.next()) return arrival;
        if (!peer_) return std::nullopt;
        pollfd ready{peer_.get(), POLLIN, 0};
        const int count = poll(&ready, 1, milliseconds);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return std::nullopt;
        char bytes[1 << 14];
        const ssize_t n = recv(peer_.get(), bytes, sizeof bytes, 0);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) {
            close();
            return std::nullopt;
        }
        reader_.add({bytes, static_cast<std::size_t>(n)});
    }
}

}  // namespace mog::gdb
