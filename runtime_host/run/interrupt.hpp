// interrupt.hpp: SIGINT as the wish that a run ends, and the second one as it is without us.
#pragma once

#include <csignal>

#include "support/cancel.hpp"

namespace mog {

class Interrupt {
public:
    /// From now on the first SIGINT asks `cancel`. One that is ignored stays so, as nohup and shells' jobs in the background want it. There
    /// is one of these at a time.
    explicit Interrupt(Cancel &cancel);
    Interrupt(const Interrupt &) = delete;
    /// SIGINT does again what it did before.
    ~Interrupt();

private:
    bool is_taken_ = false;
};

/// Ends this process as SIGINT does, so that whoever waits for it knows; without what exit() does.
[[noreturn]] void die_of_interrupt();

}  // namespace mog
