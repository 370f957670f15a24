/* host_defines.h: a part of CUDA that cuda_runtime.h has. */
#pragma once

#include "cuda_runtime.h"
