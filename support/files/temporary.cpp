// temporary.cpp: a fixed table of paths, because a signal handler may neither allocate nor lock.
#include "support/files/temporary.hpp"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string>

#include <fmt/format.h>

namespace mog {

namespace {

struct Entry {
    std::atomic<bool> taken{false}, used{false};  // somebody's; its path is there
    char path[PATH_MAX];
};
Entry entries[64];
char folder[PATH_MAX];  // empty until it exists

// Async-signal-safe.
void remove_all() {
    for (Entry &entry : entries)
        if (entry.used.exchange(false)) unlink(entry.path);
    if (folder[0]) rmdir(folder);
}

void on_signal(int signal) {
    remove_all();
    std::signal(signal, SIG_DFL);
    raise(signal);
}

}  // namespace

void remove_temporaries_on_signals() {
    for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE})
        if (std::signal(signal, on_signal) == SIG_IGN) std::signal(signal, SIG_IGN);  // as nohup wants it
}

void remove_temporaries() { remove_all(); }

void remove_at_exit(const std::filesystem::path &path) {
    static const int registered = std::atexit(remove_all);
    if (registered != 0 || path.native().size() >= PATH_MAX) return;
    for (const Entry &entry : entries)
        if (entry.used && path == entry.path) return;
    for (Entry &entry : entries) {
        if (entry.taken.exchange(true)) continue;
        std::strcpy(entry.path, path.c_str());
        entry.used = true;
        return;
    }
}

void keep(const std::filesystem::path &path) {
    for (Entry &entry : entries)
        if (entry.used && path == entry.path) {
            entry.used = false;
            entry.taken = false;
        }
}

Result<std::filesystem::path> temporary_file(std::string_view name) {
    if (!folder[0]) {
        const char *parent = std::getenv("TMPDIR");
        std::string pattern = fmt::format("{}/mog-XXXXXX", parent && *parent ? parent : "/tmp");
        if (pattern.size() >= sizeof folder || !mkdtemp(pattern.data()))
            return Error{fmt::format("cannot make a temporary folder {}: {}", pattern, std::strerror(errno))};
        std::strcpy(folder, pattern.c_str());
    }
    std::filesystem::path path = std::filesystem::path(folder) / name;
    remove_at_exit(path);
    return path;
}

}  // namespace mog
