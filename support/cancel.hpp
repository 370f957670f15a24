// cancel.hpp: the wish of another thread, or of a signal's handler, that a run ends, or pauses.
#pragma once

#include <sys/eventfd.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>

#include "support/owned_fd.hpp"

namespace mog {

class Cancel {
public:
    Cancel() : wakes_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {}

    /// Any thread may, and the handler of a signal.
    void ask() {
        asked_ = true;
        const std::uint64_t one = 1;
        if (wakes_ && write(wakes_.get(), &one, sizeof one) < 0) return;  // it is readable already
    }
    bool is_asked() const { return asked_; }
    /// What was asked for is done, or cannot be: it may be asked for again.
    void forget() {
        asked_ = false;
        std::uint64_t times = 0;
        if (wakes_ && read(wakes_.get(), &times, sizeof times) < 0) return;  // nobody had asked
    }
    /// Readable once it was asked for: whoever waits looks at it too. -1 if the system had no descriptor left.
    int fd() const { return wakes_.get(); }

private:
    std::atomic<bool> asked_ = false;
    OwnedFd wakes_;
};

}  // namespace mog
