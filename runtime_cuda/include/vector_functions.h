/* vector_functions.h: make_int4() and its like. */
#pragma once

#include "vector_types.h"

#ifndef __CUDA__
#define MOG_CUDA_BOTH static inline
#endif
#define MOG_CUDA_MAKE(name, element, two, four)                                               \
    MOG_CUDA_BOTH struct name##1 make_##name##1(element x) {                                  \
        struct name##1 made = {x};                                                            \
        return made;                                                                          \
    }                                                                                         \
    MOG_CUDA_BOTH struct name##2 make_##name##2(element x, element y) {                       \
        struct name##2 made = {x, y};                                                         \
        return made;                                                                          \
    }                                                                                         \
    MOG_CUDA_BOTH struct name##3 make_##name##3(element x, element y, element z) {            \
        struct name##3 made = {x, y, z};                                                      \
        return made;                                                                          \
    }                                                                                         \
    MOG_CUDA_BOTH struct name##4 make_##name##4(element x, element y, element z, element w) { \
        struct name##4 made = {x, y, z, w};                                                   \
        return made;                                                                          \
    }
MOG_CUDA_VECTORS(MOG_CUDA_MAKE)
#undef MOG_CUDA_MAKE
