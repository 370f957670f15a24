// progress_report.cpp
#include "runtime_host/watch/progress_report.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "support/say.hpp"
#include "support/sizes.hpp"

namespace mog {

namespace {

constexpr double seconds_without = 2;  // what is over sooner needs no line
constexpr std::chrono::milliseconds period{1000};

bool is_same_terminal() {
    struct stat out {
    }, error{};
    return isatty(STDOUT_FILENO) && fstat(STDOUT_FILENO, &out) == 0 && fstat(STDERR_FILENO, &error) == 0 && out.st_rdev == error.st_rdev;
}

std::uint64_t resident_bytes() {
    std::ifstream file("/proc/self/statm");
    std::uint64_t all = 0, resident = 0;
    file >> all >> resident;
    return resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

/// "1.2 G", "850"
std::string short_number(double value) {
    constexpr std::string_view units[] = {"", " k", " M", " G", " T"};
    std::size_t unit = 0;
    for (; value >= 1000 && unit + 1 < std::size(units); unit++) value /= 1000;
    return fmt::format("{:.{}f}{}", value, value < 10 && unit != 0 ? 1 : 0, units[unit]);
}

std::string short_time(double seconds) {
    const auto s = static_cast<std::uint64_t>(seconds);
    if (s < 100) return fmt::format("{} s", s);
    if (s < 6000) return fmt::format("{}:{:02} min", s / 60, s % 60);
    return fmt::format("{}:{:02} h", s / 3600, s / 60 % 60);
}

/// As long as those that have ended took, if they end at different times; before a twentieth has, nobody knows.
std::optional<double> seconds_left(const RunProgress &p) {
    if (p.ended >= p.nproc || std::uint64_t{20} * p.ended < p.nproc) return {};
    return p.seconds * (p.nproc - p.ended) / p.ended;
}

}  // namespace

Result<std::unique_ptr<ProgressReport>> ProgressReport::make(const ProgressOptions &options, bool shows_by_itself) {
    using Shows = ProgressOptions::Line;
    const bool is_terminal = isatty(STDERR_FILENO) != 0;
    const bool draws = options.line == Shows::On || (options.line == Shows::Auto && shows_by_itself && is_terminal);
    std::unique_ptr<ProgressReport> report;
    if (!draws && options.file.empty() && !options.descriptor) return report;
    report.reset(new ProgressReport(draws, is_terminal));
    report->shares_output_ = is_same_terminal();
    if (options.descriptor) {
        report->file_ = *options.descriptor;
        if (fcntl(report->file_, F_GETFD) == -1) return Error{fmt::format("--progress: there is no descriptor {}", report->file_)};
    }
    if (!options.file.empty()) {
        report->own_file_ = OwnedFd(open(options.file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0666));
        report->file_ = report->own_file_.get();
        if (report->file_ < 0) return Error{fmt::format("--progress: cannot write {}: {}", options.file, std::strerror(errno))};
    }
    return report;
}

/// What is asked for once a second.
void ProgressReport::look(const RunProgress &p, const std::function<OfDevice()> &of_device) {
    device_ = of_device();
    resident_ = resident_bytes();
    const std::uint64_t count = device_.instructions.value_or(p.calls);
    if (p.seconds > looked_) rate_ = static_cast<double>(count - std::min(count, counted_)) / (p.seconds - looked_);
    counted_ = count;
    looked_ = p.seconds;
}

std::string ProgressReport::line(const RunProgress &p) const {
    const std::string_view what = p.is_sweep ? "runs" : p.nproc == 1 ? "PE" : "PEs";
    // What matters most is first: terminals are narrow.
    std::string text = short_time(p.seconds);
    if (const std::optional<double> left = seconds_left(p)) text += fmt::format(", {} left", short_time(*left));
    text += fmt::format(": {} of {} {} ended, {} {}/s, {} calls, ", p.ended, p.nproc, what, short_number(rate_),
                        device_.instructions ? "instructions" : "calls", short_number(static_cast<double>(p.calls)));
    if (device_.functions != 0) text += fmt::format("{} functions compiled, ", device_.functions);
    return text + fmt::format("{}B of memory", short_number(static_cast<double>(resident_)));
}

std::string ProgressReport::json(const RunProgress &p, std::optional<int> status) const {
    nlohmann::ordered_json json = {
        {"seconds", p.seconds}, {p.is_sweep ? "runs" : "pes", p.nproc}, {"ended", p.ended}, {"waiting", p.waiting}, {"calls", p.calls},
        {"launches", p.slices}, {"resident_bytes", resident_}};
    if (device_.instructions) json["mog_instructions"] = *device_.instructions;
    if (device_.functions != 0) json["functions_compiled"] = device_.functions;
    if (const std::optional<double> left = status ? std::nullopt : seconds_left(p)) json["seconds_left"] = *left;
    json["over"] = status.has_value();
    if (status) json["status"] = *status;
    return json.dump() + "\n";
}

void ProgressReport::draw(const RunProgress &p) {
    if (!is_terminal_) return say_text(line(p) + "\n");
    // Not where somebody is asked something, nor over what another job of the shell shows.
    const bool is_asking = in_line_ || (p.waiting != 0 && isatty(STDIN_FILENO));
    if (is_asking || tcgetpgrp(STDERR_FILENO) != getpgrp()) return before_output();
    struct winsize size {};
    std::size_t columns = 80;
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1) columns = size.ws_col;
    say_text("\r" + line(p).substr(0, columns - 1) + "\x1b[K");
    is_drawn_ = true;
}

void ProgressReport::tell(const RunProgress &p, const std::function<OfDevice()> &of_device) {
    const Clock::time_point now = Clock::now();
    if (now < next_) return;
    const bool is_first = next_ == Clock::time_point{};
    next_ = now + period;
    if (is_first) return;
    const std::lock_guard lock(mutex_);
    look(p, of_device);
    const std::string text = json(p, {});
    if (file_ >= 0 && write(file_, text.data(), text.size()) < 0) file_ = -1;  // its reader has left
    if (draws_ && p.seconds >= seconds_without) draw(p);
}

void ProgressReport::finish(const RunProgress &p, const std::function<OfDevice()> &of_device, int status) {
    const std::lock_guard lock(mutex_);
    before_output();
    draws_ = false;
    if (file_ < 0) return;
    look(p, of_device);
    const std::string text = json(p, status);
    if (write(file_, text.data(), text.size()) < 0) file_ = -1;
}

void ProgressReport::before_output() {
    if (is_drawn_) say_text("\r\x1b[K");  // to the end of the line: erase
    is_drawn_ = false;
}

void ProgressReport::after_output(int stream, std::string_view bytes) {
    if (!bytes.empty() && (stream == STDERR_FILENO || shares_output_)) in_line_ = bytes.back() != '\n';
}

}  // namespace mog
