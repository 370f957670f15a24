// driver_signals.hpp: handlers of signals that a driver's libraries install behind our back.
#pragma once

#include <csignal>

#include <array>

namespace mog {

/// Notes which libraries are there; those that come later are the driver's. To be called before the driver is opened.
void note_libraries_before_driver();

/// Around calls of a driver: what it did with signals is undone. PoCL's LLVM takes SIGQUIT, SIGUSR1, SIGTERM and a dozen others, for
/// stack traces of a compiler that has crashed, and the process would not end by them any more. A handler that somebody else has installed
/// meanwhile stays. SIGFPE is left to the driver: PoCL wants it for divisions in kernels.
class DriverSignals {
public:
    DriverSignals();
    ~DriverSignals();
    DriverSignals(const DriverSignals &) = delete;
    DriverSignals &operator=(const DriverSignals &) = delete;

private:
    static constexpr int count = 32;  ///< the classic signals
    std::array<struct sigaction, count> before_{};
};

/// The first thing that a handler of signals does: machine code of PEs has the processor's flag AC set
/// (devices/host/native/address_faults.hpp), with which words at odd addresses fault, and code that compilers make has such. 128 bytes
/// below the stack's top may be in use.
inline void clear_alignment_flag() {
#if defined(__x86_64__)
    asm volatile(
        "lea -128(%%rsp), %%rsp\n"
        "pushfq\n"
        "andl %0, (%%rsp)\n"
        "popfq\n"
        "lea 128(%%rsp), %%rsp\n"
        :
        : "i"(~(1 << 18))
        : "memory", "cc");
#endif
}

}  // namespace mog
