/* reductions.c: reductions of all operations and types, of arrays, by programs, in loops, sections, regions and nested ones. */
#include <complex.h>
#include <limits.h>
#include <omp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEAM = 7, COUNT = 500 };

#define ALL(type, format)                                                                                                           \
    {                                                                                                                               \
        type sum = 3, difference = 4, product = 1, least = 100, most = -100;                                                        \
        _Pragma("omp parallel for num_threads(TEAM) schedule(dynamic) reduction(+:sum) reduction(-:difference) reduction(*:product) reduction(min:least) reduction(max:most)") for (int i = 1; i <= 60; ++i) {              \
            const type value = (type)(i * 7 % 61 - 20);                                                                             \
            sum += value;                                                                                                           \
            difference -= value;                                                                                                    \
            product *= (type)(i % 10 == 0 ? 2 : 1);                                                                                 \
            if (value < least) least = value;                                                                                       \
            if (value > most) most = value;                                                                                         \
        }                                                                                                                           \
        printf(#type ": " format " " format " " format " " format " " format "\n", sum, difference, product, least, most);          \
    }
#define BITS(type, format)                                                                                                   \
    {                                                                                                                        \
        type both = (type)~0u, any = 0, odd = 0x55;                                                                          \
        _Pragma("omp parallel for num_threads(TEAM) reduction(& : both) reduction(| : any) reduction(^ : odd)") for (int i = 0; i < COUNT; ++i) { \
            both &= (type)(i | 0x70);                                                                                        \
            any |= (type)(i & 0x2d);                                                                                         \
            odd ^= (type)(i * i);                                                                                            \
        }                                                                                                                    \
        printf(#type ": " format " " format " " format "\n", both, any, odd);                                                \
    }

static void types(void) {
    ALL(signed char, "%hhd")
    ALL(short, "%hd")
    ALL(int, "%d")
    ALL(long, "%ld")
    ALL(long long, "%lld")
    ALL(float, "%g")
    ALL(double, "%g")
    BITS(unsigned char, "%#hhx")
    BITS(unsigned short, "%#hx")
    BITS(unsigned, "%#x")
    BITS(unsigned long long, "%#llx")
    bool every = true, some = false;
    double complex turned = 1, sum = 0;
#pragma omp parallel for num_threads(TEAM) reduction(&& : every) reduction(|| : some) reduction(+ : sum) reduction(* : turned)
    for (int i = 0; i < 64; ++i) {
        every = every && i < 64;
        some = some || i == 63;
        sum += i + 2 * I * i;
        turned *= i % 8 == 0 ? I : 1;
    }
    printf("every %d some %d complex %g%+gi %g%+gi\n", every, some, creal(sum), cimag(sum), creal(turned), cimag(turned));
}

static int histogram[10], grid[3][4];
static void arrays(void) {
    int local[6] = {1, 2, 3, 4, 5, 6};
    long *heap = calloc(8, sizeof *heap);
#pragma omp parallel for num_threads(TEAM) reduction(+ : histogram, grid, local) reduction(max : heap[1 : 6])
    for (int i = 0; i < COUNT; ++i) {
        ++histogram[i * i % 10];
        grid[i % 3][i % 4] += i;
        local[i % 6] -= i;
        if (heap[1 + i % 6] < i) heap[1 + i % 6] = i;
    }
    printf("histogram");
    for (int i = 0; i < 10; ++i) printf(" %d", histogram[i]);
    printf("\ngrid");
    for (int i = 0; i < 12; ++i) printf(" %d", grid[i / 4][i % 4]);
    printf("\nlocal");
    for (int i = 0; i < 6; ++i) printf(" %d", local[i]);
    printf("\nheap");
    for (int i = 0; i < 8; ++i) printf(" %ld", heap[i]);
    printf("\n");
    free(heap);
}

struct extent {
    int least, most;
    char text[20]; /* larger than any atomic operation */
};
static void extend(struct extent *out, const struct extent *in) {
    if (in->least < out->least) out->least = in->least;
    if (in->most > out->most) out->most = in->most;
    if (strcmp(in->text, out->text) > 0) strcpy(out->text, in->text);
}
#pragma omp declare reduction(extend : struct extent : extend(&omp_out, &omp_in)) initializer(omp_priv = {INT_MAX, INT_MIN, ""})
static unsigned gcd(unsigned a, unsigned b) { return b ? gcd(b, a % b) : a; }
#pragma omp declare reduction(gcd : unsigned : omp_out = gcd(omp_out, omp_in)) initializer(omp_priv = 0)

static void own(void) {
    struct extent extent = {INT_MAX, INT_MIN, "a"};
    unsigned common = 0;
#pragma omp parallel for num_threads(TEAM) reduction(extend : extent) reduction(gcd : common) schedule(guided)
    for (int i = 0; i < 100; ++i) {
        struct extent one = {i * 37 % 101, i * 53 % 103, ""};
        snprintf(one.text, sizeof one.text, "text %d", i * 7 % 100);
        extend(&extent, &one);
        common = gcd(common, (unsigned)(i * 84 + 126));
    }
    printf("extent %d %d \"%s\" gcd %u\n", extent.least, extent.most, extent.text, common);
}

static void constructs(void) {
    int regions = 0, sections = 0, twice = 0, nested = 0;
#pragma omp parallel num_threads(TEAM) reduction(+ : regions)
    regions += omp_get_thread_num() + 1;
#pragma omp parallel sections num_threads(TEAM) reduction(+ : sections)
    {
#pragma omp section
        sections += 1;
#pragma omp section
        sections += 20;
#pragma omp section
        sections += 300;
    }
#pragma omp parallel num_threads(TEAM)
    for (int round = 0; round < 20; ++round) {
#pragma omp for reduction(+ : twice) nowait
        for (int i = 0; i < 10; ++i) twice += i;
#pragma omp barrier
    }
    omp_set_max_active_levels(3);
#pragma omp parallel num_threads(3) reduction(+ : nested)
    {
        int inner = 0;
#pragma omp parallel for num_threads(4) reduction(+ : inner)
        for (int i = 0; i < 25; ++i) inner += i;
        nested += inner * (omp_get_thread_num() + 1);
    }
    int simd = 0;
#pragma omp simd reduction(+ : simd)
    for (int i = 0; i < 333; ++i) simd += i ^ 5;
    int scanned[40], running = 0, wrong = 0;
#pragma omp parallel for num_threads(TEAM) reduction(inscan, + : running)
    for (int i = 0; i < 40; ++i) {
        running += i;
#pragma omp scan inclusive(running)
        scanned[i] = running;
    }
    for (int i = 0; i < 40; ++i) wrong += scanned[i] != i * (i + 1) / 2;
    printf("regions %d sections %d twice %d nested %d simd %d scan wrong %d\n", regions, sections, twice, nested, simd, wrong);
}

/* Reductions over tasks: in taskgroups, loops of tasks, regions and loops. */
static int tree(int depth, int *total) {
    if (depth == 0) return 1;
#pragma omp taskgroup task_reduction(+ : total[0])
    {
        for (int i = 0; i < 3; ++i)
#pragma omp task in_reduction(+ : total[0]) firstprivate(i)
        {
            int below = 0;
            tree(depth - 1, &below);
            total[0] += below + i + 1;
        }
    }
    return total[0];
}
static void tasks(void) {
    int sum = 5, product = 1, loop = 0, region = 0, work = 0;
    long long list[3] = {0};
#pragma omp parallel num_threads(TEAM)
#pragma omp single
    {
#pragma omp taskgroup task_reduction(+ : sum, list) task_reduction(* : product)
        for (int i = 0; i < 60; ++i)
#pragma omp task in_reduction(+ : sum, list) in_reduction(* : product) firstprivate(i)
        {
            sum += i;
            list[i % 3] += i;
            if (i % 20 == 0) product *= 3;
#pragma omp task in_reduction(+ : sum)
            sum += 1000;
        }
#pragma omp taskloop reduction(+ : loop) grainsize(7)
        for (int i = 0; i < 200; ++i) loop += i;
    }
    int none = 3;
    volatile int few = 0;
#pragma omp parallel num_threads(TEAM)
#pragma omp single
#pragma omp taskloop reduction(+ : none)
    for (int i = 0; i < few; ++i) none += i;
    printf("no iterations %d\n", none);
    printf("taskgroup %d %lld %lld %lld %d taskloop %d\n", sum, list[0], list[1], list[2], product, loop);
#pragma omp parallel num_threads(TEAM) reduction(task, + : region)
    {
#pragma omp task in_reduction(+ : region)
        region += 10;
#pragma omp for reduction(task, + : work) schedule(dynamic)
        for (int i = 0; i < 30; ++i) {
#pragma omp task in_reduction(+ : work) firstprivate(i)
            work += i;
        }
        region += 1;
    }
    printf("region %d loop %d\n", region, work);
    int total = 0;
#pragma omp parallel num_threads(TEAM)
#pragma omp single
    tree(4, &total);
    printf("tree %d\n", total);
}

int main(void) {
    types();
    arrays();
    own();
    constructs();
    tasks();
    return 0;
}
