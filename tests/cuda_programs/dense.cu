// dense.cu: arrays and matrices: products in tiles, transposes, stencils, convolutions, factorisations, transforms.
#include <cooperative_groups.h>

#include "cases.hpp"

__global__ void saxpy(int n, float a, const float *x, float *y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
CASE(saxpy) {
    const auto x = fractions(1000, 1), y = fractions(1000, 2);
    Device<float> dx(x), dy(y);
    saxpy<<<8, 128>>>(1000, 2.5f, dx, dy);
    const auto out = dy.host();
    for (int i = 0; i < 1000; i++) EXPECT(out[i] == std::fma(2.5f, x[i], y[i]));
}

__global__ void by_fours(const float4 *in, float4 *out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const float4 value = __ldg(&in[i]);
    out[i] = make_float4(value.w, value.z + 1, value.y * 2, -value.x);
}
CASE(vectors_of_four) {
    std::vector<float4> in(100);
    for (int i = 0; i < 100; i++) in[i] = make_float4(i, i + 0.5f, i * 2, i * 3);
    Device<float4> from(in), to(100);
    by_fours<<<2, 64>>>(from, to, 100);
    const auto out = to.host();
    for (int i = 0; i < 100; i++) EXPECT(out[i].x == i * 3 && out[i].y == i * 2 + 1 && out[i].z == 2 * i + 1 && out[i].w == -i);
}

template <typename Type, int Tile>
__global__ void product(const Type *a, const Type *b, Type *c, int n) {
    __shared__ Type left[Tile][Tile], right[Tile][Tile];
    const int row = blockIdx.y * Tile + threadIdx.y, column = blockIdx.x * Tile + threadIdx.x;
    Type sum = 0;
    for (int k = 0; k < n; k += Tile) {
        left[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
        right[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + column];
        __syncthreads();
        for (int i = 0; i < Tile; i++) sum += left[threadIdx.y][i] * right[i][threadIdx.x];
        __syncthreads();
    }
    c[row * n + column] = sum;
}
template <typename Type, int Tile>
void check_product(int n) {
    std::vector<Type> a(n * n), b(n * n);
    for (int i = 0; i < n * n; i++) a[i] = (Type)(i % 7 - 3), b[i] = (Type)(i % 5 - 2);
    Device<Type> da(a), db(b), dc(n * n);
    product<Type, Tile><<<dim3(n / Tile, n / Tile), dim3(Tile, Tile)>>>(da, db, dc, n);
    const auto c = dc.host();
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) {
            Type sum = 0;
            for (int k = 0; k < n; k++) sum += a[y * n + k] * b[k * n + x];
            EXPECT(c[y * n + x] == sum);
        }
}
CASE(product_in_tiles_of_floats) { check_product<float, 16>(48); }
CASE(product_in_tiles_of_doubles) { check_product<double, 8>(24); }
CASE(product_in_tiles_of_ints) { check_product<int, 4>(20); }

__global__ void transpose(const int *in, int *out, int width, int height) {
    __shared__ int tile[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < height && y + j < width) out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}
CASE(transpose) {
    const int width = 70, height = 45;
    const auto in = numbers(width * height, 1 << 20);
    Device<int> from(in), to(width * height);
    transpose<<<dim3(3, 2), dim3(32, 8)>>>(from, to, width, height);
    const auto out = to.host();
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) EXPECT(out[x * height + y] == in[y * width + x]);
}

__global__ void stencil(const float *in, float *out, int n) {
    __shared__ float row[64 + 4];
    const int i = blockIdx.x * 64 + threadIdx.x, t = threadIdx.x + 2;
    const auto at = [=](int j) { return j >= 0 && j < n ? in[j] : 0.0f; };
    row[t] = at(i);
    if (threadIdx.x < 2) row[threadIdx.x] = at(i - 2), row[t + 64] = at(i + 64);
    __syncthreads();
    if (i < n) out[i] = row[t - 2] + 2 * row[t - 1] + 3 * row[t] + 2 * row[t + 1] + row[t + 2];
}
CASE(stencil_with_halos) {
    std::vector<float> in(300);
    for (int i = 0; i < 300; i++) in[i] = (float)(i * 7 % 31);
    Device<float> from(in), to(300);
    stencil<<<5, 64>>>(from, to, 300);
    const auto out = to.host();
    const auto at = [&](int j) { return j >= 0 && j < 300 ? in[j] : 0.0f; };
    for (int i = 0; i < 300; i++) EXPECT(out[i] == at(i - 2) + 2 * at(i - 1) + 3 * at(i) + 2 * at(i + 1) + at(i + 2));
}

__constant__ float weights[5][5];
__global__ void convolve(const float *in, float *out, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    float sum = 0;
    for (int j = -2; j <= 2; j++)
        for (int i = -2; i <= 2; i++) sum += weights[j + 2][i + 2] * in[min(max(y + j, 0), height - 1) * width + min(max(x + i, 0), width - 1)];
    out[y * width + x] = sum;
}
CASE(convolution_in_constant_memory) {
    const int width = 33, height = 21;
    float host_weights[5][5];
    for (int i = 0; i < 25; i++) host_weights[i / 5][i % 5] = (float)(i % 4 - 1);
    WORKS(cudaMemcpyToSymbol(weights, host_weights, sizeof host_weights));
    std::vector<float> in(width * height);
    for (int i = 0; i < width * height; i++) in[i] = (float)(i * 13 % 17);
    Device<float> from(in), to(width * height);
    convolve<<<dim3(3, 3), dim3(16, 8)>>>(from, to, width, height);
    const auto out = to.host();
    for (int y = 0; y < height; y++)
        for (int x = 0; x < width; x++) {
            float sum = 0;
            for (int j = -2; j <= 2; j++)
                for (int i = -2; i <= 2; i++)
                    sum += host_weights[j + 2][i + 2] * in[std::min(std::max(y + j, 0), height - 1) * width + std::min(std::max(x + i, 0), width - 1)];
            EXPECT(out[y * width + x] == sum);
        }
}

__global__ void life(const unsigned char *in, unsigned char *out, int n) {
    const int x = threadIdx.x + blockIdx.x * blockDim.x, y = threadIdx.y + blockIdx.y * blockDim.y;
    int around = 0;
    for (int j = -1; j <= 1; j++)
        for (int i = -1; i <= 1; i++)
            if (i || j) around += in[(y + j + n) % n * n + (x + i + n) % n];
    out[y * n + x] = around == 3 || (around == 2 && in[y * n + x]);
}
CASE(game_of_life) {
    const int n = 32;
    std::vector<unsigned char> now(n * n), next(n * n);
    Numbers from;
    for (auto &cell : now) cell = from.below(3) == 0;
    Device<unsigned char> a(now), b(n * n);
    for (int step = 0; step < 10; step++) {
        life<<<dim3(2, 4), dim3(16, 8)>>>(step % 2 ? b : a, step % 2 ? a : b, n);
        for (int y = 0; y < n; y++)
            for (int x = 0; x < n; x++) {
                int around = 0;
                for (int j = -1; j <= 1; j++)
                    for (int i = -1; i <= 1; i++)
                        if (i || j) around += now[(y + j + n) % n * n + (x + i + n) % n];
                next[y * n + x] = around == 3 || (around == 2 && now[y * n + x]);
            }
        now.swap(next);
    }
    EXPECT(a.host() == now);
}

__global__ void relax(float *a, float *b, int n, int steps) {  // the grid meets after each step
    const auto grid = cooperative_groups::this_grid();
    for (int step = 0; step < steps; step++) {
        for (int i = 1 + (int)grid.thread_rank(); i < n - 1; i += (int)grid.size()) b[i] = 0.5f * (a[i - 1] + a[i + 1]);
        grid.sync();
        float *other = a;
        a = b, b = other;
    }
}
CASE(grid_that_waits_for_itself) {
    int n = 200, steps = 12;
    std::vector<float> now(n), next(n);
    now[0] = next[0] = 1024, now[n - 1] = next[n - 1] = -64;
    Device<float> a(now), b(next);
    float *pa = a, *pb = b;
    void *arguments[] = {&pa, &pb, &n, &steps};
    WORKS(cudaLaunchCooperativeKernel(relax, dim3(4), dim3(32), arguments));
    for (int step = 0; step < steps; step++) {
        for (int i = 1; i < n - 1; i++) next[i] = 0.5f * (now[i - 1] + now[i + 1]);
        now.swap(next);
    }
    EXPECT(a.host() == now);
}

__global__ void cholesky(double *a, int n) {  // one block, in place, lower half
    for (int k = 0; k < n; k++) {
        if (threadIdx.x == 0) a[k * n + k] = sqrt(a[k * n + k]);
        __syncthreads();
        for (int i = k + 1 + threadIdx.x; i < n; i += blockDim.x) a[i * n + k] /= a[k * n + k];
        __syncthreads();
        for (int i = k + 1 + threadIdx.x; i < n; i += blockDim.x)
            for (int j = k + 1; j <= i; j++) a[i * n + j] -= a[i * n + k] * a[j * n + k];
        __syncthreads();
    }
}
CASE(cholesky) {
    const int n = 20;
    std::vector<double> lower(n * n), a(n * n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) lower[i * n + j] = i == j ? 2 + i : (i * 3 + j) % 5 - 2;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) a[i * n + j] += lower[i * n + k] * lower[j * n + k];
    Device<double> device(a);
    cholesky<<<1, 32>>>(device, n);
    const auto out = device.host();
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) EXPECT(near(out[i * n + j], lower[i * n + j], 1e-10));
}

__global__ void fft(float2 *data, int n, int bits) {  // one block, in shared memory
    extern __shared__ float2 all[];
    for (int i = threadIdx.x; i < n; i += blockDim.x) all[__brev((unsigned)i) >> (32 - bits)] = data[i];
    __syncthreads();
    for (int length = 2; length <= n; length *= 2) {
        for (int i = threadIdx.x; i < n / 2; i += blockDim.x) {
            const int half = length / 2, k = i % half, at = i / half * length + k;
            float s, c;
            sincospif(-2.0f * (float)k / (float)length, &s, &c);
            const float2 even = all[at], odd = all[at + half];
            const float2 turned = {odd.x * c - odd.y * s, odd.x * s + odd.y * c};
            all[at] = {even.x + turned.x, even.y + turned.y};
            all[at + half] = {even.x - turned.x, even.y - turned.y};
        }
        __syncthreads();
    }
    for (int i = threadIdx.x; i < n; i += blockDim.x) data[i] = all[i];
}
CASE(fourier_transform) {
    const int n = 128;
    std::vector<float2> in(n);
    for (int i = 0; i < n; i++) in[i] = {(float)(i % 9), (float)(i % 4)};
    Device<float2> device(in);
    fft<<<1, 64, n * sizeof(float2)>>>(device, n, 7);
    const auto out = device.host();
    for (int k = 0; k < n; k++) {
        double re = 0, im = 0;
        for (int i = 0; i < n; i++) {
            const double angle = -2 * 3.14159265358979323846 * k * i / n;
            re += in[i].x * std::cos(angle) - in[i].y * std::sin(angle), im += in[i].x * std::sin(angle) + in[i].y * std::cos(angle);
        }
        EXPECT(near(out[k].x, re, 1e-4) && near(out[k].y, im, 1e-4));
    }
}

__global__ void floyd(int *d, int n, int k) {
    const int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && j < n) d[i * n + j] = min(d[i * n + j], d[i * n + k] + d[k * n + j]);
}
CASE(all_shortest_ways) {
    const int n = 24;
    std::vector<int> d(n * n);
    Numbers from;
    for (int i = 0; i < n * n; i++) d[i] = i % (n + 1) == 0 ? 0 : from.below(4) ? 1000000 : 1 + (int)from.below(100);
    Device<int> device(d);
    for (int k = 0; k < n; k++) floyd<<<dim3(2, 3), dim3(16, 8)>>>(device, n, k);
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) d[i * n + j] = std::min(d[i * n + j], d[i * n + k] + d[k * n + j]);
    EXPECT(device.host() == d);
}

__global__ void volume(int *out) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z * blockDim.z + threadIdx.z;
    out[(z * (gridDim.y * blockDim.y) + y) * (gridDim.x * blockDim.x) + x] = x + 100 * y + 10000 * z;
}
CASE(three_dimensions) {
    Device<int> device(8 * 6 * 4);
    volume<<<dim3(2, 3, 2), dim3(4, 2, 2)>>>(device);
    const auto out = device.host();
    for (int z = 0; z < 4; z++)
        for (int y = 0; y < 6; y++)
            for (int x = 0; x < 8; x++) EXPECT(out[(z * 6 + y) * 8 + x] == x + 100 * y + 10000 * z);
}
