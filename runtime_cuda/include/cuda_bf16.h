/* cuda_bf16.h: bfloat16: floats of 16 bits, computed as floats and rounded once for each operation. */
#pragma once

#include "cuda_runtime.h"
#include "mog_cuda/small_floats.h"

struct __nv_bfloat16_raw {
    unsigned short x;
};

MOG_CUDA_SMALL_FLOAT(__nv_bfloat16, __nv_bfloat162, __nv_bfloat16_raw, mog_cuda::bfloat_of_float, mog_cuda::float_of_bfloat)
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

MOG_CUDA_BOTH __nv_bfloat16 __float2bfloat16(float x) { return __nv_bfloat16(x); }
MOG_CUDA_BOTH __nv_bfloat16 __float2bfloat16_rn(float x) { return __nv_bfloat16(x); }
MOG_CUDA_BOTH __nv_bfloat16 __double2bfloat16(double x) { return __nv_bfloat16((float)x); }
MOG_CUDA_BOTH float __bfloat162float(__nv_bfloat16 x) { return (float)x; }
MOG_CUDA_BOTH __nv_bfloat162 __float2bfloat162_rn(float x) { return __nv_bfloat162(x, x); }
MOG_CUDA_BOTH __nv_bfloat162 __floats2bfloat162_rn(float x, float y) { return __nv_bfloat162(x, y); }
MOG_CUDA_BOTH float2 __bfloat1622float2(__nv_bfloat162 x) { return make_float2(x.x, x.y); }
MOG_CUDA_BOTH __nv_bfloat162 __halves2bfloat162(__nv_bfloat16 x, __nv_bfloat16 y) { return __nv_bfloat162(x, y); }
MOG_CUDA_BOTH unsigned short __bfloat16_as_ushort(__nv_bfloat16 x) { return x.bits; }
MOG_CUDA_BOTH __nv_bfloat16 __ushort_as_bfloat16(unsigned short x) { return __nv_bfloat16(__nv_bfloat16_raw{x}); }
