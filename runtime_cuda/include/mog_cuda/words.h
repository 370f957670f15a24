/* words.h: the words that CUDA adds to C++, as clang spells them. */
#pragma once

#define CUDARTAPI
#define CUDART_CB
#define CUDAAPI
#define CUDA_CB

#ifdef __CUDA__
/* What nvcc defines, by which sources know that they are compiled as CUDA. */
#define __CUDACC__ 1
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 0
#define __CUDACC_EXTENDED_LAMBDA__ 1
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
/* Variables of a module live in their places in the host's memory (library/modules.cpp), so that both sides see all of them. */
#define __managed__ __attribute__((device))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __maxnreg__(registers)
#define __cluster_dims__(...)
#define __grid_constant__
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __inline_hint__
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __builtin_align__(bytes) __attribute__((aligned(bytes)))
#define __thread__ __thread
#define __no_return__ __attribute__((noreturn))

/* Functions of these headers: for kernels, and for both sides. */
#define MOG_CUDA_DEVICE static inline __attribute__((device, always_inline, unused))
#define MOG_CUDA_BOTH static inline __attribute__((host, device, always_inline, unused))
#else
/* Other compilers read the headers for the sake of the runtime API. */
#define __host__
#define __device__
#define __global__
#endif
