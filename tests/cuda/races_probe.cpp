// races_probe.cpp: races_probe KERNEL: one kernel of those below, on the emulation, in blocks of two warps. Those called good_... have no
// race; of the others ThreadSanitizer has to tell, or the silence of tests/cuda/races.sh would say nothing.
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "tests/cuda/emulated_cuda.hpp"

namespace {

constexpr const char *kernels = R"(
typedef unsigned int u32;
#define KERNEL extern "C" __global__
#define NEXT_LANE ((threadIdx.x & ~31u) | ((threadIdx.x + 1u) & 31u))
#define SHARED extern __shared__ u32 words[]; u32 i = threadIdx.x;
KERNEL void good_warp(u32 *out) { SHARED words[i] = i; __syncwarp(); out[blockIdx.x * blockDim.x + i] = words[NEXT_LANE]; }
KERNEL void no_barrier(u32 *out) { SHARED words[i] = i; out[blockIdx.x * blockDim.x + i] = words[NEXT_LANE]; }
/* A vote orders no memory. */
KERNEL void vote(u32 *out) { SHARED words[i] = i; __any_sync(0xffffffffu, 1); out[blockIdx.x * blockDim.x + i] = words[NEXT_LANE]; }
/* What is written again needs a barrier between those who read and who writes. */
KERNEL void one_barrier(u32 *out)
{
    SHARED
    for (u32 k = 0u; k < 3u; k++) {
        words[i] = k;
        __syncwarp();
        out[blockIdx.x * blockDim.x + i] += words[NEXT_LANE];
    }
}
KERNEL void good_barriers(u32 *out)
{
    SHARED
    for (u32 k = 0u; k < 3u; k++) {
        words[i] = k;
        __syncwarp();
        out[blockIdx.x * blockDim.x + i] += words[NEXT_LANE];
        __syncwarp();
    }
}
KERNEL void good_block(u32 *out) { SHARED words[i] = i; __syncthreads(); out[blockIdx.x * blockDim.x + i] = words[63u - i]; }
/* A warp's barrier says nothing to another warp. */
KERNEL void warp_for_block(u32 *out) { SHARED words[i] = i; __syncwarp(); out[blockIdx.x * blockDim.x + i] = words[63u - i]; }
KERNEL void good_atomic(u32 *out) { atomicAdd(out, 1u); }
KERNEL void not_atomic(u32 *out) { out[0]++; }
KERNEL void between_blocks(u32 *out) { if (threadIdx.x == 0u) out[0] = blockIdx.x; }
)";

/* Ends with 2 where the emulation does not do what it is for. */
template <typename Result>
void check(Result result, const char *call) {
    if (static_cast<int>(result) == 0) return;
    std::fprintf(stderr, "races_probe: %s: %d\n", call, static_cast<int>(result));
    _Exit(2);
}
#define CHECK(call) check(call, #call)

}  // namespace

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    nvrtcProgram program = nullptr;
    CHECK(nvrtcCreateProgram(&program, kernels, "kernels.cu", 0, nullptr, nullptr));
    const char *const options[] = {"--gpu-architecture=sm_90"};
    CHECK(nvrtcCompileProgram(program, 1, options));
    std::size_t size = 0;
    CHECK(nvrtcGetCUBINSize(program, &size));
    std::vector<char> code(size);
    CHECK(nvrtcGetCUBIN(program, code.data()));

    constexpr unsigned blocks = 3, threads = 64;
    CUcontext context = nullptr;
    CUstream stream = nullptr;
    CUmodule module = nullptr;
    CUfunction kernel = nullptr;
    CUdeviceptr out = 0;
    CHECK(cuInit(0));
    CHECK(cuDevicePrimaryCtxRetain(&context, 0));
    CHECK(cuCtxSetCurrent(context));
    CHECK(cuStreamCreateWithPriority(&stream, 1, 0));
    CHECK(cuModuleLoadDataEx(&module, code.data(), 0, nullptr, nullptr));
    CHECK(cuModuleGetFunction(&kernel, module, argv[1]));
    CHECK(cuMemAlloc_v2(&out, 4 * blocks * threads));
    CHECK(cuMemsetD32Async(out, 0, blocks * threads, stream));
    void *parameters[] = {&out};
    for (int again = 0; again < 2; again++)  // launches of a stream are ordered
        CHECK(cuLaunchKernel(kernel, blocks, 1, 1, threads, 1, 1, 4 * threads, stream, parameters, nullptr));
    std::vector<std::uint32_t> words(blocks * threads);
    CHECK(cuMemcpyDtoHAsync_v2(words.data(), out, 4 * words.size(), stream));
    CHECK(cuStreamSynchronize(stream));
    return 0;
}
