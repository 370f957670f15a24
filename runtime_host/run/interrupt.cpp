// interrupt.cpp: see interrupt.hpp.
#include "runtime_host/run/interrupt.hpp"

#include <unistd.h>

#include <atomic>

#include "runtime_host/device/driver_signals.hpp"
#include "runtime_host/faults/faults.hpp"

namespace mog {

namespace {

// What the handlers may look at.
std::atomic<Cancel *> asked;
std::atomic<Watch *> first_asked, signalled;
struct sigaction before;

void on_interrupt(int) {
    clear_alignment_flag();
    if (Watch *watch = first_asked.exchange(nullptr)) return watch->ask(Watch::by_interrupt);
    sigaction(SIGINT, &before, nullptr);
    if (Cancel *cancel = asked) cancel->ask();
}

void on_user_signal(int) {
    clear_alignment_flag();
    if (Watch *watch = signalled) watch->ask(Watch::by_signal);
}

/// The run goes on afterwards, so what the signal has cut short is begun again.
struct sigaction action_of(void (*handler)(int)) {
    struct sigaction action {};
    action.sa_handler = handler;
    action.sa_flags = SA_ONSTACK | SA_RESTART;
    sigemptyset(&action.sa_mask);
    return action;
}

}  // namespace

Interrupt::Interrupt(Cancel &cancel, Watch *watch) {
    if (sigaction(SIGINT, nullptr, &before) != 0 || before.sa_handler == SIG_IGN) return;
    asked = &cancel;
    first_asked = watch;
    const struct sigaction action = action_of(on_interrupt);
    is_taken_ = sigaction(SIGINT, &action, nullptr) == 0;
}

Interrupt::~Interrupt() {
    if (is_taken_) sigaction(SIGINT, &before, nullptr);
    asked = nullptr;
    first_asked = nullptr;
}

void watch_by_signal(Watch &watch) {
    signalled = &watch;
    struct sigaction old {};
    if (sigaction(SIGUSR1, nullptr, &old) != 0 || old.sa_handler == SIG_IGN) return;
    const struct sigaction action = action_of(on_user_signal);
    sigaction(SIGUSR1, &action, nullptr);
}

void die_of_interrupt() {
    std::signal(SIGINT, SIG_DFL);
    sigset_t interrupt;
    sigemptyset(&interrupt);
    sigaddset(&interrupt, SIGINT);
    pthread_sigmask(SIG_UNBLOCK, &interrupt, nullptr);
    raise(SIGINT);
    _exit(interrupt_status);
}

}  // namespace mog
