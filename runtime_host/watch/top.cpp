// top.cpp
#include "runtime_host/watch/top.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <chrono>
#include <cmath>
#include <optional>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "runtime_host/watch/watch_socket.hpp"
#include "support/files/files.hpp"
#include "support/sizes.hpp"

namespace mog {

const std::string_view top_help =
    "Usage: mogrun top [PROCESS] [--interval=SECONDS] [--once]\n"
    "Shows what the PEs of a run do now: which calls they are in, how many, what they wait for.\n"
    "PROCESS: the number of mogrun's process, or of a program's own; needed where there are several.\n\n"
    "  --interval SECONDS  Show it again after this time: on a terminal each second, elsewhere once\n"
    "  --once              Show it once\n";

namespace {

enum Status { Success = 0, NoSuchRun = 1, BadUsage = 2 };

struct TopWords {
    std::optional<int> process;
    std::optional<double> interval;
    bool once = false, help = false;
};

Result<TopWords> read_words(std::span<const std::string> words) {
    TopWords request;
    constexpr std::string_view interval = "--interval";
    for (std::size_t i = 0; i < words.size(); i++) {
        std::string_view word = words[i];
        if (word == "--once") {
            request.once = true;
        } else if (word == "--help" || word == "-h") {
            request.help = true;
        } else if (word.starts_with(interval) && (word.size() == interval.size() || word[interval.size()] == '=')) {
            if (word.size() > interval.size()) word.remove_prefix(interval.size() + 1);
            else if (++i < words.size()) word = words[i];
            else return Error{"--interval has no value"};
            request.interval = parse_number<double>(word);
            constexpr double least = 0.01, most = 1e6;
            if (!request.interval || !(*request.interval >= least && *request.interval <= most))
                return Error{fmt::format("--interval: \"{}\" is not a number of seconds from 0.01 on", word)};
        } else {
            const std::optional<int> process = parse_number<int>(word);
            if (!process || *process <= 0 || request.process) return Error{fmt::format("\"{}\" is not the number of a process", word)};
            request.process = process;
        }
    }
    return request;
}

/// The lines that a terminal has room for, each over what was there before.
std::string for_screen(std::string_view text) {
    struct winsize size {};
    std::size_t rows = 24, columns = 80;
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 2 && size.ws_col > 0) {
        rows = size.ws_row;
        columns = size.ws_col;
    }
    std::string screen = "\x1b[H";
    for (std::size_t row = 0; row + 1 < rows && !text.empty(); row++) {
        const std::string_view line = text.substr(0, text.find('\n'));
        screen += std::string(line.substr(0, columns)) + "\x1b[K\r\n";
        text.remove_prefix(std::min(text.size(), line.size() + 1));
    }
    return screen + "\x1b[J";
}

}  // namespace

int run_top(std::span<const std::string> words, const std::function<void(std::string_view)> &complain) {
    Result<TopWords> request = read_words(words);
    if (!request) {
        complain(request.error().text() + "; see mogrun top --help");
        return BadUsage;
    }
    if (request->help) return write_text_file("-", std::string(top_help)) ? Success : NoSuchRun;
    if (!request->process) {
        const std::vector<int> runs = runs_to_watch();
        if (runs.size() != 1) {
            complain(runs.empty() ? "there is no run of yours to look at" : fmt::format("which run? There are {}", fmt::join(runs, ", ")));
            return runs.empty() ? NoSuchRun : BadUsage;
        }
        request->process = runs.front();
    }
    const bool on_terminal = isatty(STDOUT_FILENO) != 0;
    const bool once = request->once || (!on_terminal && !request->interval);
    for (bool is_first = true;; is_first = false) {
        const Result<std::optional<std::string>> text = ask_run(*request->process);
        if (!text && is_first) {
            complain(text.error().text());
            return NoSuchRun;
        }
        if (!text || !*text) {
            complain(fmt::format("the run of process {} is over", *request->process));
            return Success;
        }
        if (!write_text_file("-", on_terminal && !once ? (is_first ? "\x1b[2J" : "") + for_screen(**text) : **text)) return Success;
        if (once) return Success;
        std::this_thread::sleep_for(std::chrono::duration<double>(request->interval.value_or(1)));
    }
}

}  // namespace mog
