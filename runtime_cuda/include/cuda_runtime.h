/* cuda_runtime.h: CUDA C++ for clang, which mogcuda includes before every source: the language's words and places, the functions of
 * kernels, the runtime API, and its forms for C++. */
#pragma once
#pragma GCC system_header

#ifdef __CUDA__
#include "mog_cuda/functions.h"
#include "mog_cuda/words.h"
#endif

#include "cuda_runtime_api.h"
#include "vector_functions.h"

#ifdef __CUDA__
#ifdef __CUDACC_RTC__
/* Programs for NVRTC are kernels alone: the special functions of C++17, which run on the host, take clang a quarter of its time. */
#include <bits/c++config.h>
#undef _GLIBCXX_USE_STD_SPEC_FUNCS
#endif
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mog_cuda/atomics.h"
#include "mog_cuda/intrinsics.h"
#include "mog_cuda/memory.h"
#include "mog_cuda/places.h"
#include "mog_cuda/warp.h"
#endif

#ifdef __cplusplus
#ifndef __CUDACC_RTC__
#include "mog_cuda/api.h"
#endif
#include "mog_cuda/textures.h"
#endif
