/* warp.h: what threads of a block and of a warp do together: barriers, fences, votes, shuffles, matches, reductions. */
#pragma once

#include "mog_cuda/words.h"

/* Barriers and fences are instructions that may change any memory. Clang's own words for them are taken not to touch a variable of the
   block whose address goes nowhere, which is what most are: a load behind __syncthreads() was done before it. */
/* (Clang knows a function by this name, which cannot be another. What is reported of it stands in the line where it is written.) */
#define __syncthreads() __extension__({ asm volatile("bar.sync 0;" ::: "memory"); })
MOG_CUDA_DEVICE void __syncwarp(unsigned mask = 0xffffffffu) { asm volatile("bar.warp.sync %0;" ::"r"(mask) : "memory"); }
MOG_CUDA_DEVICE int __syncthreads_count(int predicate) {
    int count;
    asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; bar.red.popc.u32 %0, 0, p; }" : "=r"(count) : "r"(predicate) : "memory");
    return count;
}
#define MOG_CUDA_BLOCK_VOTE(how)                                                                                    \
    MOG_CUDA_DEVICE int __syncthreads_##how(int predicate) {                                                        \
        int answer;                                                                                                 \
        asm volatile("{ .reg .pred p; setp.ne.s32 p, %1, 0; bar.red." #how ".pred p, 0, p; selp.s32 %0, 1, 0, p; }" \
                     : "=r"(answer)                                                                                 \
                     : "r"(predicate)                                                                               \
                     : "memory");                                                                                   \
        return answer;                                                                                              \
    }
MOG_CUDA_BLOCK_VOTE(and)
MOG_CUDA_BLOCK_VOTE(or)
#undef MOG_CUDA_BLOCK_VOTE
MOG_CUDA_DEVICE void __threadfence_block() { asm volatile("membar.cta;" ::: "memory"); }
MOG_CUDA_DEVICE void __threadfence() { asm volatile("membar.gl;" ::: "memory"); }
MOG_CUDA_DEVICE void __threadfence_system() { asm volatile("membar.sys;" ::: "memory"); }
MOG_CUDA_DEVICE void __nanosleep(unsigned nanoseconds) { asm volatile("nanosleep.u32 %0;" ::"r"(nanoseconds)); }
MOG_CUDA_DEVICE void __trap() { __builtin_trap(); }
MOG_CUDA_DEVICE void __brkpt() { asm volatile("brkpt;"); }

MOG_CUDA_DEVICE unsigned __activemask() {
    unsigned mask;
    asm volatile("activemask.b32 %0;" : "=r"(mask));
    return mask;
}
MOG_CUDA_DEVICE unsigned __lanemask_lt() { return __nvvm_read_ptx_sreg_lanemask_lt(); }
MOG_CUDA_DEVICE int __all_sync(unsigned mask, int predicate) { return __nvvm_vote_all_sync(mask, predicate); }
MOG_CUDA_DEVICE int __any_sync(unsigned mask, int predicate) { return __nvvm_vote_any_sync(mask, predicate); }
MOG_CUDA_DEVICE int __uni_sync(unsigned mask, int predicate) { return __nvvm_vote_uni_sync(mask, predicate); }
MOG_CUDA_DEVICE unsigned __ballot_sync(unsigned mask, int predicate) { return __nvvm_vote_ballot_sync(mask, predicate); }
/* The forms of old programs, without masks. */
MOG_CUDA_DEVICE int __all(int predicate) { return __all_sync(__activemask(), predicate); }
MOG_CUDA_DEVICE int __any(int predicate) { return __any_sync(__activemask(), predicate); }
MOG_CUDA_DEVICE unsigned __ballot(int predicate) { return __ballot_sync(__activemask(), predicate); }

/* What a shuffle's last operand holds: the last lane of a segment, and the bits of a lane's number that name its segment. */
MOG_CUDA_DEVICE int mog_cuda_segment(int width, int last) { return ((32 - width) << 8) | last; }

#define MOG_CUDA_SHUFFLES(type, kind, carried)                                                                  \
    MOG_CUDA_DEVICE type __shfl_sync(unsigned mask, type value, int lane, int width = 32) {                     \
        return (type)__nvvm_shfl_sync_idx_##kind(mask, (carried)value, lane, mog_cuda_segment(width, 31));      \
    }                                                                                                           \
    MOG_CUDA_DEVICE type __shfl_up_sync(unsigned mask, type value, unsigned distance, int width = 32) {         \
        return (type)__nvvm_shfl_sync_up_##kind(mask, (carried)value, distance, mog_cuda_segment(width, 0));    \
    }                                                                                                           \
    MOG_CUDA_DEVICE type __shfl_down_sync(unsigned mask, type value, unsigned distance, int width = 32) {       \
        return (type)__nvvm_shfl_sync_down_##kind(mask, (carried)value, distance, mog_cuda_segment(width, 31)); \
    }                                                                                                           \
    MOG_CUDA_DEVICE type __shfl_xor_sync(unsigned mask, type value, int lanes, int width = 32) {                \
        return (type)__nvvm_shfl_sync_bfly_##kind(mask, (carried)value, lanes, mog_cuda_segment(width, 31));    \
    }
MOG_CUDA_SHUFFLES(int, i32, int)
MOG_CUDA_SHUFFLES(unsigned, i32, int)
MOG_CUDA_SHUFFLES(float, f32, float)
#undef MOG_CUDA_SHUFFLES

/* Values of 64 bits go as two halves. */
#define MOG_CUDA_SHUFFLE(name, type, other)                                          \
    MOG_CUDA_DEVICE type name(unsigned mask, type value, other by, int width = 32) { \
        unsigned long long bits;                                                     \
        __builtin_memcpy(&bits, &value, 8);                                          \
        const unsigned low = name(mask, (unsigned)bits, by, width);                  \
        const unsigned high = name(mask, (unsigned)(bits >> 32), by, width);         \
        bits = ((unsigned long long)high << 32) | low;                               \
        __builtin_memcpy(&value, &bits, 8);                                          \
        return value;                                                                \
    }
#define MOG_CUDA_SHUFFLES(type)                        \
    MOG_CUDA_SHUFFLE(__shfl_sync, type, int)           \
    MOG_CUDA_SHUFFLE(__shfl_up_sync, type, unsigned)   \
    MOG_CUDA_SHUFFLE(__shfl_down_sync, type, unsigned) \
    MOG_CUDA_SHUFFLE(__shfl_xor_sync, type, int)
MOG_CUDA_SHUFFLES(long)
MOG_CUDA_SHUFFLES(unsigned long)
MOG_CUDA_SHUFFLES(long long)
MOG_CUDA_SHUFFLES(unsigned long long)
MOG_CUDA_SHUFFLES(double)
#undef MOG_CUDA_SHUFFLES
#undef MOG_CUDA_SHUFFLE

/* The forms of old programs: all lanes that are there take part. */
template <typename Type>
MOG_CUDA_DEVICE Type __shfl(Type value, int lane, int width = 32) {
    return __shfl_sync(__activemask(), value, lane, width);
}
template <typename Type>
MOG_CUDA_DEVICE Type __shfl_up(Type value, unsigned distance, int width = 32) {
    return __shfl_up_sync(__activemask(), value, distance, width);
}
template <typename Type>
MOG_CUDA_DEVICE Type __shfl_down(Type value, unsigned distance, int width = 32) {
    return __shfl_down_sync(__activemask(), value, distance, width);
}
template <typename Type>
MOG_CUDA_DEVICE Type __shfl_xor(Type value, int lanes, int width = 32) {
    return __shfl_xor_sync(__activemask(), value, lanes, width);
}

/* Which lanes hold the same value. */
template <typename Type>
MOG_CUDA_DEVICE unsigned __match_any_sync(unsigned mask, Type value) {
    static_assert(sizeof(Type) == 4 || sizeof(Type) == 8, "__match_any_sync takes values of 32 and of 64 bits");
    unsigned found;
    if constexpr (sizeof(Type) == 4) {
        int bits;
        __builtin_memcpy(&bits, &value, 4);
        found = __nvvm_match_any_sync_i32(mask, bits);
    } else {
        long long bits;
        __builtin_memcpy(&bits, &value, 8);
        found = (unsigned)__nvvm_match_any_sync_i64(mask, bits);
    }
    return found;
}
template <typename Type>
MOG_CUDA_DEVICE unsigned __match_all_sync(unsigned mask, Type value, int *all) {
    static_assert(sizeof(Type) == 4 || sizeof(Type) == 8, "__match_all_sync takes values of 32 and of 64 bits");
    unsigned found;
    if constexpr (sizeof(Type) == 4) {
        int bits;
        __builtin_memcpy(&bits, &value, 4);
        found = __nvvm_match_all_sync_i32p(mask, bits, all);
    } else {
        long long bits;
        __builtin_memcpy(&bits, &value, 8);
        found = (unsigned)__nvvm_match_all_sync_i64p(mask, bits, all);
    }
    return found;
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
MOG_CUDA_DEVICE int __reduce_add_sync(unsigned mask, int value) { return __nvvm_redux_sync_add(value, mask); }
MOG_CUDA_DEVICE unsigned __reduce_add_sync(unsigned mask, unsigned value) { return (unsigned)__nvvm_redux_sync_add((int)value, mask); }
MOG_CUDA_DEVICE int __reduce_min_sync(unsigned mask, int value) { return __nvvm_redux_sync_min(value, mask); }
MOG_CUDA_DEVICE unsigned __reduce_min_sync(unsigned mask, unsigned value) { return (unsigned)__nvvm_redux_sync_umin(value, mask); }
MOG_CUDA_DEVICE int __reduce_max_sync(unsigned mask, int value) { return __nvvm_redux_sync_max(value, mask); }
MOG_CUDA_DEVICE unsigned __reduce_max_sync(unsigned mask, unsigned value) { return (unsigned)__nvvm_redux_sync_umax(value, mask); }
MOG_CUDA_DEVICE unsigned __reduce_and_sync(unsigned mask, unsigned value) { return (unsigned)__nvvm_redux_sync_and((int)value, mask); }
MOG_CUDA_DEVICE unsigned __reduce_or_sync(unsigned mask, unsigned value) { return (unsigned)__nvvm_redux_sync_or((int)value, mask); }
MOG_CUDA_DEVICE unsigned __reduce_xor_sync(unsigned mask, unsigned value) { return (unsigned)__nvvm_redux_sync_xor((int)value, mask); }
#endif

MOG_CUDA_DEVICE unsigned __isGlobal(const void *pointer) { return __nvvm_isspacep_global(pointer); }
MOG_CUDA_DEVICE unsigned __isShared(const void *pointer) { return __nvvm_isspacep_shared(pointer); }
MOG_CUDA_DEVICE unsigned __isConstant(const void *pointer) { return __nvvm_isspacep_const(pointer); }
MOG_CUDA_DEVICE unsigned __isLocal(const void *pointer) { return __nvvm_isspacep_local(pointer); }

/* Shared memory is named by 32 bits in the instructions that programs write themselves. */
MOG_CUDA_DEVICE unsigned long __cvta_generic_to_shared(const void *pointer) {
    return (unsigned long)(const __attribute__((address_space(3))) void *)pointer;
}
MOG_CUDA_DEVICE unsigned long __cvta_generic_to_global(const void *pointer) {
    return (unsigned long)(const __attribute__((address_space(1))) void *)pointer;
}

MOG_CUDA_DEVICE long long clock64() { return __nvvm_read_ptx_sreg_clock64(); }
MOG_CUDA_DEVICE unsigned long long globaltimer_ns() {
    unsigned long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}
