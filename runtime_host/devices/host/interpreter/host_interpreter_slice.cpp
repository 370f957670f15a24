// host_interpreter_slice.cpp: interpreter.c with all rows of isa.def as its subinterpreters, and what a generated interpreter has as
// constants in variables. Compiled once for each arithmetic: MOG_HOST_INTERPRETER names the function, float_modes.h says what else is
// defined. The build puts every_instruction.inc where the generator puts a program's instructions (runtime_host/CMakeLists.txt).
//
// The vocabulary's macros have names like D and PC, so everything else is included before it, and nothing after.
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "assembler/blocks/check_coalescing.hpp"
#include "runtime_host/devices/host/interpreter/host_interpreters.hpp"

namespace mog::host_interpreters {
namespace {

/// What an instruction writes, by its opcode.
constexpr std::uint32_t writes_of(std::uint32_t opcode) {
    switch (opcode) {
#define MOG_OP(name, code, operand, access, reads, writes, cost, body, manual) \
    case code:                                                                 \
        return writes;
#include "interp_templates/isa.def"
#undef MOG_OP
        default: return 0;
    }
}

/// As stop_effects() of facts.hpp.
#ifdef MOG_FCSR
constexpr std::uint32_t stopping = Stop | Fpu;
#else
constexpr std::uint32_t stopping = Stop;
#endif
constexpr bool may_stop(std::uint32_t opcode) { return (writes_of(opcode) & stopping) != 0; }
constexpr bool may_jump(std::uint32_t opcode) { return (writes_of(opcode) & mog::Pc) != 0; }

#include "interp_templates/launch_abi.h"
#define MOG_F64
#ifdef MOG_LAID_FOR_LANES
#define MOG_WARP MOG_LANES
#define MOG_ENGINE_LANES
#define LEFT_PARAMETER , std::uint32_t *left
#define LEFT_ARGUMENT , left
#else
#define MOG_WARP 1u
#define MOG_ENGINE_BLOCKS
#define LEFT_PARAMETER
#define LEFT_ARGUMENT
#endif
// DATA is written and read by the host itself: mog_run alone.
#define MOG_HOST_MEMORY
#define MOG_ENGINE_SWITCH
#define KERNEL static
// As many as operands can name, of which a program has fewer; where the loop finds them, so that stores to DATA cannot change them.
#define REGISTER_FILE_OF_PROGRAM                          \
    u32 registers[256];                                   \
    const u32 cpool_shift_ = program->cpool_shift;        \
    const u32 code_base_ = program->code_base;            \
    const u32 code_words_ = program->code_words;          \
    const u32 read_only_base_ = program->read_only.begin; \
    UNUSED_FCSR
#ifdef MOG_FCSR
#define UNUSED_FCSR
#else
#define UNUSED_FCSR MAYBE_UNUSED u32 fcsr = 0u;
#endif
#define MOG_NREGS program->registers
#define MOG_CPOOL_SHIFT cpool_shift_
#define MOG_CODE_BASE code_base_
#define MOG_CODE_WORDS code_words_
#define MOG_READ_ONLY_BASE read_only_base_
#define MOG_READ_ONLY_BYTES program->read_only.bytes()
#define MOG_REG_SP program->sp
#define MOG_REG_RA program->ra
#define MOG_REG_V0 program->v0
#define MOG_REG_A0 program->a0
#define MOG_REG_A1 program->a1
#define MOG_REG_A2 program->a2
#define MOG_REG_A3 program->a3
// The last thing that kernels are given.
#define SPACES_PARAMETER , const HostProgram *program
#define SPACES_ARGUMENT , program
#define SPACES_MAYBE_UNUSED (void)program;
// No group is compiled in here. The structure is native_abi.hpp's by another name.
#define MOG_LEAST_BLOCK_DATA most_window_bytes
#define ELSEWHERE                                                                                     \
    if (entry < MOG_NATIVE_ENTRY) return;                                                             \
    program->native.run(program->native.code, reinterpret_cast<mog::MogBlocks *>(s), registers, mem); \
    break;
#include "interp_templates/arithmetic/float_modes.h"
// Each stands on the one before.
// clang-format off
#include "interp_templates/dialects/dialect_host.h"
#undef REGISTER_FILE
#define REGISTER_FILE REGISTER_FILE_OF_PROGRAM
#include "interp_templates/arithmetic/soft_float.h"
#include "interp_templates/arithmetic/pair_float.h"
#include "interp_templates/arithmetic/integer_arithmetic.h"
#include "interp_templates/arithmetic/float_arithmetic.h"
#include "interp_templates/arithmetic/double_arithmetic.h"
#include "interp_templates/kernels/vocabulary.h"
#include "interp_templates/kernels/reserve.h"
#include "interp_templates/kernels/space_private.h"
// The window and constants, which are asked for where an access is not one to DATA.
#define spaces program->spaces
#define SHARED_BASE MOG_SHARED_BASE
#define SHARED_BYTES program->window_bytes
#define SHARED_AT program->window_at
#include "interp_templates/kernels/space_shared.h"
#define CONSTANTS_BASE constants_base
#define CONSTANTS_BYTES program->constants_bytes
#define CONSTANTS_AT program->constants_at
#include "interp_templates/kernels/space_constants.h"
#define MAPPED_ACCESS(kind, a, s, action, x, y)                                                          \
    {                                                                                                    \
        u32 a_ = (a);                                                                                    \
        if (BAD(ELEMENT(a_ - PRIVATE_BASE, s), s, PRIVATE_BYTES)) {                                      \
            ONLY_LOADS_##kind(IN_SPACE(CONSTANTS, a_) ACCESS_IN(CONSTANTS, kind, a_, s, action, x, y) else) \
            IN_SPACE(SHARED, a_) ACCESS_IN(SHARED, kind, a_, s, action, x, y) else MEM_TRAP(kind, a_, s) \
        } else if (FORBIDDEN(kind, a_)) {                                                                \
            MEM_TRAP(kind, a_, s)                                                                        \
        } else {                                                                                         \
            u32 o_ = a_ - PRIVATE_BASE;                                                                  \
            MAYBE_UNUSED u32 e_ = ELEMENT(o_, s);                                                        \
            action(PRIVATE, x, y)                                                                        \
        }                                                                                                \
    }
#define MAPPED_ACCESS_WORD(kind, a, action, x, y)                                                           \
    {                                                                                                       \
        u32 a_ = (a);                                                                                       \
        if (BAD_WORD(a_ - PRIVATE_BASE, PRIVATE_BYTES)) {                                                   \
            ONLY_LOADS_##kind(IN_SPACE(CONSTANTS, a_) ACCESS_WORD_IN(CONSTANTS, kind, a_, action, x, y) else)  \
            IN_SPACE(SHARED, a_) ACCESS_WORD_IN(SHARED, kind, a_, action, x, y) else MEM_TRAP(kind, a_, 0u) \
        } else if (FORBIDDEN_WORD(kind, a_)) {                                                              \
            MEM_TRAP(kind, a_, 0u)                                                                          \
        } else {                                                                                            \
            u32 o_ = a_ - PRIVATE_BASE;                                                                     \
            action(PRIVATE, x, y)                                                                           \
        }                                                                                                   \
    }
#include "interp_templates/kernels/form_thread.h"
#include "interp_templates/kernels/blocks.c"
#include "interp_templates/kernels/form_interpreter.h"
#include "interp_templates/kernels/form_every_instruction.h"
#define SPACE MAPPED
#include "interpreter_of_every_instruction.c"
// clang-format on

}  // namespace

void MOG_HOST_INTERPRETER(const std::uint16_t *text, const std::uint32_t *cpool, const std::uint32_t *code_map, std::uint32_t *data,
                          std::uint32_t data_words, std::uint32_t *state, std::uint32_t stride, std::uint32_t *requests,
                          std::uint32_t *nrequests, const std::uint32_t *active, std::uint32_t passes, std::uint32_t first,
                          std::uint32_t count, const std::uint32_t *entry_of LEFT_PARAMETER, const HostProgram *program,
                          std::uint32_t work_item) {
    mog_run(text, cpool, code_map, data, data_words, state, stride, requests, nrequests, active, passes, first, count,
            entry_of LEFT_ARGUMENT, program, work_item);
}

}  // namespace mog::host_interpreters
