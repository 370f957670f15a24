// background.cpp: a shell waits for its standard input to end, and then ends all that it has started.
#include "support/compilers/background.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "support/environment.hpp"

extern char **environ;

namespace mog {

namespace fs = std::filesystem;

namespace {

constexpr const char *succeeded = "succeeded", *failed = "failed";

Error no_start(int error) { return Error{fmt::format("cannot work in the background: {}", std::strerror(error))}; }

}  // namespace

Result<BackgroundWork> BackgroundWork::make() {
    const std::string parent = environment_variable("TMPDIR");
    std::string pattern = fmt::format("{}/mog-XXXXXX", parent.empty() ? "/tmp" : parent);
    if (!mkdtemp(pattern.data())) return no_start(errno);
    return BackgroundWork(pattern);
}

BackgroundWork::BackgroundWork(BackgroundWork &&other) noexcept
    : folder_(std::exchange(other.folder_, {})), child_(std::exchange(other.child_, 0)), lifeline_(std::move(other.lifeline_)) {}

BackgroundWork::~BackgroundWork() {
    if (folder_.empty()) return;
    if (child_ != 0) {
        kill(-child_, SIGKILL);
        while (waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
        }
    }
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
}

Result<void> BackgroundWork::start(const std::string &script) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return no_start(errno);
    const OwnedFd read_end(ends[0]);
    lifeline_ = OwnedFd(ends[1]);
    // What compilers leave for each other is in the folder as well.
    const std::string shell =
        "cd \"$1\" && TMPDIR=$1 && export TMPDIR || exit\n"
        "(if sh -e ./script; then >" +
        std::string(succeeded) + "; else >" + failed +
        "; fi) </dev/null &\n"
        "read -r nothing\n"
        "cd / && rm -rf \"$1\"\n"
        "kill -s KILL 0\n";
    const std::string text = script + '\n';
    const OwnedFd file(open((folder_ / "script").c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
    if (!file || write(file.get(), text.data(), text.size()) != static_cast<ssize_t>(text.size())) return no_start(errno);

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, read_end.get(), STDIN_FILENO);
    const std::string log = folder_ / "log";
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
    posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t none;
    sigemptyset(&none);
    sigset_t defaults;
    sigfillset(&defaults);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    const std::string folder = folder_;
    const char *arguments[] = {"sh", "-c", shell.c_str(), "sh", folder.c_str(), nullptr};
    const int error = posix_spawnp(&child_, arguments[0], &actions, &attributes, const_cast<char **>(arguments), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) {
        child_ = 0;
        return no_start(error);
    }
    return {};
}

std::optional<bool> BackgroundWork::ended() const {
    if (access((folder_ / succeeded).c_str(), F_OK) == 0) return true;
    if (access((folder_ / failed).c_str(), F_OK) == 0) return false;
    // Nothing ends the shell but us, or somebody who ends everything.
    if (child_ == 0 || access(folder_.c_str(), F_OK) != 0 || kill(child_, 0) != 0) return false;
    return {};
}

}  // namespace mog
