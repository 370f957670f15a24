// connection.hpp: the way to gdb: a port of this machine, or a socket in the file system.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "runtime_host/gdb/packets.hpp"
#include "support/owned_fd.hpp"
#include "support/result.hpp"

namespace mog::gdb {

class Connection {
public:
    Connection() = default;
    Connection(Connection &&) = default;
    Connection &operator=(Connection &&) = default;
    ~Connection();

    /// `where`: the number of a port, the path of a socket, or nothing: a port that is free. Nobody else's machine can connect.
    static Result<Connection> listen(std::string_view where);
    /// What gdb is to be told: "localhost:1234", or the path.
    const std::string &name() const { return name_; }
    /// Waits for gdb, which comes once, or again when it has left.
    Result<void> accept(bool again = false);
    /// Whether gdb waits for accept().
    bool is_asked() const;

    bool is_open() const { return static_cast<bool>(peer_); }
    void close() { peer_ = OwnedFd(); }
    void send(std::string_view bytes);
    /// What came next; nothing if nothing came in so many milliseconds (-1: any number), or gdb has left, and the connection is closed.
    std::optional<Arrival> receive(int milliseconds);

private:
    OwnedFd listener_, peer_;
    std::string name_, path_;
    PacketReader reader_;
};

}  // namespace mog::gdb
