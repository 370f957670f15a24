// sweep.cpp
#include "runtime_host/config/sweep.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

#include "support/files/files.hpp"
#include "support/text.hpp"

namespace mog {

namespace {

constexpr std::uint32_t most_runs = 1u << 24;

/// Lines that say something: neither empty nor a remark.
Result<std::vector<std::string>> read_lines(std::string_view option, const std::string &path) {
    Result<std::string> text = read_text_file(path == "-" ? "/dev/stdin" : path);
    if (!text) return Error{fmt::format("{} {}", option, text.error().text())};
    std::vector<std::string> lines;
    for (std::string_view line : split_lines(*text)) {
        line = trim(line);
        if (!line.empty() && line.front() != '#') lines.emplace_back(line);
    }
    if (lines.empty()) return Error{fmt::format("{} {}: there is no line for a run in it", option, path)};
    if (lines.size() > most_runs)
        return Error{fmt::format("{} {}: {} runs are too many, {} are possible", option, path, lines.size(), most_runs)};
    return lines;
}

}  // namespace

Result<std::string> fill_pattern(std::string_view pattern, std::uint32_t run) {
    std::string name;
    for (std::size_t i = 0; i < pattern.size(); ++i) {
        if (pattern[i] != '%') {
            name += pattern[i];
            continue;
        }
        const std::size_t begin = ++i;
        std::size_t digits = 0;
        while (i < pattern.size() && pattern[i] >= '0' && pattern[i] <= '9' && digits < 20)
            digits = 10 * digits + static_cast<std::size_t>(pattern[i++] - '0');
        if (i < pattern.size() && pattern[i] == 'r' && digits <= 20) name += fmt::format("{:0{}}", run, digits);
        else if (i == begin && i < pattern.size() && pattern[i] == '%') name += '%';
        else
            return Error{fmt::format(
                "\"{}\": a % is followed by r, for the number of a run, by a number and r, for that with so many digits, or by %",
                pattern)};
    }
    return name;
}

Result<Sweep> Sweep::make(const SweepOptions &options, std::uint32_t nproc) {
    Sweep sweep;
    sweep.options_ = options;
    std::string said_by;
    const auto agree = [&](std::string_view option, std::size_t count) -> Result<void> {
        if (sweep.runs_ != 0 && sweep.runs_ != count)
            return Error{fmt::format("{} has {} run{}, but {} {}", option, count, count == 1 ? "" : "s", said_by, sweep.runs_)};
        sweep.runs_ = static_cast<std::uint32_t>(count);
        said_by = option;
        return {};
    };
    struct Lines {
        std::string_view option;
        const std::string &path;
        std::vector<std::string> &lines;
    };
    for (const Lines &from :
         {Lines{"--args-file", options.arguments, sweep.arguments_}, Lines{"--env-file", options.environment, sweep.environments_}}) {
        if (from.path.empty()) continue;
        Result<std::vector<std::string>> lines = read_lines(from.option, from.path);
        if (!lines) return lines.error();
        from.lines = *std::move(lines);
        MOG_TRY(agree(from.option, from.lines.size()));
    }
    if (options.runs != 0) MOG_TRY(agree("--runs", options.runs));
    for (std::size_t i = 0; i < sweep.environments_.size(); ++i)
        for (const std::string &word : split_words(sweep.environments_[i]))
            if (const std::size_t equals = word.find('='); equals == 0 || equals == std::string::npos)
                return Error{fmt::format("--env-file {}: \"{}\", for run {}, is not NAME=VALUE", options.environment, word, i)};
    if (sweep.runs_ == 0) sweep.runs_ = nproc;
    if (sweep.runs_ == 0) return Error{"how many runs? --args-file and --env-file have a line for each; else --runs N, or -n N, says it"};
    const std::pair<std::string_view, const std::string *> patterns[] = {{"--stdin-file", &options.stdin_file},
                                                                         {"--stdout", &options.stdout_file},
                                                                         {"--stderr", &options.stderr_file},
                                                                         {"--chdir", &options.folder}};
    for (const auto &[option, pattern] : patterns)
        if (const Result<std::string> name = fill_pattern(*pattern, 0); !name)
            return Error{fmt::format("{} {}", option, name.error().message)};
    // Better now than when thousands have run.
    for (std::uint32_t run = 0; !options.stdin_file.empty() && run < sweep.runs_; ++run)
        if (const std::string name = name_of(options.stdin_file, run); access(name.c_str(), R_OK) != 0)
            return Error{fmt::format("--stdin-file {}, of run {}: {}", name, run, std::strerror(errno))};
    return sweep;
}

bool Sweep::is_sound() const {
    for (const std::vector<std::string> *const lines : {&arguments_, &environments_})
        if (!lines->empty() && lines->size() != runs_) return false;
    for (const std::string *const pattern : {&options_.stdin_file, &options_.stdout_file, &options_.stderr_file, &options_.folder})
        if (!fill_pattern(*pattern, 0)) return false;
    return runs_ != 0;
}

std::vector<std::string> Sweep::arguments_of(std::uint32_t run) const {
    return arguments_.empty() ? std::vector<std::string>() : split_words(arguments_[run]);
}

std::vector<std::string> Sweep::environment_of(std::uint32_t run, std::vector<std::string> common) const {
    if (environments_.empty()) return common;
    for (const std::string &word : split_words(environments_[run])) {
        const std::string name = word.substr(0, word.find('=') + 1);
        const auto found = std::ranges::find_if(common, [&](const std::string &other) { return other.starts_with(name); });
        if (found != common.end()) *found = word;
        else common.push_back(word);
    }
    return common;
}

}  // namespace mog
