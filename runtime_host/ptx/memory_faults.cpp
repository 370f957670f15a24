// memory_faults.cpp: the handler of SIGSEGV and SIGBUS. Faults of others go to the handlers that were there before.
#include "runtime_host/ptx/memory_faults.hpp"

#include <csignal>

#include "support/earlier_handler.hpp"

namespace mog::ptx {
namespace {

thread_local sigjmp_buf *landing_of_thread = nullptr;
thread_local std::uint64_t last_address = 0;

struct sigaction before_segv, before_bus;

void on_fault(int signal, siginfo_t *info, void *context) {
    // Somebody sent it, or it is not a kernel's.
    if (landing_of_thread != nullptr && info->si_code > 0) {
        last_address = reinterpret_cast<std::uintptr_t>(info->si_addr);
        siglongjmp(*landing_of_thread, 1);
    }
    hand_on(signal, info, context, signal == SIGBUS ? before_bus : before_segv);
}

bool take_signals() {
    struct sigaction action {};
    action.sa_sigaction = on_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigemptyset(&action.sa_mask);
    return sigaction(SIGSEGV, &action, &before_segv) == 0 && sigaction(SIGBUS, &action, &before_bus) == 0;
}

}  // namespace

FaultsLand::FaultsLand(sigjmp_buf &landing) {
    static const bool taken = take_signals();
    if (taken) landing_of_thread = &landing;
}

FaultsLand::~FaultsLand() { leave(); }

void FaultsLand::leave() { landing_of_thread = nullptr; }

std::uint64_t FaultsLand::address() { return last_address; }

}  // namespace mog::ptx
