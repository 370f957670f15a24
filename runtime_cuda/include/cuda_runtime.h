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
#include "mog_cuda/api.h"
#include "mog_cuda/textures.h"
#endif
