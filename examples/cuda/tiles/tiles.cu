// tiles.cu: a product of matrices, in tiles that a block keeps in shared memory.
#include <cstdio>

constexpr int n = 128, tile = 16;

__global__ void product(const float *a, const float *b, float *c) {
    __shared__ float left[tile][tile], right[tile][tile];
    const int row = blockIdx.y * tile + threadIdx.y, column = blockIdx.x * tile + threadIdx.x;
    float sum = 0;
    for (int k = 0; k < n; k += tile) {
        left[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
        right[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + column];
        __syncthreads();
        for (int i = 0; i < tile; i++) sum += left[threadIdx.y][i] * right[i][threadIdx.x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

int main() {
    float *a, *b, *c;
    cudaMallocManaged(&a, n * n * sizeof(float));
    cudaMallocManaged(&b, n * n * sizeof(float));
    cudaMallocManaged(&c, n * n * sizeof(float));
    for (int i = 0; i < n * n; i++) a[i] = (float)(i % 5), b[i] = (float)(i % 3);
    product<<<dim3(n / tile, n / tile), dim3(tile, tile)>>>(a, b, c);
    cudaDeviceSynchronize();
    double sum = 0;
    for (int i = 0; i < n * n; i++) sum += c[i];
    std::printf("the sum of all elements is %.0f\n", sum);
}
