// interrupt.cpp: see interrupt.hpp.
#include "runtime_host/run/interrupt.hpp"

#include <unistd.h>

#include <atomic>

#include "runtime_host/faults/faults.hpp"

namespace mog {

namespace {

// What the handler may look at.
std::atomic<Cancel *> asked;
struct sigaction before;

void on_interrupt(int) {
    sigaction(SIGINT, &before, nullptr);
    if (Cancel *cancel = asked) cancel->ask();
}

}  // namespace

Interrupt::Interrupt(Cancel &cancel) {
    if (sigaction(SIGINT, nullptr, &before) != 0 || before.sa_handler == SIG_IGN) return;
    asked = &cancel;
    struct sigaction action {};
    action.sa_handler = on_interrupt;
    action.sa_flags = SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    is_taken_ = sigaction(SIGINT, &action, nullptr) == 0;
}

Interrupt::~Interrupt() {
    if (is_taken_) sigaction(SIGINT, &before, nullptr);
    asked = nullptr;
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
