// memory_faults.cpp: the handler of SIGSEGV and SIGBUS. Faults of others go to the handlers that were there before.
#include "runtime_host/ptx/faults/memory_faults.hpp"

#include <ucontext.h>

#include <csignal>

#include "support/earlier_handlers.hpp"

namespace mog::ptx {
namespace {

thread_local sigjmp_buf *landing_of_thread = nullptr;
thread_local std::uint64_t last_address = 0, last_instruction = 0;

EarlierHandlers earlier_handlers;

void on_fault(int signal, siginfo_t *info, void *context) {
    // Somebody sent it, or it is not a kernel's.
    if (landing_of_thread != nullptr && info->si_code > 0) {
        last_address = reinterpret_cast<std::uintptr_t>(info->si_addr);
#if defined(__x86_64__)
        last_instruction = static_cast<std::uint64_t>(static_cast<const ucontext_t *>(context)->uc_mcontext.gregs[REG_RIP]);
#endif
        siglongjmp(*landing_of_thread, 1);
    }
    earlier_handlers.hand_on(signal, info, context);
}

}  // namespace

FaultsLand::FaultsLand(sigjmp_buf &landing) {
    static const bool taken = earlier_handlers.take_faults(on_fault);
    if (taken) landing_of_thread = &landing;
}

FaultsLand::~FaultsLand() { leave(); }

void FaultsLand::leave() { landing_of_thread = nullptr; }

std::uint64_t FaultsLand::address() { return last_address; }
std::uint64_t FaultsLand::instruction() { return last_instruction; }

}  // namespace mog::ptx
