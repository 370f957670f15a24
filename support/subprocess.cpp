// subprocess.cpp: posix_spawn and waitpid. Spawned programs share our process group, so Ctrl-C reaches them as well.
#include "support/subprocess.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <thread>

#include <fmt/format.h>

#include "support/owned_fd.hpp"

extern char **environ;

namespace mog {

namespace {

Result<pid_t> spawn(const Command &command, const posix_spawn_file_actions_t *actions) {
    std::vector<char *> arguments;
    for (const std::string &word : command) arguments.push_back(const_cast<char *>(word.c_str()));
    arguments.push_back(nullptr);
    pid_t child = 0;
    if (int error = posix_spawnp(&child, arguments[0], actions, nullptr, arguments.data(), environ); error != 0)
        return Error{fmt::format("cannot run {}: {}", command[0], std::strerror(error))};
    return child;
}

struct Actions {
    posix_spawn_file_actions_t list{};
    Actions() { posix_spawn_file_actions_init(&list); }
    ~Actions() { posix_spawn_file_actions_destroy(&list); }
    Actions(const Actions &) = delete;
    Actions &operator=(const Actions &) = delete;
};

/// What has been written to a file, to standard error.
void show_all(int fd) {
    char buffer[4096];
    off_t at = 0;
    for (ssize_t n; fd >= 0 && (n = pread(fd, buffer, sizeof buffer, at)) > 0; at += n)
        std::fwrite(buffer, 1, static_cast<std::size_t>(n), stderr);
}

int wait_for(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

std::string quote(const Command &command) {
    std::string line;
    for (const std::string &word : command) {
        line += line.empty() ? "\"" : " \"";
        for (char c : word) {
            if (std::strchr("\"\\$`", c)) line += '\\';
            line += c;
        }
        line += '"';
    }
    return line;
}

Result<int> run_command(const Command &command) {
    Result<pid_t> child = spawn(command, nullptr);
    if (!child) return child.error();
    return wait_for(*child);
}

Result<int> run_commands(const std::vector<Command> &commands) {
    struct Run {
        Result<int> status = 0;
        OwnedFd said;
    };
    std::vector<Run> runs(commands.size());
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
        for (std::size_t i; (i = next++) < commands.size();) {
            Run &run = runs[i];
            run.said = OwnedFd(memfd_create("messages", MFD_CLOEXEC));
            Actions actions;
            if (run.said) posix_spawn_file_actions_adddup2(&actions.list, run.said.get(), STDERR_FILENO);
            const Result<pid_t> child = spawn(commands[i], &actions.list);
            run.status = child ? Result<int>(wait_for(*child)) : child.error();
        }
    };
    {
        std::vector<std::jthread> workers;
        for (std::size_t i = std::min<std::size_t>(commands.size(), std::max(1u, std::thread::hardware_concurrency())); i-- > 1;)
            workers.emplace_back(work);
        work();
    }
    Result<int> first = 0;
    for (Run &run : runs) {
        show_all(run.said.get());
        if (first && (!run.status || *first == 0)) first = run.status;
    }
    return first;
}

Result<std::string> capture_command(const Command &command) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return Error{fmt::format("cannot make a pipe: {}", std::strerror(errno))};
    Actions actions;
    posix_spawn_file_actions_adddup2(&actions.list, ends[1], STDOUT_FILENO);
    Result<pid_t> child = spawn(command, &actions.list);
    close(ends[1]);
    std::string output;
    if (child) {
        char buffer[4096];
        for (ssize_t n; (n = read(ends[0], buffer, sizeof buffer)) != 0;) {
            if (n > 0) output.append(buffer, static_cast<std::size_t>(n));
            else if (errno != EINTR) break;
        }
    }
    close(ends[0]);
    if (!child) return child.error();
    if (int status = wait_for(*child); status != 0) return Error{fmt::format("{} failed with status {}", quote(command), status)};
    return output;
}

bool program_exists(std::string_view program) {
    if (program.empty()) return false;
    if (program.find('/') != program.npos) return access(std::string(program).c_str(), X_OK) == 0;
    const char *path = std::getenv("PATH");
    std::istringstream folders(path ? path : "/usr/local/bin:/usr/bin:/bin");
    for (std::string folder; std::getline(folders, folder, ':');)
        if (access(fmt::format("{}/{}", folder.empty() ? "." : folder, program).c_str(), X_OK) == 0) return true;
    return false;
}

}  // namespace mog
