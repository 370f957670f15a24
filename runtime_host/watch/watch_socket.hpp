// watch_socket.hpp: where a run can be asked what its PEs do: a socket in the file system by the number of its process, for its user alone.
// Whoever connects is sent a text; then the connection is closed. An empty text: the run is over.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "runtime_host/watch/watch.hpp"
#include "support/result.hpp"

namespace mog {

class WatchSocket {
public:
    /// Serves from now on. `title` is put before each text. Null: there is no place for it, without which runs go on all the same.
    static std::unique_ptr<WatchSocket> open(Watch &watch, std::string title);
    WatchSocket(const WatchSocket &) = delete;
    WatchSocket &operator=(const WatchSocket &) = delete;
    /// Those who wait are told that the run is over.
    ~WatchSocket();

private:
    WatchSocket(Watch &watch, std::string title) : watch_(watch), title_(std::move(title)) {}
    void serve();

    Watch &watch_;
    std::string title_;
    std::filesystem::path path_;
    OwnedFd socket_, ends_;
    std::thread thread_;
};

/// The text of a run. None: it has ended meanwhile. Error: there is no such run, or it is another user's.
Result<std::optional<std::string>> ask_run(int process);
/// Processes that can be asked.
std::vector<int> runs_to_watch();

}  // namespace mog
