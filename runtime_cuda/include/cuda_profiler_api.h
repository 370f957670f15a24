/* cuda_profiler_api.h: cudaProfilerStart() and its like, which cuda_runtime_api.h has. */
#pragma once

#include "cuda_runtime_api.h"
