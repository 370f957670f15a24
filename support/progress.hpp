// progress.hpp: a bar for those who wait.
#pragma once

#include <chrono>
#include <string>
#include <string_view>

namespace mog {

/// A line on standard error, if that is a terminal: what is done, a bar, how much. Nothing is written otherwise, nor
/// before half a second has passed: what is quick needs no bar.
class Progress {
public:
    explicit Progress(std::string_view what);
    ~Progress() { clear(); }
    Progress(const Progress &) = delete;
    Progress &operator=(const Progress &) = delete;

    /// `part` of all, 0 to 1, is done. May be called as often as one likes.
    void show(double part);
    /// Takes the line away.
    void clear();

private:
    std::string what_;
    bool on_terminal_, shown_ = false;
    std::chrono::steady_clock::time_point begin_;
    int percent_ = -1;
};

}  // namespace mog
