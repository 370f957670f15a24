// openmp.cpp: what kernels.cu computes, as one writes it for processors: loops with OpenMP, for gcc -O3. With -DTHREAD_LOOPS, as loops over
// the threads of each block instead, parted at barriers, which is what compilers of kernels make (g++ -O3).
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
#include "inputs.h"

static const char *wanted;
template <typename T>
static void measure(const char *name, const T *out, size_t count, const std::function<void()> &run) {
    if (wanted && std::strcmp(wanted, name) != 0) return;
    std::vector<double> times;
    for (int i = 0; i <= TRIES; i++) {
        const double begin = now();
        run();
        if (i) times.push_back(now() - begin);
    }
    std::sort(times.begin(), times.end());
    double sum = 0;
    for (size_t i = 0; i < count; i++) sum += double(out[i]) * (i % 7 + 1);
    std::printf("%s %.9f %.6g\n", name, times[TRIES / 2], sum);
    std::fflush(stdout);
}

#ifdef THREAD_LOOPS
#define BLOCKS(count) _Pragma("omp parallel for schedule(dynamic, 1)") for (int block = 0; block < (count); block++)
#define THREADS(count) for (int t = 0; t < (count); t++)

static void vadd(const float *a, const float *b, float *c, int n) {
    BLOCKS(n / 256) THREADS(256) {
        const int i = block * 256 + t;
        if (i < n) c[i] = a[i] + b[i];
    }
}
static void stencil(const float *in, float *out, int n) {
    BLOCKS(n / 256) {
        float row[258];
        THREADS(256) {
            const int i = block * 256 + t;
            row[t + 1] = in[i];
            if (t == 0) row[0] = i > 0 ? in[i - 1] : 0;
            if (t == 255) row[257] = i + 1 < n ? in[i + 1] : 0;
        }
        THREADS(256) out[block * 256 + t] = 0.25f * row[t] + 0.5f * row[t + 1] + 0.25f * row[t + 2];
    }
}
template <int tile>
static void product(const float *a, const float *b, float *c, int n) {
    BLOCKS(n / tile * (n / tile)) {
        const int bx = block % (n / tile), by = block / (n / tile);
        float x[tile][tile], y[tile][tile], sum[tile * tile];
        THREADS(tile * tile) sum[t] = 0;
        for (int k0 = 0; k0 < n / tile; k0++) {
            THREADS(tile * tile) {
                const int tx = t % tile, ty = t / tile;
                x[ty][tx] = a[(by * tile + ty) * n + k0 * tile + tx];
                y[ty][tx] = b[(k0 * tile + ty) * n + bx * tile + tx];
            }
            THREADS(tile * tile) {
                const int tx = t % tile, ty = t / tile;
                for (int k = 0; k < tile; k++) sum[t] += x[ty][k] * y[k][tx];
            }
        }
        THREADS(tile * tile) c[(by * tile + t / tile) * n + bx * tile + t % tile] = sum[t];
    }
}
static void plain_product(const float *a, const float *b, float *c, int n) {
    BLOCKS(n / 128 * n) THREADS(128) {
        const int column = block % (n / 128) * 128 + t, row = block / (n / 128);
        float sum = 0;
        for (int k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + column];
        c[row * n + column] = sum;
    }
}
static void transpose(const float *in, float *out, int n) {
    BLOCKS(n / 32 * (n / 32)) {
        const int bx = block % (n / 32), by = block / (n / 32);
        float tile[32][33];
        THREADS(256) for (int i = 0; i < 32; i += 8) tile[t / 32 + i][t % 32] = in[(by * 32 + t / 32 + i) * n + bx * 32 + t % 32];
        THREADS(256) for (int i = 0; i < 32; i += 8) out[(bx * 32 + t / 32 + i) * n + by * 32 + t % 32] = tile[t % 32][t / 32 + i];
    }
}
static void reduce(const float *in, float *out) {
    BLOCKS(VECTOR / 512) {
        float part[256];
        THREADS(256) part[t] = in[block * 512 + t] + in[block * 512 + 256 + t];
        for (int half = 128; half; half /= 2) THREADS(256) if (t < half) part[t] += part[t + half];
        out[block] = part[0];
    }
}
static void shuffle_sum(const float *in, float *out) {
    BLOCKS(VECTOR / 256) for (int warp = 0; warp < 8; warp++) {
        float sum[32], next[32];
        THREADS(32) sum[t] = in[block * 256 + warp * 32 + t];
        for (int step = 16; step; step /= 2) {
            THREADS(32) next[t] = sum[t] + (t + step < 32 ? sum[t + step] : sum[t]);
            THREADS(32) sum[t] = next[t];
        }
        out[block * 8 + warp] = sum[0];
    }
}
static void histogram(const unsigned char *in, unsigned *out, int n) {
    BLOCKS(32) {
        unsigned bins[BINS] = {};
        THREADS(BINS) for (int i = block * BINS + t; i < n; i += 32 * BINS) bins[in[i]]++;
        THREADS(BINS) __atomic_fetch_add(&out[t], bins[t], __ATOMIC_RELAXED);
    }
}
static void sort(int *values) {
    BLOCKS(VECTOR / 4 / SORTED) {
        int own[SORTED];
        THREADS(SORTED) own[t] = values[block * SORTED + t];
        for (int size = 2; size <= SORTED; size *= 2)
            for (int step = size / 2; step; step /= 2) THREADS(SORTED) {
                    const int other = t ^ step;
                    if (other > t && (own[t] > own[other]) == ((t & size) == 0)) std::swap(own[t], own[other]);
                }
        THREADS(SORTED) values[block * SORTED + t] = own[t];
    }
}
static void mandelbrot(int *out, int n) {
    BLOCKS(n / 32 * (n / 8)) THREADS(256) {
        const int x = block % (n / 32) * 32 + t % 32, y = block / (n / 32) * 8 + t / 32;
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
}
static void nbody(const float *bodies, float *out, int n) {
    BLOCKS(n / 128) THREADS(128) {
        const int i = block * 128 + t;
        float x = 0, y = 0, z = 0;
        for (int j = 0; j < n; j++) {
            const float dx = bodies[4 * j] - bodies[4 * i], dy = bodies[4 * j + 1] - bodies[4 * i + 1],
                        dz = bodies[4 * j + 2] - bodies[4 * i + 2];
            const float square = dx * dx + dy * dy + dz * dz + 0.01f, root = 1 / sqrtf(square),
                        pull = bodies[4 * j + 3] * root * root * root;
            x += dx * pull, y += dy * pull, z += dz * pull;
        }
        out[4 * i] = x, out[4 * i + 1] = y, out[4 * i + 2] = z, out[4 * i + 3] = 0;
    }
}
static void sparse(const int *begin, const int *column, const float *value, const float *x, float *y, int rows) {
    BLOCKS((rows + 127) / 128) THREADS(128) {
        const int row = block * 128 + t;
        if (row >= rows) continue;
        float sum = 0;
        for (int at = begin[row]; at < begin[row + 1]; at++) sum += value[at] * x[column[at]];
        y[row] = sum;
    }
}
static void blur(const unsigned char *in, unsigned char *out, int n) {
    BLOCKS(n / 32 * (n / 8)) THREADS(256) {
        const int x = block % (n / 32) * 32 + t % 32, y = block / (n / 32) * 8 + t / 32;
        if (x == 0 || y == 0 || x == n - 1 || y == n - 1) continue;
        int sum = 0;
        for (int dy = -1; dy <= 1; dy++)
            for (int dx = -1; dx <= 1; dx++) sum += in[(y + dy) * n + x + dx];
        out[y * n + x] = sum / 9;
    }
}
static void collatz(int *out, int n) {
    BLOCKS(n / 256) THREADS(256) {
        unsigned x = block * 256 + t + 1;
        int steps = 0;
        for (; x != 1; steps++) x = x & 1 ? 3 * x + 1 : x / 2;
        out[block * 256 + t] = steps;
    }
}
static void scan(const int *in, int *out) {
    BLOCKS(VECTOR / 256) {
        int sums[2][256], now = 0;
        THREADS(256) sums[0][t] = in[block * 256 + t];
        for (int step = 1; step < 256; step *= 2, now = 1 - now)
            THREADS(256) sums[1 - now][t] = sums[now][t] + (t >= step ? sums[now][t - step] : 0);
        THREADS(256) out[block * 256 + t] = sums[now][t];
    }
}
#else
static void vadd(const float *a, const float *b, float *c, int n) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) c[i] = a[i] + b[i];
}
static void stencil(const float *in, float *out, int n) {
    out[0] = 0.5f * in[0] + 0.25f * in[1];
#pragma omp parallel for
    for (int i = 1; i < n - 1; i++) out[i] = 0.25f * in[i - 1] + 0.5f * in[i] + 0.25f * in[i + 1];
    out[n - 1] = 0.25f * in[n - 2] + 0.5f * in[n - 1];
}
static void plain_product(const float *a, const float *b, float *c, int n) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) c[i * n + j] = 0;
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++) c[i * n + j] += a[i * n + k] * b[k * n + j];
    }
}
template <int tile>
static void product(const float *a, const float *b, float *c, int n) {
    plain_product(a, b, c, n);
}
static void transpose(const float *in, float *out, int n) {
#pragma omp parallel for collapse(2)
    for (int i = 0; i < n; i += 32)
        for (int j = 0; j < n; j += 32)
            for (int y = 0; y < 32; y++)
                for (int x = 0; x < 32; x++) out[(j + y) * n + i + x] = in[(i + x) * n + j + y];
}
static void reduce(const float *in, float *out) {
#pragma omp parallel for
    for (int i = 0; i < VECTOR / 512; i++) {
        float sum = 0;
#pragma omp simd reduction(+ : sum)
        for (int j = 0; j < 512; j++) sum += in[i * 512 + j];
        out[i] = sum;
    }
}
static void shuffle_sum(const float *in, float *out) {
#pragma omp parallel for
    for (int i = 0; i < VECTOR / 32; i++) {
        float sum = 0;
#pragma omp simd reduction(+ : sum)
        for (int j = 0; j < 32; j++) sum += in[i * 32 + j];
        out[i] = sum;
    }
}
static void histogram(const unsigned char *in, unsigned *out, int n) {
#pragma omp parallel
    {
        unsigned bins[BINS] = {};
#pragma omp for
        for (int i = 0; i < n; i++) bins[in[i]]++;
        for (int i = 0; i < BINS; i++) __atomic_fetch_add(&out[i], bins[i], __ATOMIC_RELAXED);
    }
}
static void sort(int *values) {
#pragma omp parallel for
    for (int i = 0; i < VECTOR / 4 / SORTED; i++) std::sort(values + i * SORTED, values + (i + 1) * SORTED);
}
static void mandelbrot(int *out, int n) {
#pragma omp parallel for schedule(dynamic, 8)
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) {
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
}
static void nbody(const float *bodies, float *out, int n) {
#pragma omp parallel for
    for (int i = 0; i < n; i++) {
        float x = 0, y = 0, z = 0;
#pragma omp simd reduction(+ : x, y, z)
        for (int j = 0; j < n; j++) {
            const float dx = bodies[4 * j] - bodies[4 * i], dy = bodies[4 * j + 1] - bodies[4 * i + 1],
                        dz = bodies[4 * j + 2] - bodies[4 * i + 2];
            const float square = dx * dx + dy * dy + dz * dz + 0.01f, root = 1 / sqrtf(square),
                        pull = bodies[4 * j + 3] * root * root * root;
            x += dx * pull, y += dy * pull, z += dz * pull;
        }
        out[4 * i] = x, out[4 * i + 1] = y, out[4 * i + 2] = z, out[4 * i + 3] = 0;
    }
}
static void sparse(const int *begin, const int *column, const float *value, const float *x, float *y, int rows) {
#pragma omp parallel for
    for (int row = 0; row < rows; row++) {
        float sum = 0;
        for (int at = begin[row]; at < begin[row + 1]; at++) sum += value[at] * x[column[at]];
        y[row] = sum;
    }
}
static void blur(const unsigned char *in, unsigned char *out, int n) {
#pragma omp parallel for
    for (int y = 1; y < n - 1; y++)
        for (int x = 1; x < n - 1; x++) {
            int sum = 0;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++) sum += in[(y + dy) * n + x + dx];
            out[y * n + x] = (unsigned char)(sum / 9);
        }
}
static void collatz(int *out, int n) {
#pragma omp parallel for schedule(dynamic, 1024)
    for (int i = 0; i < n; i++) {
        unsigned x = unsigned(i) + 1;
        int steps = 0;
        for (; x != 1; steps++) x = x & 1 ? 3 * x + 1 : x / 2;
        out[i] = steps;
    }
}
static void scan(const int *in, int *out) {
#pragma omp parallel for
    for (int i = 0; i < VECTOR; i += 256) {
        int sum = 0;
        for (int j = i; j < i + 256; j++) out[j] = sum += in[j];
    }
}
#endif

int main(int argc, char **argv) {
    wanted = argc > 1 ? argv[1] : nullptr;
    const auto a = floats(VECTOR, 1), b = floats(VECTOR, 2);
    std::vector<float> c(VECTOR), pulls(4 * BODIES);
    std::vector<unsigned> bins(BINS);
    const std::vector<int> values = ints(VECTOR, 1 << 30), small = ints(VECTOR, 100);
    std::vector<int> sorted = values, counts(VECTOR);
    const auto bytes = bytes_of(VECTOR);
    std::vector<unsigned char> blurred(VECTOR);
    const int n = MATRIX;
    measure("vadd", c.data(), VECTOR, [&] { vadd(a.data(), b.data(), c.data(), VECTOR); });
    measure("stencil", c.data(), VECTOR, [&] { stencil(a.data(), c.data(), VECTOR); });
    measure("product 16", c.data(), n * n, [&] { product<16>(a.data(), b.data(), c.data(), n); });
    measure("product 32", c.data(), n * n, [&] { product<32>(a.data(), b.data(), c.data(), n); });
    measure("plain product", c.data(), n * n, [&] { plain_product(a.data(), b.data(), c.data(), n); });
    measure("transpose", c.data(), VECTOR, [&] { transpose(a.data(), c.data(), IMAGE); });
    measure("reduce", c.data(), VECTOR / 512, [&] { reduce(a.data(), c.data()); });
    measure("shuffle sum", c.data(), VECTOR / 32, [&] { shuffle_sum(a.data(), c.data()); });
    measure("histogram", bins.data(), BINS, [&] {
        std::fill(bins.begin(), bins.end(), 0);
        histogram(bytes.data(), bins.data(), VECTOR);
    });
    measure("sort", sorted.data(), VECTOR / 4, [&] {
        std::copy(values.begin(), values.begin() + VECTOR / 4, sorted.begin());
        sort(sorted.data());
    });
    measure("mandelbrot", counts.data(), FRACTAL * FRACTAL, [&] { mandelbrot(counts.data(), FRACTAL); });
    measure("nbody", pulls.data(), 4 * BODIES, [&] { nbody(a.data(), pulls.data(), BODIES); });
    const Sparse rows(ROWS);
    measure("sparse", c.data(), ROWS, [&] { sparse(rows.begin.data(), rows.column.data(), rows.value.data(), a.data(), c.data(), ROWS); });
    measure("blur", blurred.data(), VECTOR, [&] { blur(bytes.data(), blurred.data(), IMAGE); });
    measure("collatz", counts.data(), OPTIONS, [&] { collatz(counts.data(), OPTIONS); });
    measure("scan", counts.data(), VECTOR, [&] { scan(small.data(), counts.data()); });
}
