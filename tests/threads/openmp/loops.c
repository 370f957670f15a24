/* loops.c: loops of all schedules, kinds of counters and ends: each iteration is done once, and by whom where OpenMP says it. */
#include <limits.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

enum { TEAM = 5, MOST = 1000 };

static unsigned char done[MOST];
static int owner[MOST];

static void mark(long place) {
    if (place < 0 || place >= MOST) {
        printf("beyond: %ld\n", place);
        return;
    }
#pragma omp atomic
    ++done[place];
    owner[place] = omp_get_thread_num();
}
static void clear(void) {
    memset(done, 0, sizeof done);
    memset(owner, -1, sizeof owner);
}
static void show(const char *name, int count) {
    int wrong = 0;
    for (int i = 0; i < MOST; ++i) wrong += done[i] != (i < count);
    printf("%s %d: %s\n", name, count, wrong ? "WRONG" : "each once");
    clear();
}
static void show_owners(const char *name, int count) {
    printf("%s:", name);
    for (int i = 0; i < count; ++i) printf(" %d", owner[i]);
    printf("\n");
    show(name, count);
}

#define EACH_COUNT(count) for (int which = 0, count; which < 6 && (count = (const int[]){0, 1, 4, 5, 37, MOST}[which], 1); ++which)

#define SCHEDULE(name, ...)                                                  \
    EACH_COUNT(count) {                                                      \
        _Pragma("omp parallel num_threads(TEAM)") {                          \
            _Pragma(#__VA_ARGS__) for (int i = 0; i < count; ++i) mark(i);   \
        }                                                                    \
        show(name, count);                                                   \
    }

static void schedules(void) {
    SCHEDULE("static", omp for schedule(static))
    SCHEDULE("static 1", omp for schedule(static, 1))
    SCHEDULE("static 7", omp for schedule(static, 7))
    SCHEDULE("dynamic", omp for schedule(dynamic))
    SCHEDULE("dynamic 3", omp for schedule(dynamic, 3))
    SCHEDULE("guided", omp for schedule(guided))
    SCHEDULE("guided 5", omp for schedule(guided, 5))
    SCHEDULE("auto", omp for schedule(auto))
    SCHEDULE("monotonic", omp for schedule(monotonic : dynamic, 2))
    SCHEDULE("nonmonotonic", omp for schedule(nonmonotonic : guided))
    SCHEDULE("nowait", omp for schedule(dynamic) nowait)
    SCHEDULE("simd", omp for simd schedule(simd : static, 3))
    SCHEDULE("loop", omp loop bind(parallel))
    for (int kind = omp_sched_static; kind <= omp_sched_auto; ++kind)
        for (int chunk = 0; chunk < 9; chunk += 4) {
            omp_set_schedule(kind, chunk);
            SCHEDULE("runtime", omp for schedule(runtime))
        }
}

/* Whose iterations they are is what OpenMP says for static schedules. */
static void owners(void) {
#pragma omp parallel for schedule(static) num_threads(TEAM)
    for (int i = 0; i < 23; ++i) mark(i);
    show_owners("static", 23);
#pragma omp parallel for schedule(static, 3) num_threads(TEAM)
    for (int i = 0; i < 23; ++i) mark(i);
    show_owners("static 3", 23);
    omp_set_schedule(omp_sched_static, 2);
#pragma omp parallel for schedule(runtime) num_threads(TEAM)
    for (int i = 0; i < 23; ++i) mark(i);
    show_owners("runtime static 2", 23);
#pragma omp parallel for collapse(2) schedule(static, 4) num_threads(TEAM)
    for (int i = 0; i < 5; ++i)
        for (int k = 0; k < 5; ++k) mark(5 * i + k);
    show_owners("collapse", 25);
    /* Two loops of the same size have the same owners, so nobody need wait between them. */
    int first[40];
#pragma omp parallel num_threads(TEAM)
    {
#pragma omp for schedule(static) nowait
        for (int i = 0; i < 40; ++i) first[i] = omp_get_thread_num();
#pragma omp for schedule(static) nowait
        for (int i = 0; i < 40; ++i)
            if (first[i] == omp_get_thread_num()) mark(i);
    }
    show("nowait twice", 40);
}

static void counters(void) {
#pragma omp parallel for schedule(dynamic, 3) num_threads(TEAM)
    for (int i = 99; i >= 0; i -= 3) mark(i / 3);
    show("down", 34);
#pragma omp parallel for schedule(guided) num_threads(TEAM)
    for (unsigned i = 10; i < 1000; i += 7) mark((i - 10) / 7);
    show("unsigned", 142);
#pragma omp parallel for schedule(static, 2) num_threads(TEAM)
    for (long long i = LLONG_MAX - 50; i < LLONG_MAX - 3; i += 5) mark((i - (LLONG_MAX - 50)) / 5);
    show("long long at its end", 10);
#pragma omp parallel for schedule(dynamic, 4) num_threads(TEAM)
    for (long long i = LLONG_MIN + 40; i > LLONG_MIN + 2; i -= 4) mark(((LLONG_MIN + 40) - i) / 4);
    show("long long down", 10);
#pragma omp parallel for schedule(dynamic) num_threads(TEAM)
    for (unsigned long long i = 1ull << 63; i < (1ull << 63) + 30; ++i) mark((long)(i - (1ull << 63)));
    show("unsigned long long", 30);
#pragma omp parallel for schedule(guided, 1000) num_threads(TEAM)
    for (unsigned long long i = 0; i < 3ull << 32; i += 1ull << 30) mark((long)(i >> 30));
    show("far apart", 12);
#pragma omp parallel for schedule(dynamic, 1 << 20) num_threads(TEAM)
    for (unsigned long long i = 0; i < (1ull << 35) + 1; i += 1ull << 30) mark((long)(i >> 30));
    show("chunk beyond all", 33);
#pragma omp parallel for schedule(dynamic, 5) num_threads(TEAM)
    for (int i = INT_MIN; i < INT_MAX - (1 << 26); i += 1 << 26) mark((int)((i - (long long)INT_MIN) >> 26));
    show("all of int", 63);
#pragma omp parallel for schedule(dynamic) num_threads(TEAM)
    for (unsigned char i = 250; i < 255; ++i) mark(i - 250);
    show("unsigned char", 5);
    static const char text[] = "pointers count as well";
#pragma omp parallel for schedule(dynamic, 2) num_threads(TEAM)
    for (const char *at = text; at < text + sizeof text; ++at) mark(at - text);
    show("pointer", sizeof text);
#pragma omp parallel for collapse(3) schedule(dynamic) num_threads(TEAM)
    for (int i = 3; i > 0; --i)
        for (unsigned k = 0; k < 4; ++k)
            for (long long m = -6; m < 6; m += 3) mark((3 - i) * 16 + (int)k * 4 + (int)(m + 6) / 3);
    show("collapse of three", 48);
#pragma omp parallel for collapse(2) num_threads(TEAM)
    for (int i = 0; i < 9; ++i)
        for (int k = 0; k <= i; ++k) mark(i * (i + 1) / 2 + k);
    show("triangle", 45);
}

static void privates(void) {
    int last = -1, first = 100, sum = 0;
    long linear = 7;
#pragma omp parallel for lastprivate(last) firstprivate(first) reduction(+ : sum) schedule(dynamic, 3) num_threads(TEAM)
    for (int i = 0; i < 77; ++i) {
        last = i + first;
        sum += i;
    }
    printf("last %d first %d sum %d\n", last, first, sum);
#pragma omp parallel for linear(linear : 3) num_threads(TEAM) schedule(dynamic)
    for (int i = 0; i < 50; ++i)
        if (linear == 7 + 3 * i) mark(i);
    show("linear", 50);
    printf("linear %ld\n", linear);
    int conditional = 0;
#pragma omp parallel for lastprivate(conditional : conditional) schedule(dynamic) num_threads(TEAM)
    for (int i = 0; i < 60; ++i)
        if (i % 7 == 3) conditional = i;
    printf("last of some %d\n", conditional);
}

static void orders(void) {
    static int list[200];
    for (int kind = 0; kind < 4; ++kind) {
        int used = 0;
        omp_set_schedule(kind == 0 ? omp_sched_static : kind == 1 ? omp_sched_dynamic : omp_sched_guided, kind == 3 ? 1 : 0);
#pragma omp parallel num_threads(TEAM)
        {
#pragma omp for ordered schedule(runtime)
            for (int i = 0; i < 100; ++i) {
                mark(i);
#pragma omp ordered
                list[used++] = i;
            }
#pragma omp for ordered schedule(static, 3)
            for (int i = 0; i < 60; ++i) {
                if (i % 4 == 3) continue; /* not all iterations have the region */
#pragma omp ordered
                list[used++] = i + 1000;
            }
        }
        show("ordered", 100);
        int wrong = used != 145;
        for (int i = 1; i < used; ++i) wrong += list[i] <= list[i - 1];
        printf("in order: %d, wrong %d\n", used, wrong);
    }
    long long next = 1ll << 40;
    int wrong = 0;
#pragma omp parallel for ordered schedule(dynamic, 2) num_threads(TEAM)
    for (long long i = 1ll << 40; i < (1ll << 40) + 50; ++i) {
#pragma omp ordered
        wrong += next++ != i;
    }
    printf("ordered long long: wrong %d\n", wrong);
}

/* More loops at once than the library has places for. */
static void many(void) {
    static int counts[64];
#pragma omp parallel num_threads(TEAM)
    for (int loop = 0; loop < 64; ++loop) {
#pragma omp for schedule(dynamic) nowait
        for (int i = 0; i < 9; ++i)
#pragma omp atomic
            ++counts[loop];
    }
    int wrong = 0;
    for (int i = 0; i < 64; ++i) wrong += counts[i] != 9;
    printf("64 loops without waiting: wrong %d\n", wrong);
    /* Outside of regions a team of one does it all. */
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 20; ++i) mark(i);
    show_owners("orphaned", 20);
#pragma omp parallel for if (counts[0] == 0) schedule(dynamic)
    for (int i = 0; i < 20; ++i) mark(i);
    show_owners("if", 20);
}

int main(void) {
    clear();
    schedules();
    owners();
    counters();
    privates();
    orders();
    many();
    return 0;
}
