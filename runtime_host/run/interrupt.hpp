// interrupt.hpp: signals of those who look on: SIGUSR1, and SIGINT the first time, as the wish to know what PEs do; the next SIGINT as the
// wish that the run ends, and the one after that as it is without us.
#pragma once

#include <csignal>

#include "runtime_host/watch/watch.hpp"
#include "support/cancel.hpp"

namespace mog {

class Interrupt {
public:
    /// From now on the first SIGINT asks `watch` and the second one `cancel`; without `watch` it is the first that asks `cancel`. One that
    /// is ignored stays so, as nohup and shells' jobs in the background want it. There is one of these at a time.
    Interrupt(Cancel &cancel, Watch *watch);
    Interrupt(const Interrupt &) = delete;
    /// SIGINT does again what it did before.
    ~Interrupt();

private:
    bool is_taken_ = false;
};

/// From now on SIGUSR1 asks `watch`, which outlives the process's other parts: it may come at any time.
void watch_by_signal(Watch &watch);

/// Ends this process as SIGINT does, so that whoever waits for it knows; without what exit() does.
[[noreturn]] void die_of_interrupt();

}  // namespace mog
