/* memory.h: what the C library has for kernels: printf, assert, malloc, memcpy, clocks. */
#pragma once

#include <stddef.h>
#include <time.h>

#include "mog_cuda/words.h"

extern "C" {
/* The runtime has these; clang makes calls of vprintf of printf. */
__device__ int vprintf(const char *format, const char *arguments);
__device__ void free(void *memory);
__device__ void *malloc(size_t bytes) __attribute__((malloc));
__device__ __attribute__((noreturn)) void __assertfail(const char *condition, const char *file, unsigned line, const char *function,
                                                       size_t size);
__device__ __attribute__((noreturn)) static inline void __assert_fail(const char *condition, const char *file, unsigned line,
                                                                      const char *function) {
    __assertfail(condition, file, line, function, 1);
}
__device__ int printf(const char *format, ...);
}

MOG_CUDA_DEVICE void *memcpy(void *to, const void *from, size_t bytes) {
    for (size_t i = 0; i < bytes; i++) ((volatile char *)to)[i] = ((const char *)from)[i];
    return to;
}
MOG_CUDA_DEVICE void *memset(void *to, int value, size_t bytes) {
    for (size_t i = 0; i < bytes; i++) ((volatile char *)to)[i] = (char)value;
    return to;
}
MOG_CUDA_DEVICE clock_t clock() { return (clock_t)__nvvm_read_ptx_sreg_clock64(); }
MOG_CUDA_DEVICE void exit_thread() { asm volatile("exit;"); }
