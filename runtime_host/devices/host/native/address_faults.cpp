// address_faults.cpp: the handlers, and the trial of whether they are called.
#include "runtime_host/devices/host/native/address_faults.hpp"

#if defined(__x86_64__)

#include <sys/auxv.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>
#include <csignal>
#include <cstring>

#include <algorithm>
#include <utility>

#include "runtime_host/device/driver_signals.hpp"
#include "support/earlier_handlers.hpp"

#endif

namespace mog {

FaultSites::~FaultSites() {
    for (const Code *code = newest_; code;) delete std::exchange(code, code->next);
}

void FaultSites::add(const void *code, std::size_t bytes, std::vector<Site> sites) {
    auto *const added = new Code{static_cast<const char *>(code), bytes, std::move(sites), newest_};
    newest_.store(added, std::memory_order_release);
}

const void *FaultSites::stop_of(const void *instruction) const {
    const auto *const at = static_cast<const char *>(instruction);
    for (const Code *code = newest_.load(std::memory_order_acquire); code; code = code->next) {
        if (at < code->begin || at >= code->begin + code->bytes) continue;
        const auto offset = static_cast<std::uint32_t>(at - code->begin);
        const auto behind = std::ranges::upper_bound(code->sites, offset, {}, &Site::begin);
        if (behind == code->sites.begin() || offset >= std::prev(behind)->end) return nullptr;
        return code->begin + std::prev(behind)->stop;
    }
    return nullptr;
}

#if defined(__x86_64__)

namespace {

// Handlers run in the thread that faulted, so what it notes here beforehand is there.
thread_local const FaultSites *sites_of_thread = nullptr;
/// In a trial: where to go on behind the access, and how many faults there were.
thread_local const void *volatile behind_trial = nullptr;
thread_local volatile int faults_in_trial = 0;

EarlierHandlers earlier_handlers;

void on_fault(int signal, siginfo_t *info, void *context) {
    clear_alignment_flag();
    auto &instruction = static_cast<ucontext_t *>(context)->uc_mcontext.gregs[REG_RIP];
    if (behind_trial) {
        faults_in_trial = faults_in_trial + 1;
        instruction = reinterpret_cast<greg_t>(behind_trial);
        return;
    }
    if (sites_of_thread)
        if (const void *stop = sites_of_thread->stop_of(reinterpret_cast<const void *>(instruction))) {
            instruction = reinterpret_cast<greg_t>(stop);
            return;
        }
    // Somebody else's fault.
    earlier_handlers.hand_on(signal, info, context);
}

/// What is tried: a load of a word; one by an instruction that may do so at any address of a page that is there; loads and stores of
/// vectors of 16 and 32 bytes.
enum class Trial : std::uint8_t { word, masked, vectors };

/// Faults there are when that is done at this address with the flag set: 0 or 1.
int try_access(void *address, Trial what) {
    faults_in_trial = 0;
#define MOG_TRIAL(access)                                                             \
    asm volatile(                                                                     \
        "lea -128(%%rsp), %%rsp\n"                                                    \
        "leaq 1f(%%rip), %%rax\n"                                                     \
        "movq %%rax, (%1)\n"                                                          \
        "pushfq\n"                                                                    \
        "orl %2, (%%rsp)\n"                                                           \
        "popfq\n" access                                                              \
        "1:\n"                                                                        \
        "pushfq\n"                                                                    \
        "andl %3, (%%rsp)\n"                                                          \
        "popfq\n"                                                                     \
        "lea 128(%%rsp), %%rsp\n"                                                     \
        :                                                                             \
        : "r"(address), "r"(&behind_trial), "i"(alignment_flag), "i"(~alignment_flag) \
        : "rax", "xmm0", "xmm1", "memory", "cc")
    switch (what) {
        case Trial::word: MOG_TRIAL("movl (%0), %%eax\n"); break;
        case Trial::masked:
            MOG_TRIAL(
                "vpcmpeqd %%xmm0, %%xmm0, %%xmm0\n"
                "vpsrldq $12, %%xmm0, %%xmm0\n"
                "vmaskmovps (%0), %%xmm0, %%xmm1\n");
            break;
        case Trial::vectors:
            MOG_TRIAL(
                "vmovdqu (%0), %%ymm0\n"
                "vmovdqu %%ymm0, (%0)\n"
                "vpmovzxwd (%0), %%ymm1\n"
                "vmovdqu (%0), %%xmm0\n"
                "vmovdqu %%xmm0, (%0)\n");
            asm volatile("vzeroupper" ::: "xmm0", "xmm1");
            break;
    }
#undef MOG_TRIAL
    behind_trial = nullptr;
    return faults_in_trial;
}

/// Whether programs may set where a segment begins: Linux 5.9, on processors since 2012.
bool sets_segments() {
    constexpr unsigned long fsgsbase = 1 << 1;  // of AT_HWCAP2, asm/hwcap2.h
    return (getauxval(AT_HWCAP2) & fsgsbase) != 0;
}

/// Found by try_faults().
bool vectors_lie_anywhere = false;

bool try_faults() {
    if (!sets_segments() || !earlier_handlers.take_faults(on_fault)) return false;
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    void *const pages = mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) return false;
    char *const unmapped = static_cast<char *>(pages) + page;
    const bool right = mprotect(unmapped, page, PROT_NONE) == 0 && try_access(pages, Trial::word) == 0 &&
                       try_access(unmapped, Trial::word) == 1 && try_access(static_cast<char *>(pages) + 2, Trial::word) == 1 &&
                       try_access(unmapped - 4, Trial::masked) == 0 && try_access(static_cast<char *>(pages) + 3, Trial::masked) == 0 &&
                       try_access(unmapped - 2, Trial::masked) == 1;
    if (right && __builtin_cpu_supports("avx2")) {
        int faults = 0;
        for (const int offset : {1, 2, 4, 8, 16, 36, 60}) faults += try_access(static_cast<char *>(pages) + offset, Trial::vectors);
        vectors_lie_anywhere = faults == 0;
    }
    munmap(pages, 2 * page);
    return right;
}

}  // namespace

bool processor_checks_addresses() {
    static const bool does = try_faults();
    return does;
}

bool processor_lets_vectors_lie_anywhere() { return processor_checks_addresses() && vectors_lie_anywhere; }

FaultsLeadOut::FaultsLeadOut(const FaultSites &sites) { sites_of_thread = &sites; }
FaultsLeadOut::~FaultsLeadOut() { sites_of_thread = nullptr; }

#else

bool processor_checks_addresses() { return false; }
bool processor_lets_vectors_lie_anywhere() { return false; }
FaultsLeadOut::FaultsLeadOut(const FaultSites &) {}
FaultsLeadOut::~FaultsLeadOut() = default;

#endif

}  // namespace mog
