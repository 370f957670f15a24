/* cuda_fp16.h: half precision: storage and conversions by instructions, arithmetic in floats, rounded once for each operation. */
#pragma once

#include "cuda_runtime.h"
#include "mog_cuda/small_floats.h"

struct __half_raw {
    unsigned short x;
};
struct __half2_raw {
    unsigned short x, y;
};

MOG_CUDA_SMALL_FLOAT(__half, __half2, __half_raw, mog_cuda::half_of_float, mog_cuda::float_of_half)
typedef __half half;
typedef __half2 half2;

MOG_CUDA_BOTH __half __float2half(float x) { return __half(x); }
MOG_CUDA_BOTH __half __float2half_rn(float x) { return __half(x); }
MOG_CUDA_BOTH __half __double2half(double x) { return __half((float)x); }
MOG_CUDA_BOTH float __half2float(__half x) { return (float)x; }
MOG_CUDA_BOTH __half2 __float2half2_rn(float x) { return __half2(x, x); }
MOG_CUDA_BOTH __half2 __floats2half2_rn(float x, float y) { return __half2(x, y); }
MOG_CUDA_BOTH __half2 __float22half2_rn(float2 x) { return __half2(x.x, x.y); }
MOG_CUDA_BOTH float2 __half22float2(__half2 x) { return make_float2(x.x, x.y); }
MOG_CUDA_BOTH __half2 __half2half2(__half x) { return __half2(x, x); }
MOG_CUDA_BOTH __half2 __halves2half2(__half x, __half y) { return __half2(x, y); }
MOG_CUDA_BOTH __half2 make_half2(__half x, __half y) { return __half2(x, y); }
MOG_CUDA_BOTH __half __low2half(__half2 x) { return x.x; }
MOG_CUDA_BOTH __half __high2half(__half2 x) { return x.y; }
MOG_CUDA_BOTH float __low2float(__half2 x) { return x.x; }
MOG_CUDA_BOTH float __high2float(__half2 x) { return x.y; }
MOG_CUDA_BOTH __half2 __lowhigh2highlow(__half2 x) { return __half2(x.y, x.x); }
MOG_CUDA_BOTH __half __int2half_rn(int x) { return __half((float)x); }
MOG_CUDA_BOTH __half __uint2half_rn(unsigned x) { return __half((float)x); }
MOG_CUDA_BOTH int __half2int_rz(__half x) { return (int)(float)x; }
MOG_CUDA_BOTH unsigned __half2uint_rz(__half x) { return (unsigned)(float)x; }
MOG_CUDA_DEVICE int __half2int_rn(__half x) { return __float2int_rn(x); }
MOG_CUDA_BOTH short __half_as_short(__half x) { return (short)x.bits; }
MOG_CUDA_BOTH unsigned short __half_as_ushort(__half x) { return x.bits; }
MOG_CUDA_BOTH __half __short_as_half(short x) { return __half(__half_raw{(unsigned short)x}); }
MOG_CUDA_BOTH __half __ushort_as_half(unsigned short x) { return __half(__half_raw{x}); }
