/* regions.c: parallel regions, alone and in each other, and what their threads do together: sections, single, masters, critical, atomic, barriers,
 * threadprivate. */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEAM = 6 };

static void teams(void) {
    for (int threads = 1; threads <= 40; threads += 13) {
        char seen[40] = "";
        int teams_size = 0;
#pragma omp parallel num_threads(threads)
        {
            seen[omp_get_thread_num()] = 1;
#pragma omp single
            teams_size = omp_get_num_threads();
        }
        int wrong = 0;
        for (int i = 0; i < 40; ++i) wrong += seen[i] != (i < threads);
        printf("team of %d: %d, wrong %d\n", threads, teams_size, wrong);
    }
    /* Larger and smaller ones by turns: threads are kept for the next. */
    int sum = 0;
    for (int round = 0; round < 200; ++round) {
#pragma omp parallel num_threads(1 + round * 7 % 9) reduction(+ : sum)
        sum += omp_get_thread_num() + 1;
    }
    printf("rounds %d in parallel %d\n", sum, omp_in_parallel());
#pragma omp parallel if (sum < 0) num_threads(TEAM)
    printf("if: %d of %d, level %d, active %d\n", omp_get_thread_num(), omp_get_num_threads(), omp_get_level(), omp_in_parallel());
}

static void nested(void) {
    int seen[2][3][2] = {0}, wrong = 0;
    omp_set_max_active_levels(3);
#pragma omp parallel num_threads(2) reduction(+ : wrong)
    {
        const int outer = omp_get_thread_num();
#pragma omp parallel num_threads(3) reduction(+ : wrong)
        {
            const int middle = omp_get_thread_num();
#pragma omp parallel num_threads(2) reduction(+ : wrong)
            {
                const int inner = omp_get_thread_num();
#pragma omp atomic
                ++seen[outer][middle][inner];
                wrong += omp_get_level() != 3 || omp_get_active_level() != 3;
                wrong += omp_get_ancestor_thread_num(0) != 0 || omp_get_ancestor_thread_num(1) != outer ||
                         omp_get_ancestor_thread_num(2) != middle || omp_get_ancestor_thread_num(3) != inner ||
                         omp_get_ancestor_thread_num(4) != -1;
                wrong += omp_get_team_size(0) != 1 || omp_get_team_size(1) != 2 || omp_get_team_size(2) != 3 || omp_get_team_size(3) != 2 ||
                         omp_get_team_size(-1) != -1;
                /* One more is not active. */
#pragma omp parallel num_threads(4) reduction(+ : wrong)
                wrong += omp_get_num_threads() != 1 || omp_get_level() != 4 || omp_get_active_level() != 3;
            }
        }
    }
    for (int i = 0; i < 12; ++i) wrong += seen[i / 6][i / 2 % 3][i % 2] != 1;
    printf("nested: wrong %d\n", wrong);
    /* Those who begin inner regions again and again keep their threads. */
    int sum = 0;
#pragma omp parallel num_threads(3) reduction(+ : sum)
    for (int i = 0; i < 30; ++i) {
#pragma omp parallel num_threads(2 + i % 3) reduction(+ : sum)
        sum += 1;
    }
    printf("inner: %d\n", sum);
    omp_set_max_active_levels(1);
}

static void constructs(void) {
    int counts[5] = {0}, singles = 0, masters = 0, masked = 0, wrong = 0, copied[TEAM];
#pragma omp parallel num_threads(TEAM) reduction(+ : wrong)
    {
        for (int round = 0; round < 30; ++round) {
#pragma omp sections nowait
            {
#pragma omp section
#pragma omp atomic
                ++counts[0];
#pragma omp section
#pragma omp atomic
                ++counts[1];
#pragma omp section
#pragma omp atomic
                ++counts[2];
            }
#pragma omp single nowait
#pragma omp atomic
            ++singles;
        }
#pragma omp barrier
        wrong += counts[0] != 30 || counts[1] != 30 || counts[2] != 30 || singles != 30;
#pragma omp master
        masters += 1 + omp_get_thread_num();
#pragma omp masked filter(3)
        masked += omp_get_thread_num();
        for (int round = 0; round < 10; ++round) {
            int value, list[3];
            struct {
                char text[40];
            } large;
#pragma omp single copyprivate(value, list, large)
            {
                value = 100 * round;
                for (int i = 0; i < 3; ++i) list[i] = round + i;
                snprintf(large.text, sizeof large.text, "round %d", round);
            }
            char text[40];
            snprintf(text, sizeof text, "round %d", round);
            wrong += value != 100 * round || list[2] != round + 2 || strcmp(large.text, text) != 0;
            copied[omp_get_thread_num()] = value;
        }
    }
    for (int i = 0; i < TEAM; ++i) wrong += copied[i] != 900;
    printf("sections %d %d %d singles %d masters %d masked %d, wrong %d\n", counts[0], counts[1], counts[2], singles, masters, masked, wrong);
    /* More sections than threads, and fewer. */
    int many = 0;
#pragma omp parallel sections num_threads(2) reduction(+ : many)
    {
        many += 1;
#pragma omp section
        many += 2;
#pragma omp section
        many += 4;
#pragma omp section
        many += 8;
#pragma omp section
        many += 16;
    }
    printf("five sections %d\n", many);
}

static void exclusion(void) {
    long plain = 0, named = 0, other = 0, hinted = 0, ordered = 0, atomics[6] = {0};
    long long wide = 0;
    double real = 0;
    unsigned char small[4] = {0};
    struct {
        short a, b;
    } halves = {0};
    int captured[TEAM * 500] = {0}, most = 0, wrong = 0;
#pragma omp parallel num_threads(TEAM)
    for (int i = 0; i < 500; ++i) {
#pragma omp critical
        ++plain;
#pragma omp critical(name)
        ++named;
#pragma omp critical(other)
        other += 2;
#pragma omp critical(hint) hint(omp_sync_hint_contended)
        ++hinted;
        int got;
#pragma omp atomic capture
        got = atomics[0]++;
        captured[got] = 1;
#pragma omp atomic update seq_cst
        atomics[1] += 3;
#pragma omp atomic
        atomics[2] ^= i;
#pragma omp atomic
        wide += 1ll << 33;
#pragma omp atomic
        real += 0.5;
#pragma omp atomic
        ++small[1];
#pragma omp atomic
        small[2] |= 1 << i % 8;
#pragma omp atomic
        ++halves.b;
#pragma omp atomic compare
        if (most < i * 3) { most = i * 3; }
        long seen;
#pragma omp atomic read acquire
        seen = atomics[0];
        if (seen < 0 || seen > TEAM * 500) {
#pragma omp atomic write
            wrong = 1;
        }
    }
#pragma omp parallel for ordered num_threads(TEAM) schedule(dynamic)
    for (int i = 0; i < 50; ++i) {
#pragma omp ordered
        ordered = ordered * 3 + i;
    }
    for (int i = 0; i < TEAM * 500; ++i) wrong += !captured[i];
    printf("critical %ld %ld %ld %ld atomic %ld %ld %ld %lld %g %d %d %d %d, ordered %ld, most %d, wrong %d\n", plain, named, other, hinted, atomics[0],
           atomics[1], atomics[2], wide, real, small[0], small[1], small[2], halves.b, ordered, most, wrong);
}

static void barriers(void) {
    static int stage[64];
    int wrong = 0;
#pragma omp parallel num_threads(64) reduction(+ : wrong)
    for (int round = 1; round <= 20; ++round) {
        stage[omp_get_thread_num()] = round;
#pragma omp barrier
        wrong += stage[(omp_get_thread_num() * 7 + round) % 64] != round;
#pragma omp barrier
    }
    int flag = 0, data = 0;
#pragma omp parallel sections num_threads(2)
    {
#pragma omp section
        {
            data = 42;
#pragma omp flush(data)
#pragma omp atomic write release
            flag = 1;
        }
#pragma omp section
        {
            int seen = 0;
            while (!seen) {
#pragma omp atomic read acquire
                seen = flag;
            }
            wrong += data != 42;
        }
    }
    printf("barriers: wrong %d\n", wrong);
}

static int each = 5;
static long many[3] = {1, 2, 3};
#pragma omp threadprivate(each, many)
static void privates(void) {
    int wrong = 0, first = 7;
    omp_set_dynamic(0);
    each = 20;
#pragma omp parallel num_threads(TEAM) copyin(each)
    {
#pragma omp critical
        wrong += each != 20 || many[2] != 3;
        each += omp_get_thread_num();
        many[1] = -omp_get_thread_num();
    }
    /* They keep their values for the next region. */
    int sum = 0;
#pragma omp parallel num_threads(TEAM) reduction(+ : sum, wrong) firstprivate(first)
    {
        wrong += each != 20 + omp_get_thread_num() || many[1] != -omp_get_thread_num();
        first += omp_get_thread_num();
        sum += first;
#pragma omp single copyprivate(each)
        each = 99;
        wrong += each != 99;
    }
    printf("threadprivate: %d, first %d, sum %d, wrong %d\n", each, first, sum, wrong);
}

int main(void) {
    teams();
    nested();
    constructs();
    exclusion();
    barriers();
    privates();
    return 0;
}
