// mistakes.cu: kernels with mistakes that `mogcuda --check` has to find; lines `// says: TEXT` are parts of its messages.
#include <cstdio>

__global__ void fill(int *values, int n) {
    __shared__ int part[32];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x != 5) part[threadIdx.x] = i;
    __syncthreads();
    // says: uninitialised: kernel _Z4fillPii, block (0,0,0), thread (4,0,0)
    // says: mistakes.cu:13): it reads 4 bytes of shared memory at 0x14, which no thread wrote before
    // says: out of bounds: kernel _Z4fillPii, block (3,0,0), thread (4,0,0)
    // says: mistakes.cu:13): it writes 4 bytes of global memory
    if (i <= n) values[i] = part[(threadIdx.x + 1) % 32];
}

__global__ void race(int *values) {
    // says: race: kernel _Z4racePi
    values[threadIdx.x / 2] = threadIdx.x;
}

__global__ void misaligned(char *values) {
    // says: misaligned: kernel _Z10misalignedPc
    *(int *)(values + 2) = 1;
}

int main() {
    int *values;
    cudaMalloc(&values, 100 * sizeof(int));
    fill<<<4, 32>>>(values, 100);
    race<<<1, 32>>>(values);
    misaligned<<<1, 1>>>((char *)values);
    printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
