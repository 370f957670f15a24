// address_faults.hpp: accesses of native code that ask nothing, and leave to the processor to say that an address is bad.
//
// A PE's DATA lies in a window of the address space in which nothing else is mapped (pe_windows.hpp): whatever 32-bit address is used, the
// access meets DATA or no page at all. And while native code runs, the processor's flag AC is set, with which an access that
// is not aligned to its size faults as on MIPS. A signal then leads to where the code leaves for the interpreter, which does the
// instruction again and says what is wrong with it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace mog {

/// The flag AC in the processor's flags.
inline constexpr std::int32_t alignment_flag = 1 << 18;

/// Whether a segment can begin at a PE's address 0, and both kinds of faults arrive as they should: tried once, with handlers for SIGSEGV
/// and SIGBUS that are there from then on, before whatever was there. Under emulators and instrumentation, which may ignore the flag, they
/// do not. False on other processors, too.
bool processor_checks_addresses();
/// And whether vectors of 16 and 32 bytes may all the same lie at any address, as processors are free to have it: tried likewise.
bool processor_lets_vectors_lie_anywhere();

/// Where accesses are in the code of one program, and where to go from each that faults. Grows while others run it.
class FaultSites {
public:
    struct Site {
        std::uint32_t begin, end;  ///< its instructions, bytes from where the code begins
        std::uint32_t stop;        ///< the way out, from there too
    };

    FaultSites() = default;
    ~FaultSites();
    FaultSites(const FaultSites &) = delete;
    FaultSites &operator=(const FaultSites &) = delete;

    /// Of code of so many bytes; ascending. One thread at a time.
    void add(const void *code, std::size_t bytes, std::vector<Site> sites);
    /// The way out from an instruction; null: it is none of those. Takes no lock and no memory.
    const void *stop_of(const void *instruction) const;

private:
    struct Code {
        const char *begin;
        std::size_t bytes;
        std::vector<Site> sites;
        Code *next;
    };
    std::atomic<Code *> newest_ = nullptr;
};

/// Faults of this thread are looked up there, as long as this lives.
class FaultsLeadOut {
public:
    explicit FaultsLeadOut(const FaultSites &sites);
    ~FaultsLeadOut();
    FaultsLeadOut(const FaultsLeadOut &) = delete;
    FaultsLeadOut &operator=(const FaultsLeadOut &) = delete;
};

}  // namespace mog
