/* openmp.c: what OpenMP's constructs cost, and loops that are shared out. `openmp NAME THREADS COUNT` does it that often, and prints the seconds that it
 * took and a checksum, which is the same for any number of threads. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int threads;
static long count;

static double regions(void) {
    long sum = 0;
    for (long i = 0; i < count; ++i) {
#pragma omp parallel num_threads(threads)
        if (omp_get_thread_num() == 0) ++sum;
    }
    return (double)sum;
}
static double barriers(void) {
    long sum = 0;
#pragma omp parallel num_threads(threads)
    for (long i = 0; i < count; ++i) {
#pragma omp barrier
        if (omp_get_thread_num() == 0) ++sum;
    }
    return (double)sum;
}
static double criticals(void) {
    long sum = 0;
#pragma omp parallel for num_threads(threads)
    for (long i = 0; i < count; ++i) {
#pragma omp critical
        ++sum;
    }
    return (double)sum;
}
static double dynamic(void) {
    long sum = 0;
#pragma omp parallel for num_threads(threads) schedule(dynamic) reduction(+ : sum)
    for (long i = 0; i < count; ++i) sum += i & 7;
    return (double)sum;
}
static double sums(void) {
    long sum = 0;
    for (long i = 0; i < count; ++i) {
#pragma omp parallel num_threads(threads) reduction(+ : sum)
        sum += omp_get_thread_num() == 0;
    }
    return (double)sum;
}

/* A plate of `size` by `size` points, single floats. */
enum { MOST = 1024 };
static float plates[2][MOST * MOST];
static double stencil_of(int size) {
    for (int i = 0; i < size; ++i) plates[0][i * size] = plates[1][i * size] = 1;
#pragma omp parallel num_threads(threads)
    for (long step = 0; step < count; ++step) {
        float(*const from)[size] = (float(*)[size])plates[step % 2], (*const to)[size] = (float(*)[size])plates[1 - step % 2];
#pragma omp for schedule(static)
        for (int i = 1; i < size - 1; ++i)
            for (int k = 1; k < size - 1; ++k) to[i][k] = 0.25f * (from[i - 1][k] + from[i + 1][k] + from[i][k - 1] + from[i][k + 1]);
    }
    double sum = 0;
    for (int i = 0; i < size * size; ++i) sum += plates[count % 2][i];
    return sum;
}
static double stencil(void) { return stencil_of(256); }
static double large_stencil(void) { return stencil_of(MOST); }

enum { ORDER = 192 };
static int left[ORDER][ORDER], right[ORDER][ORDER], product[ORDER][ORDER];
static double matrices(void) {
    for (int i = 0; i < ORDER * ORDER; ++i) left[i / ORDER][i % ORDER] = i % 17 - 8, right[i / ORDER][i % ORDER] = i % 13 - 6;
    for (long round = 0; round < count; ++round) {
#pragma omp parallel for num_threads(threads) schedule(static)
        for (int i = 0; i < ORDER; ++i)
            for (int k = 0; k < ORDER; ++k) {
                int sum = 0;
                for (int m = 0; m < ORDER; ++m) sum += left[i][m] * right[m][k];
                product[i][k] = sum;
            }
    }
    double sum = 0;
    for (int i = 0; i < ORDER * ORDER; ++i) sum += product[i / ORDER][i % ORDER];
    return sum;
}

enum { BODIES = 1024 };
static float place[BODIES][3], speed[BODIES][3];
static double bodies(void) {
    for (int i = 0; i < BODIES; ++i)
        for (int d = 0; d < 3; ++d) place[i][d] = (float)((i * 7919 + d * 104729) % 1000) / 1000;
#pragma omp parallel num_threads(threads)
    for (long step = 0; step < count; ++step) {
#pragma omp for schedule(static)
        for (int i = 0; i < BODIES; ++i) {
            float force[3] = {0};
            for (int k = 0; k < BODIES; ++k) {
                float away[3], square = 0.01f;
                for (int d = 0; d < 3; ++d) away[d] = place[k][d] - place[i][d], square += away[d] * away[d];
                const float pull = 1 / (square * square);
                for (int d = 0; d < 3; ++d) force[d] += pull * away[d];
            }
            for (int d = 0; d < 3; ++d) speed[i][d] += 1e-6f * force[d];
        }
#pragma omp for schedule(static)
        for (int i = 0; i < BODIES; ++i)
            for (int d = 0; d < 3; ++d) place[i][d] += speed[i][d];
    }
    double sum = 0;
    for (int i = 0; i < BODIES * 3; ++i) sum += place[i / 3][i % 3];
    return sum;
}

static unsigned numbers[1 << 21];
static double sum_of(int many) {
    unsigned total = 0;
    for (int i = 0; i < many; ++i) numbers[i] = (unsigned)i * 2654435761u;
    for (long round = 0; round < count; ++round) {
        unsigned sum = 0;
#pragma omp parallel for num_threads(threads) schedule(static) reduction(+ : sum)
        for (int i = 0; i < many; ++i) sum += numbers[i] ^ (unsigned)round;
        total += sum;
    }
    return total;
}
static double reductions(void) { return sum_of(1 << 16); }
static double large_reductions(void) { return sum_of(1 << 21); }

static long fib(int n) {
    if (n < 2) return n;
    long a, b;
#pragma omp task shared(a)
    a = fib(n - 1);
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}
static double tasks(void) {
    long sum = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    sum = fib((int)count);
    return (double)sum;
}

static const struct {
    const char *name;
    double (*work)(void);
} kinds[] = {{"regions", regions},
             {"barriers", barriers},
             {"criticals", criticals},
             {"dynamic", dynamic},
             {"sums", sums},
             {"stencil", stencil},
             {"large_stencil", large_stencil},
             {"matrices", matrices},
             {"bodies", bodies},
             {"reductions", reductions},
             {"large_reductions", large_reductions},
             {"tasks", tasks}};

int main(int argc, char **argv) {
    if (argc != 4) return 2;
    threads = atoi(argv[2]);
    count = atol(argv[3]);
    int team = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    team = omp_get_num_threads();
    if (team != threads) return 3;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; ++i)
        if (strcmp(argv[1], kinds[i].name) == 0) {
            const double begin = omp_get_wtime(), result = kinds[i].work();
            printf("%.9f %.6g\n", omp_get_wtime() - begin, result);
            return 0;
        }
    return 2;
}
