/* bench_cuda.h: a bench program as a CUDA kernel, one thread per rank; the part of bench.h for nvcc.
 *
 * Prints the lines of all ranks, and on standard error one of JSON: the seconds of the second launch, by the device's clock. */
#ifndef BENCH_CUDA_H
#define BENCH_CUDA_H

__global__ void bench_kernel(unsigned *results, unsigned ranks)
{
    const unsigned rank = blockIdx.x * blockDim.x + threadIdx.x;
    if (rank < ranks) results[rank] = work(rank);
}

static void must(cudaError_t error, const char *what)
{
    if (error == cudaSuccess) return;
    fprintf(stderr, "bench: %s: %s\n", what, cudaGetErrorString(error));
    exit(3);
}

int main()
{
    const unsigned ranks = (unsigned)number_from("BENCH_RANKS"), block = 64;
    unsigned *results;
    cudaEvent_t begin, end;
    float milliseconds = 0;
    /* The stack of each thread, for recursion: what the compiler can see of it, and 64 KiB, or 16 on a small device. */
    cudaFuncAttributes attributes;
    must(cudaFuncGetAttributes(&attributes, bench_kernel), "no CUDA device");
    if (cudaDeviceSetLimit(cudaLimitStackSize, attributes.localSizeBytes + (64 << 10)) != cudaSuccess)
        must(cudaDeviceSetLimit(cudaLimitStackSize, attributes.localSizeBytes + (16 << 10)), "stack");
    must(cudaMallocManaged(&results, ranks * sizeof *results), "memory");
    must(cudaEventCreate(&begin), "event");
    must(cudaEventCreate(&end), "event");
    for (int launch = 0; launch < 2; launch++) {
        must(cudaEventRecord(begin), "event");
        bench_kernel<<<(ranks + block - 1) / block, block>>>(results, ranks);
        must(cudaEventRecord(end), "launch");
        must(cudaEventSynchronize(end), "run");
    }
    must(cudaEventElapsedTime(&milliseconds, begin, end), "clock");
    for (unsigned rank = 0; rank < ranks; rank++) printf("%u %u\n", rank, results[rank]);
    fprintf(stderr, "{\"kernel_seconds\": %.9g}\n", milliseconds * 1e-3);
    return 0;
}

#endif
