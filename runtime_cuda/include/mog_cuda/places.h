/* places.h: who a thread is: threadIdx, blockIdx, blockDim, gridDim, warpSize. */
#pragma once

#include "mog_cuda/words.h"

#define MOG_CUDA_PLACE(name, reg)                                                                         \
    struct mog_cuda_##name {                                                                              \
        __declspec(property(get = read_x)) unsigned x;                                                    \
        __declspec(property(get = read_y)) unsigned y;                                                    \
        __declspec(property(get = read_z)) unsigned z;                                                    \
        static __device__ __forceinline__ unsigned read_x() { return __nvvm_read_ptx_sreg_##reg##_x(); }  \
        static __device__ __forceinline__ unsigned read_y() { return __nvvm_read_ptx_sreg_##reg##_y(); }  \
        static __device__ __forceinline__ unsigned read_z() { return __nvvm_read_ptx_sreg_##reg##_z(); }  \
        __device__ __forceinline__ operator uint3() const { return uint3{read_x(), read_y(), read_z()}; } \
        __device__ __forceinline__ operator dim3() const { return dim3(read_x(), read_y(), read_z()); }   \
    };                                                                                                    \
    extern const __device__ __attribute__((weak)) mog_cuda_##name name;
MOG_CUDA_PLACE(threadIdx, tid)
MOG_CUDA_PLACE(blockIdx, ctaid)
MOG_CUDA_PLACE(blockDim, ntid)
MOG_CUDA_PLACE(gridDim, nctaid)
#undef MOG_CUDA_PLACE

static constexpr __attribute__((unused)) int warpSize = 32;
