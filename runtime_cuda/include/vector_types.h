/* vector_types.h: CUDA's vectors of one to four elements, dim3. */
#pragma once

#include "mog_cuda/words.h"

/* Name, element, alignment of vectors of 2 and of 4 (those of 1 and 3 have their element's). */
#define MOG_CUDA_VECTORS(X)                  \
    X(char, signed char, 2, 4)               \
    X(uchar, unsigned char, 2, 4)            \
    X(short, short, 4, 8)                    \
    X(ushort, unsigned short, 4, 8)          \
    X(int, int, 8, 16)                       \
    X(uint, unsigned int, 8, 16)             \
    X(long, long int, 16, 16)                \
    X(ulong, unsigned long int, 16, 16)      \
    X(longlong, long long int, 16, 16)       \
    X(ulonglong, unsigned long long, 16, 16) \
    X(float, float, 8, 16)                   \
    X(double, double, 16, 16)

#define MOG_CUDA_VECTOR(name, element, two, four)   \
    struct name##1 {                                \
        element x;                                  \
    };                                              \
    struct __attribute__((aligned(two))) name##2 {  \
        element x, y;                               \
    };                                              \
    struct name##3 {                                \
        element x, y, z;                            \
    };                                              \
    struct __attribute__((aligned(four))) name##4 { \
        element x, y, z, w;                         \
    };                                              \
    typedef struct name##1 name##1;                 \
    typedef struct name##2 name##2;                 \
    typedef struct name##3 name##3;                 \
    typedef struct name##4 name##4;
MOG_CUDA_VECTORS(MOG_CUDA_VECTOR)
#undef MOG_CUDA_VECTOR

struct dim3 {
    unsigned x, y, z;
#ifdef __cplusplus
#ifdef __CUDA__
    __host__ __device__
#endif
        constexpr dim3(unsigned width = 1, unsigned height = 1, unsigned depth = 1)
        : x(width), y(height), z(depth) {
    }
#ifdef __CUDA__
    __host__ __device__
#endif
        constexpr dim3(uint3 size)
        : x(size.x), y(size.y), z(size.z) {
    }
#ifdef __CUDA__
    __host__ __device__
#endif
        constexpr
        operator uint3() const {
        return uint3{x, y, z};
    }
#endif
};
typedef struct dim3 dim3;
