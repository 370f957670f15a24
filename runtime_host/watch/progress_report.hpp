// progress_report.hpp: how far a run is: a line on the terminal, drawn over itself, of which nothing is left in what PEs print; and lines
// of JSON for programs.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "runtime_host/config/run_config.hpp"
#include "support/owned_fd.hpp"
#include "support/result.hpp"

namespace mog {

class ProgressReport {
public:
    /// What the device can tell; asked once a second at most.
    struct OfDevice {
        std::optional<std::uint64_t> instructions{};  ///< of MOG, where they are counted
        std::uint32_t functions = 0;                  ///< compiled while the program runs
    };

    /// None: nobody wants to know. `shows_by_itself`: without an option a terminal has the line. Error: the file cannot be written.
    static Result<std::unique_ptr<ProgressReport>> make(const ProgressOptions &options, bool shows_by_itself);

    /// Between two launches, as often as there are any.
    void tell(const RunProgress &progress, const std::function<OfDevice()> &of_device);
    /// The run is over: the line goes, and the last JSON is written.
    void finish(const RunProgress &progress, const std::function<OfDevice()> &of_device, int status);

    /// Something is written to the streams of this process: the line is taken away before.
    void before_output();
    /// The bytes were written to stream 1 or 2. In the middle of a line none is drawn.
    void after_output(int stream, std::string_view bytes);
    /// Both, for what `write` does.
    template <typename Write>
    auto around(int stream, std::string_view bytes, const Write &write) {
        const std::lock_guard lock(mutex_);
        before_output();
        auto result = write();
        after_output(stream, bytes);
        return result;
    }

private:
    using Clock = std::chrono::steady_clock;

    explicit ProgressReport(bool draws, bool is_terminal) : draws_(draws), is_terminal_(is_terminal) {}
    void look(const RunProgress &progress, const std::function<OfDevice()> &of_device);
    std::string line(const RunProgress &progress) const;
    std::string json(const RunProgress &progress, std::optional<int> status) const;
    void draw(const RunProgress &progress);

    std::mutex mutex_;
    bool draws_, is_terminal_;
    bool is_drawn_ = false, in_line_ = false;
    bool shares_output_ = false;  ///< standard output is the same terminal
    OwnedFd own_file_;
    int file_ = -1;
    Clock::time_point next_{};
    OfDevice device_{};
    double rate_ = 0;  ///< instructions, or calls where those are not counted, a second; of the last second
    double looked_ = 0;
    std::uint64_t counted_ = 0;
    std::uint64_t resident_ = 0;
};

}  // namespace mog
