// memory_faults.hpp: addresses that are nowhere, met while a kernel runs, end the launch and not the process.
#pragma once

#include <csetjmp>
#include <cstdint>

namespace mog::ptx {

/// As long as it lives, a fault of this thread at an address leads back to where `sigsetjmp(landing, 0)` was called, with 1. What faults
/// there holds no locks and nothing that has to be destroyed.
class FaultsLand {
public:
    explicit FaultsLand(sigjmp_buf &landing);
    ~FaultsLand();
    FaultsLand(const FaultsLand &) = delete;
    FaultsLand &operator=(const FaultsLand &) = delete;

    /// Behind such a fault, for which no destructor ran.
    static void leave();
    /// Of the last fault of this thread.
    static std::uint64_t address();
    /// Of the machine, that caused it; 0: it is not known.
    static std::uint64_t instruction();
};

}  // namespace mog::ptx
