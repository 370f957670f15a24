// native_code.hpp: code that is compiled while a program runs: what mogcc did not compile, once it turns out to be executed.
//
// A baseline compiler (function_compiler.hpp) turns a function into the processor's instructions in well under a millisecond, so it
// does so when a function has been entered, or gone round in, a few times. Code of all functions goes from one to the next without
// the interpreter: by tables of where code is, which lead out of native code where there is none. No compiler need be installed.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "assembler/image/image.hpp"
#include "runtime_host/device/device.hpp"
#include "runtime_host/devices/host/native/native_abi.hpp"
#include "runtime_host/devices/host/native/parked_pe.hpp"

namespace mog {

/// An entry of compiled blocks from which on it is native code: what entry_table() has are smaller.
inline constexpr std::uint32_t native_entry = MOG_NATIVE_ENTRY;

/// Where PEs have memory.
struct NativeMemory {
    std::uint32_t data_bytes = 0;
    const void *window = nullptr;  ///< that all PEs share; null: none
    std::uint32_t window_bytes = 0;
    bool turns = false;         ///< PEs take turns (NativeTurns)
    bool by_processor = false;  ///< each PE's is in a window of addresses of its own (pe_windows.hpp), and the processor checks addresses
    const void *constants = nullptr;  ///< what none may write, if all have it once
    std::uint32_t constants_bytes = 0;
};

class NativeCode {
public:
    /// Whether the processor can, and nothing about the program is in the way.
    static bool is_possible(const Image &image);
    /// Why code for the program cannot leave it to the processor to check addresses; empty: it can.
    static std::string why_asking(const Image &image);

    /// Code for what mogcc did not compile; or for `all`, whatever it did, each function when it is first entered, at any block. `floats`:
    /// the processor computes with floats and doubles as the program wants; else what computes with them stays interpreted. `breaks`, by
    /// TEXT index: before these the code leaves for the interpreter; empty: nowhere. The image outlives this.
    NativeCode(const Image &image, const NativeMemory &memory, bool all, bool floats, std::vector<bool> breaks = {});
    ~NativeCode();
    NativeCode(const NativeCode &) = delete;
    NativeCode &operator=(const NativeCode &) = delete;

    /// Marks in a table of entries where this code may be entered.
    void add_entries(std::vector<std::uint32_t> &entries) const;
    /// What the interpreter calls at such an entry. Any thread may.
    NativeHook hook();

    /// Where a PE goes on that yielded before this TEXT index; null: nowhere here.
    const void *behind_yield(std::uint32_t at) const;
    /// Turns of PEs of one process, of which `mem` is the memory, one after the other: each from where it yielded until it does again. They
    /// are followed by null, and `cold` is `turn_is_over` for all of them. Returns early where one leaves native code: how many are done,
    /// that one among them. Its `cold` is 0 or 1 then, as for the interpreter.
    std::size_t run_turns(ParkedPe *const *turns, std::uint32_t *mem);
    static constexpr std::uint32_t turn_is_over = 2;

    /// By TEXT index: whether it has been compiled.
    std::vector<bool> compiled() const;
    DeviceStats::Native stats() const;

private:
    class State;
    std::unique_ptr<State> state_;
};

}  // namespace mog
