// subprocess.cpp: posix_spawn and waitpid. Spawned programs share our process group, so Ctrl-C reaches them as well.
#include "support/subprocess.hpp"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <thread>

#include <fmt/format.h>

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
    const std::size_t most = std::max(1u, std::thread::hardware_concurrency());
    std::vector<pid_t> running;
    int first = 0;
    Result<int> result = 0;
    const auto wait_for_oldest = [&] {
        const int status = wait_for(running.front());
        running.erase(running.begin());
        if (first == 0) first = status;
    };
    for (const Command &command : commands) {
        if (running.size() == most) wait_for_oldest();
        Result<pid_t> child = spawn(command, nullptr);
        if (!child) {
            result = child.error();
            break;
        }
        running.push_back(*child);
    }
    while (!running.empty()) wait_for_oldest();
    return result ? Result<int>(first) : result;
}

Result<std::string> capture_command(const Command &command) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return Error{fmt::format("cannot make a pipe: {}", std::strerror(errno))};
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    Result<pid_t> child = spawn(command, &actions);
    posix_spawn_file_actions_destroy(&actions);
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
