/* atomics.h: atomic operations of the device, of a block (_block) and of the system (_system). */
#pragma once

#include "mog_cuda/words.h"

/* The scope as clang's functions call it, for each of the three: suffix of CUDA's name, infix of clang's. */
#define MOG_CUDA_SCOPES(X, ...) X(, , __VA_ARGS__) X(_block, cta_, __VA_ARGS__) X(_system, sys_, __VA_ARGS__)

/* One function: CUDA's, clang's, the type, and the type of clang's. */
#define MOG_CUDA_ATOMIC(suffix, scope, name, builtin, type, carried)                 \
    MOG_CUDA_DEVICE type name##suffix(type *place, type value) {                     \
        return (type)__nvvm_atom_##scope##builtin((carried *)place, (carried)value); \
    }
#define MOG_CUDA_ATOMICS(name, what)                                                     \
    MOG_CUDA_SCOPES(MOG_CUDA_ATOMIC, name, what##_gen_i, int, int)                       \
    MOG_CUDA_SCOPES(MOG_CUDA_ATOMIC, name, what##_gen_i, unsigned, int)                  \
    MOG_CUDA_SCOPES(MOG_CUDA_ATOMIC, name, what##_gen_ll, unsigned long long, long long) \
    MOG_CUDA_SCOPES(MOG_CUDA_ATOMIC, name, what##_gen_ll, unsigned long, long long)
MOG_CUDA_ATOMICS(atomicAdd, add)
MOG_CUDA_ATOMICS(atomicExch, xchg)
MOG_CUDA_ATOMICS(atomicAnd, and)
MOG_CUDA_ATOMICS(atomicOr, or)
MOG_CUDA_ATOMICS(atomicXor, xor)
MOG_CUDA_SCOPES(MOG_CUDA_ATOMIC, atomicAnd, and_gen_ll, long long, long long)
MOG_CUDA_SCOPES(MOG_CUDA_ATOMIC, atomicOr, or_gen_ll, long long, long long)
MOG_CUDA_SCOPES(MOG_CUDA_ATOMIC, atomicXor, xor_gen_ll, long long, long long)
MOG_CUDA_SCOPES(MOG_CUDA_ATOMIC, atomicAdd, add_gen_f, float, float)
MOG_CUDA_SCOPES(MOG_CUDA_ATOMIC, atomicAdd, add_gen_d, double, double)
MOG_CUDA_SCOPES(MOG_CUDA_ATOMIC, atomicMin, min_gen_i, int, int)
MOG_CUDA_SCOPES(MOG_CUDA_ATOMIC, atomicMin, min_gen_ui, unsigned, unsigned)
MOG_CUDA_SCOPES(MOG_CUDA_ATOMIC, atomicMin, min_gen_ll, long long, long long)
MOG_CUDA_SCOPES(MOG_CUDA_ATOMIC, atomicMin, min_gen_ull, unsigned long long, unsigned long long)
MOG_CUDA_SCOPES(MOG_CUDA_ATOMIC, atomicMax, max_gen_i, int, int)
MOG_CUDA_SCOPES(MOG_CUDA_ATOMIC, atomicMax, max_gen_ui, unsigned, unsigned)
MOG_CUDA_SCOPES(MOG_CUDA_ATOMIC, atomicMax, max_gen_ll, long long, long long)
MOG_CUDA_SCOPES(MOG_CUDA_ATOMIC, atomicMax, max_gen_ull, unsigned long long, unsigned long long)
MOG_CUDA_SCOPES(MOG_CUDA_ATOMIC, atomicInc, inc_gen_ui, unsigned, unsigned)
MOG_CUDA_SCOPES(MOG_CUDA_ATOMIC, atomicDec, dec_gen_ui, unsigned, unsigned)
#undef MOG_CUDA_ATOMICS
#undef MOG_CUDA_ATOMIC

#define MOG_CUDA_SUB(suffix, scope, type) \
    MOG_CUDA_DEVICE type atomicSub##suffix(type *place, type value) { return atomicAdd##suffix(place, (type)(0 - value)); }
MOG_CUDA_SCOPES(MOG_CUDA_SUB, int)
MOG_CUDA_SCOPES(MOG_CUDA_SUB, unsigned)
#undef MOG_CUDA_SUB

#define MOG_CUDA_EXCHANGE(suffix, scope, ...)                                                               \
    MOG_CUDA_DEVICE float atomicExch##suffix(float *place, float value) {                                   \
        return __builtin_bit_cast(float, atomicExch##suffix((int *)place, __builtin_bit_cast(int, value))); \
    }
MOG_CUDA_SCOPES(MOG_CUDA_EXCHANGE, )
#undef MOG_CUDA_EXCHANGE

#define MOG_CUDA_CAS(suffix, scope, builtin, type, carried)                                             \
    MOG_CUDA_DEVICE type atomicCAS##suffix(type *place, type expected, type value) {                    \
        return (type)__nvvm_atom_##scope##builtin((carried *)place, (carried)expected, (carried)value); \
    }
MOG_CUDA_SCOPES(MOG_CUDA_CAS, cas_gen_i, int, int)
MOG_CUDA_SCOPES(MOG_CUDA_CAS, cas_gen_i, unsigned, int)
MOG_CUDA_SCOPES(MOG_CUDA_CAS, cas_gen_ll, unsigned long long, long long)
MOG_CUDA_SCOPES(MOG_CUDA_CAS, cas_gen_ll, unsigned long, long long)
#undef MOG_CUDA_CAS
MOG_CUDA_DEVICE unsigned short atomicCAS(unsigned short *place, unsigned short expected, unsigned short value) {
    unsigned short before;
    asm volatile("atom.cas.b16 %0, [%1], %2, %3;" : "=h"(before) : "l"(place), "h"(expected), "h"(value) : "memory");
    return before;
}
#undef MOG_CUDA_SCOPES
