// watch.hpp: the wish of somebody who looks on to know what PEs do now. Signals and other threads ask; the service loop answers between two
// launches, and looks at nothing but a flag while nobody does.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

#include "support/owned_fd.hpp"

namespace mog {

class Watch {
public:
    /// Who asks, to be put together: SIGUSR1, the first SIGINT, a reader who waits in ask_and_wait().
    static constexpr unsigned by_signal = 1, by_interrupt = 2, by_reader = 4;

    Watch();

    /// Any thread may, and the handler of a signal.
    void ask(unsigned who);
    /// Waits for the answer. None: there will not be any, for the run is over.
    std::optional<std::string> ask_and_wait();

    // The service loop's:

    bool is_asked() const { return asked_.load(std::memory_order_relaxed) != 0; }
    /// Readable once somebody has asked: whoever waits looks at it too. -1 if the system had no descriptor left.
    int fd() const { return wakes_.get(); }
    /// Who has asked since; they are answered now.
    unsigned take();
    /// For readers.
    void answer(std::string text);
    /// The run is over.
    void close();

private:
    std::atomic<unsigned> asked_ = 0;
    OwnedFd wakes_;
    std::mutex mutex_;
    std::condition_variable answered_;
    std::string text_;
    std::uint64_t answers_ = 0;
    bool is_closed_ = false;
};

}  // namespace mog
