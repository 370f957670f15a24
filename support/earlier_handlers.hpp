// earlier_handlers.hpp: the signals of faults, taken by a handler that hands on those that are not its own.
#pragma once

#include <csignal>

namespace mog {

/// Who handled SIGSEGV and SIGBUS before.
class EarlierHandlers {
public:
    using Handler = void(int signal, siginfo_t *info, void *context);

    /// From now on this one does, of all threads, also while it handles one. False: the system refuses.
    bool take_faults(Handler *handler) {
        struct sigaction action {};
        action.sa_sigaction = handler;
        action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
        sigemptyset(&action.sa_mask);
        return sigaction(SIGSEGV, &action, &segv_) == 0 && sigaction(SIGBUS, &action, &bus_) == 0;
    }

    /// As if the earlier one had been the handler. Without one the signal does what it does by default, which ends the process.
    void hand_on(int signal, siginfo_t *info, void *context) const {
        const struct sigaction &before = signal == SIGBUS ? bus_ : segv_;
        if ((before.sa_flags & SA_SIGINFO) != 0) {
            before.sa_sigaction(signal, info, context);
        } else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) {
            before.sa_handler(signal);
        } else {
            sigaction(signal, &before, nullptr);
            if (info->si_code <= 0) raise(signal);  // sent; else it faults again, and ends the process
        }
    }

private:
    struct sigaction segv_ {
    }, bus_{};
};

}  // namespace mog
