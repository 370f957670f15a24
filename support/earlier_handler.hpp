// earlier_handler.hpp: a signal of a fault that is not ours, handed on to the handler that was there before.
#pragma once

#include <csignal>

namespace mog {

/// As if `before` had been the handler. Without one the signal does what it does by default, which ends the process.
inline void hand_on(int signal, siginfo_t *info, void *context, const struct sigaction &before) {
    if ((before.sa_flags & SA_SIGINFO) != 0) {
        before.sa_sigaction(signal, info, context);
    } else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) {
        before.sa_handler(signal);
    } else {
        sigaction(signal, &before, nullptr);
        if (info->si_code <= 0) raise(signal);  // sent; else it faults again, and ends the process
    }
}

}  // namespace mog
