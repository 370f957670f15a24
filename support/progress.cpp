// progress.cpp: the bar is drawn over itself; 60 columns fit every terminal.
#include "support/progress.hpp"

#include <unistd.h>

#include <algorithm>

#include <fmt/format.h>

#include "support/say.hpp"

namespace mog {

Progress::Progress(std::string_view what)
    : what_(what), on_terminal_(isatty(STDERR_FILENO) != 0), begin_(std::chrono::steady_clock::now()) {}

void Progress::show(double part) {
    constexpr int width = 30;
    constexpr auto patience = std::chrono::milliseconds(500);
    if (!on_terminal_ || std::chrono::steady_clock::now() - begin_ < patience) return;
    const int percent = static_cast<int>(100 * std::clamp(part, 0.0, 1.0));
    if (percent == percent_) return;
    percent_ = percent;
    const int full = width * percent / 100;
    say_text(fmt::format("\r{} [{}{}] {:3} %", what_, std::string(static_cast<std::size_t>(full), '#'),
                         std::string(static_cast<std::size_t>(width - full), '.'), percent));
    shown_ = true;
}

void Progress::clear() {
    if (shown_) say_text("\r\x1b[K");  // to the end of the line: erase
    shown_ = false;
}

}  // namespace mog
