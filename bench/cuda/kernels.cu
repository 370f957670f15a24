// kernels.cu: kernels as CUDA programs have them, timed: a line for each with its name, the seconds of the median run and a number of
// what it made, which other versions (openmp.cpp, loops.cpp, kernels.cl) have to have too.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <vector>

#include "sizes.h"

/// Seconds of the wall; with $BENCH_CPU those of the processors, which others on the machine do not disturb.
static double now() {
    static const bool is_cpu = std::getenv("BENCH_CPU") != nullptr;
    timespec time;
    clock_gettime(is_cpu ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &time);
    return double(time.tv_sec) + 1e-9 * double(time.tv_nsec);
}

__global__ void vadd(const float *a, const float *b, float *c, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) c[i] = a[i] + b[i];
}
__global__ void stencil(const float *in, float *out, int n) {
    __shared__ float row[258];
    const int i = blockIdx.x * 256 + threadIdx.x, t = threadIdx.x + 1;
    row[t] = in[i];
    if (threadIdx.x == 0) row[0] = i > 0 ? in[i - 1] : 0;
    if (threadIdx.x == 255) row[257] = i + 1 < n ? in[i + 1] : 0;
    __syncthreads();
    out[i] = 0.25f * row[t - 1] + 0.5f * row[t] + 0.25f * row[t + 1];
}
template <int tile>
__global__ void product(const float *a, const float *b, float *c, int n) {
    __shared__ float x[tile][tile], y[tile][tile];
    const int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * tile + ty, column = blockIdx.x * tile + tx;
    float sum = 0;
    for (int t = 0; t < n / tile; t++) {
        x[ty][tx] = a[row * n + t * tile + tx];
        y[ty][tx] = b[(t * tile + ty) * n + column];
        __syncthreads();
        for (int k = 0; k < tile; k++) sum += x[ty][k] * y[k][tx];
        __syncthreads();
    }
    c[row * n + column] = sum;
}
__global__ void plain_product(const float *a, const float *b, float *c, int n) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y;
    float sum = 0;
    for (int k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}
__global__ void transpose(const float *in, float *out, int n) {
    __shared__ float tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int i = 0; i < 32; i += 8) tile[threadIdx.y + i][threadIdx.x] = in[(y + i) * n + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
    for (int i = 0; i < 32; i += 8) out[(y + i) * n + x] = tile[threadIdx.x][threadIdx.y + i];
}
__global__ void reduce(const float *in, float *out) {
    __shared__ float part[256];
    const int t = threadIdx.x;
    part[t] = in[blockIdx.x * 512 + t] + in[blockIdx.x * 512 + 256 + t];
    __syncthreads();
    for (int half = 128; half; half /= 2) {
        if (t < half) part[t] += part[t + half];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = part[0];
}
__global__ void shuffle_sum(const float *in, float *out) {
    float sum = in[blockIdx.x * blockDim.x + threadIdx.x];
    for (int step = 16; step; step /= 2) sum += __shfl_down_sync(0xffffffff, sum, step);
    if (threadIdx.x % 32 == 0) out[(blockIdx.x * blockDim.x + threadIdx.x) / 32] = sum;
}
__global__ void histogram(const unsigned char *in, unsigned *out, int n) {
    __shared__ unsigned bins[BINS];
    bins[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&bins[in[i]], 1u);
    __syncthreads();
    atomicAdd(&out[threadIdx.x], bins[threadIdx.x]);
}
__global__ void sort(int *values) {
    __shared__ int own[SORTED];
    const int t = threadIdx.x;
    own[t] = values[blockIdx.x * SORTED + t];
    __syncthreads();
    for (int size = 2; size <= SORTED; size *= 2)
        for (int step = size / 2; step; step /= 2) {
            const int other = t ^ step;
            if (other > t && (own[t] > own[other]) == ((t & size) == 0)) {
                const int kept = own[t];
                own[t] = own[other], own[other] = kept;
            }
            __syncthreads();
        }
    values[blockIdx.x * SORTED + t] = own[t];
}
__global__ void mandelbrot(int *out, int n) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    const float cx = -2.0f + 3.0f * x / n, cy = -1.5f + 3.0f * y / n;
    float a = 0, b = 0;
    int rounds = 0;
    while (rounds < 200 && a * a + b * b < 4) {
        const float next = a * a - b * b + cx;
        b = 2 * a * b + cy, a = next;
        rounds++;
    }
    out[y * n + x] = rounds;
}
__global__ void nbody(const float4 *bodies, float4 *out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const float4 me = bodies[i];
    float x = 0, y = 0, z = 0;
    for (int j = 0; j < n; j++) {
        const float4 other = bodies[j];
        const float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
        const float square = dx * dx + dy * dy + dz * dz + 0.01f, root = 1 / sqrtf(square), pull = other.w * root * root * root;
        x += dx * pull, y += dy * pull, z += dz * pull;
    }
    out[i] = make_float4(x, y, z, 0);
}
__global__ void sparse(const int *begin, const int *column, const float *value, const float *x, float *y, int rows) {
    const int row = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= rows) return;
    float sum = 0;
    for (int at = begin[row]; at < begin[row + 1]; at++) sum += value[at] * x[column[at]];
    y[row] = sum;
}
__global__ void blur(const unsigned char *in, unsigned char *out, int n) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x == 0 || y == 0 || x == n - 1 || y == n - 1) return;
    int sum = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) sum += in[(y + dy) * n + x + dx];
    out[y * n + x] = sum / 9;
}
__global__ void collatz(int *out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    unsigned x = i + 1;
    int steps = 0;
    while (x != 1) {
        x = x & 1 ? 3 * x + 1 : x / 2;
        steps++;
    }
    out[i] = steps;
}
__global__ void scan(const int *in, int *out) {
    __shared__ int sums[2][256];
    const int t = threadIdx.x;
    int now = 0;
    sums[0][t] = in[blockIdx.x * 256 + t];
    for (int step = 1; step < 256; step *= 2) {
        __syncthreads();
        sums[1 - now][t] = sums[now][t] + (t >= step ? sums[now][t - step] : 0);
        now = 1 - now;
    }
    out[blockIdx.x * 256 + t] = sums[now][t];
}

template <typename T>
T *copied(const std::vector<T> &values) {
    T *memory;
    cudaMalloc(&memory, values.size() * sizeof(T));
    cudaMemcpy(memory, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
    return memory;
}
template <typename T>
T *zeros(size_t count) {
    return copied(std::vector<T>(count));
}

static const char *wanted;
template <typename T>
void measure(const char *name, const T *out, size_t count, const std::function<void()> &run) {
    if (wanted && std::strcmp(wanted, name) != 0) return;
    std::vector<double> times;
    for (int i = 0; i <= TRIES; i++) {
        const double begin = now();
        run();
        if (cudaError_t error = cudaDeviceSynchronize()) {
            std::printf("%s %s\n", name, cudaGetErrorString(error));
            return;
        }
        if (i) times.push_back(now() - begin);
    }
    std::sort(times.begin(), times.end());
    double sum = 0;
    for (size_t i = 0; i < count; i++) sum += double(out[i]) * (i % 7 + 1);
    std::printf("%s %.9f %.6g\n", name, times[TRIES / 2], sum);
    std::fflush(stdout);
}

#include "inputs.h"

int main(int argc, char **argv) {
    wanted = argc > 1 ? argv[1] : nullptr;
    float *a = copied(floats(VECTOR, 1)), *b = copied(floats(VECTOR, 2)), *c = zeros<float>(VECTOR);
    measure("vadd", c, VECTOR, [&] { vadd<<<VECTOR / 256, 256>>>(a, b, c, VECTOR); });
    measure("stencil", c, VECTOR, [&] { stencil<<<VECTOR / 256, 256>>>(a, c, VECTOR); });
    const int n = MATRIX;
    measure("product 16", c, n * n, [&] { product<16><<<dim3(n / 16, n / 16), dim3(16, 16)>>>(a, b, c, n); });
    measure("product 32", c, n * n, [&] { product<32><<<dim3(n / 32, n / 32), dim3(32, 32)>>>(a, b, c, n); });
    measure("plain product", c, n * n, [&] { plain_product<<<dim3(n / 128, n), 128>>>(a, b, c, n); });
    measure("transpose", c, VECTOR, [&] { transpose<<<dim3(IMAGE / 32, IMAGE / 32), dim3(32, 8)>>>(a, c, IMAGE); });
    measure("reduce", c, VECTOR / 512, [&] { reduce<<<VECTOR / 512, 256>>>(a, c); });
    measure("shuffle sum", c, VECTOR / 32, [&] { shuffle_sum<<<VECTOR / 256, 256>>>(a, c); });
    unsigned char *bytes = copied(bytes_of(VECTOR)), *blurred = zeros<unsigned char>(VECTOR);
    unsigned *bins = zeros<unsigned>(BINS);
    measure("histogram", bins, BINS, [&] {
        cudaMemset(bins, 0, BINS * sizeof *bins);
        histogram<<<32, BINS>>>(bytes, bins, VECTOR);
    });
    const std::vector<int> unsorted = ints(VECTOR, 1 << 30);
    int *values = copied(unsorted), *sorted = copied(unsorted), *counts = zeros<int>(VECTOR);
    measure("sort", sorted, VECTOR / 4, [&] {
        cudaMemcpy(sorted, values, VECTOR, cudaMemcpyDeviceToDevice);
        sort<<<VECTOR / 4 / SORTED, SORTED>>>(sorted);
    });
    measure("mandelbrot", counts, FRACTAL * FRACTAL, [&] { mandelbrot<<<dim3(FRACTAL / 32, FRACTAL / 8), dim3(32, 8)>>>(counts, FRACTAL); });
    float *pulls = zeros<float>(4 * BODIES);
    measure("nbody", pulls, 4 * BODIES, [&] { nbody<<<BODIES / 128, 128>>>((float4 *)a, (float4 *)pulls, BODIES); });
    const Sparse rows(ROWS);
    int *begin = copied(rows.begin), *column = copied(rows.column);
    float *value = copied(rows.value);
    measure("sparse", c, ROWS, [&] { sparse<<<(ROWS + 127) / 128, 128>>>(begin, column, value, a, c, ROWS); });
    measure("blur", blurred, VECTOR, [&] { blur<<<dim3(IMAGE / 32, IMAGE / 8), dim3(32, 8)>>>(bytes, blurred, IMAGE); });
    measure("collatz", counts, OPTIONS, [&] { collatz<<<OPTIONS / 256, 256>>>(counts, OPTIONS); });
    int *small = copied(ints(VECTOR, 100));
    measure("scan", counts, VECTOR, [&] { scan<<<VECTOR / 256, 256>>>(small, counts); });
}
