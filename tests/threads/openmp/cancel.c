/* cancel.c: regions, loops, sections and taskgroups that are cancelled: what is done at most and at least, and that all goes on behind it. */
#include <omp.h>
#include <stdio.h>

enum { TEAM = 5 };

static void regions(void) {
    int wrong = 0, behind = 0;
    for (int round = 0; round < 50; ++round) {
        int before = 0, after = 0;
#pragma omp parallel num_threads(TEAM) shared(before, after)
        {
#pragma omp atomic
            ++before;
#pragma omp barrier
            if (omp_get_thread_num() == round % TEAM) {
#pragma omp cancel parallel
#pragma omp atomic
                ++after; /* not reached */
            }
            for (;;) {
#pragma omp cancellation point parallel
            }
        }
        wrong += before != TEAM || after;
        ++behind;
    }
    /* Those who wait at a barrier leave it. */
    int passed = 0;
#pragma omp parallel num_threads(TEAM) shared(passed)
    {
        if (omp_get_thread_num() == 2) {
#pragma omp cancel parallel
        }
#pragma omp barrier
#pragma omp atomic
        ++passed;
    }
    printf("regions %d: passed %d, wrong %d\n", behind, passed, wrong);
}

static void loops(void) {
    int wrong = 0, sum = 0;
    for (int round = 0; round < 40; ++round) {
        int done = 0;
#pragma omp parallel num_threads(TEAM) shared(done)
        {
#pragma omp for schedule(dynamic)
            for (int i = 0; i < 10000000; ++i) {
#pragma omp atomic
                ++done;
                if (i == 20) {
#pragma omp cancel for
                }
#pragma omp cancellation point for
            }
            /* The region goes on, and so does the next loop. */
#pragma omp for reduction(+ : sum)
            for (int i = 0; i < 10; ++i) sum += i;
        }
        wrong += done < 21 || done >= 10000000;
    }
    int conditional = 0;
#pragma omp parallel for num_threads(TEAM) schedule(static, 1) reduction(+ : conditional)
    for (int i = 0; i < 50; ++i) {
#pragma omp cancel for if (i > 1000)
        ++conditional;
    }
    printf("loops: sum %d, conditional %d, wrong %d\n", sum, conditional, wrong);
}

static void sections(void) {
    int first = 0, wrong = 0, go_on = 0;
    for (int round = 0; round < 20; ++round) {
#pragma omp parallel num_threads(2) shared(first, go_on)
        {
#pragma omp sections
            {
#pragma omp section
                {
#pragma omp atomic
                    ++first;
#pragma omp cancel sections
                    wrong = 1;
                }
#pragma omp section
                for (;;) {
#pragma omp cancellation point sections
                }
            }
#pragma omp atomic
            ++go_on;
        }
    }
    printf("sections: first %d, go on %d, wrong %d\n", first, go_on, wrong);
}

static void groups(void) {
    int wrong = 0, others = 0, ended = 0, total = 0;
    for (int round = 0; round < 20; ++round) {
        int begun = 0;
#pragma omp parallel num_threads(TEAM) shared(begun, others, ended)
#pragma omp single
        {
#pragma omp taskgroup
            for (int i = 0; i < 200; ++i)
#pragma omp task shared(begun, ended) firstprivate(i)
            {
#pragma omp atomic
                ++begun;
                if (i == 3) {
#pragma omp cancel taskgroup
                }
                for (int k = 0; k < 100; ++k) {
#pragma omp cancellation point taskgroup
                }
#pragma omp atomic
                ++ended;
            }
            /* Tasks of another group are not concerned. */
#pragma omp taskgroup
            for (int i = 0; i < 10; ++i)
#pragma omp task shared(others)
#pragma omp atomic
                ++others;
        }
        wrong += begun < 1 || begun > 200;
        total += begun;
    }
    wrong += ended >= total; /* who cancelled at least has not come to the end */
    printf("groups: others %d, wrong %d\n", others, wrong);
    /* A search in a tree that ends when it has found something. */
    int found = 0;
#pragma omp parallel num_threads(TEAM)
#pragma omp single
#pragma omp taskgroup
    for (int i = 0; i < 50; ++i)
#pragma omp task shared(found) firstprivate(i)
    {
        if (i * i % 47 == 42) {
#pragma omp atomic write
            found = 1;
#pragma omp cancel taskgroup
        }
    }
    printf("found %d\n", found);
}

int main(void) {
    if (!omp_get_cancellation()) {
        printf("OMP_CANCELLATION is not set\n");
        return 1;
    }
    regions();
    loops();
    sections();
    groups();
    return 0;
}
