// host_interpreter.hpp: an interpreter of all of isa.def that is part of MOG, for programs that bring none of their own. It is what
// generated ones are, a switch with compiled blocks beside it; all that a generated one has as constants it is told.
#pragma once

#include <cstdint>

#include "assembler/image/image.hpp"
#include "runtime_host/device/arithmetic.hpp"
#include "runtime_host/devices/host/native/native_abi.hpp"

namespace mog {

/// What the interpreter is told of a program.
struct HostProgram {
    std::uint32_t registers = 0;  ///< so many, at most 256
    std::uint32_t cpool_shift = 31, code_base = 0, code_words = 0;
    std::uint32_t sp = 0, ra = 0, v0 = 0, a0 = 0, a1 = 0, a2 = 0, a3 = 0;  ///< the registers of the roles
    ReadOnlyData read_only{};
    NativeHook native{};              ///< for entries from MOG_NATIVE_ENTRY on
    std::uint32_t *spaces = nullptr;  ///< words that all PEs see (assembler/image/spaces.hpp),
    std::uint32_t window_at = 0;      ///< the first one of the window in them,
    std::uint32_t window_bytes = 0;   ///< and how many bytes that has; 0: there is no window
    std::uint32_t constants_at = 0;   ///< the same of constants
    std::uint32_t constants_bytes = 0;
};
HostProgram host_program(const Image &image);

/// mog_run of interpreter.c with entries to compiled blocks, of which all lead to native code, and a program. DATA is as MOG_WARP 1 has it,
/// TEXT without superinstructions, and there is no space but "private" and MOG's own.
using HostInterpreter = void(const std::uint16_t *text, const std::uint32_t *cpool, const std::uint32_t *code_map, std::uint32_t *data,
                             std::uint32_t data_words, std::uint32_t *state, std::uint32_t stride, std::uint32_t *requests,
                             std::uint32_t *nrequests, const std::uint32_t *active, std::uint32_t passes, std::uint32_t first,
                             std::uint32_t count, const std::uint32_t *entry_of, const HostProgram *program, std::uint32_t work_item);

/// The one that computes so.
HostInterpreter *host_interpreter(const Arithmetic &arithmetic);

}  // namespace mog
