/* loops.c: what gcc calls for loops whose counter is a `long`, and for those that are a whole parallel region. */
#include <stdarg.h>

#include "across.h"
#include "openmp.h"
#include "share.h"

#define NUMBER long
#define COUNT unsigned long
#define LOOP(name) long_##name
#define PUBLIC(name) GOMP_loop_##name
#define UP_PARAMETER
#define UP_ARGUMENT
#define IS_UP (step > 0)
#include "loops.h"

/* A region that is one loop: the members begin in it. */
static void begin_region(void (*function)(void *), void *data, unsigned threads, long start, long end, long step, omp_sched_t schedule,
                         long chunk) {
    struct team *team = omp_new_team(threads);
    team->begins_in_share = true;
    team->shares[0].turn = 2;
    long_set(&team->shares[0], team->threads, step > 0, start, end, step, schedule, chunk);
    omp_start_team(team, function, data);
}
static void do_region(void (*function)(void *), void *data, unsigned threads, long start, long end, long step, omp_sched_t schedule,
                      long chunk) {
    begin_region(function, data, threads, start, end, step, schedule, chunk);
    function(data);
    omp_end_team();
}

#define REGION(name, schedule)                                                                                                    \
    GOMP(void, parallel_loop_##name,                                                                                              \
         (void (*function)(void *), void *data, unsigned threads, long start, long end, long step, long chunk, unsigned flags)) { \
        (void)flags;                                                                                                              \
        do_region(function, data, threads, start, end, step, schedule, chunk);                                                    \
    }                                                                                                                             \
    GOMP(void, parallel_loop_##name##_start,                                                                                      \
         (void (*function)(void *), void *data, unsigned threads, long start, long end, long step, long chunk)) {                 \
        begin_region(function, data, threads, start, end, step, schedule, chunk);                                                 \
    }
#define REGION_AS_SET(name)                                                                                           \
    GOMP(void, parallel_loop_##name,                                                                                  \
         (void (*function)(void *), void *data, unsigned threads, long start, long end, long step, unsigned flags)) { \
        const struct settings *settings = &omp_task(omp_self())->settings;                                            \
        (void)flags;                                                                                                  \
        do_region(function, data, threads, start, end, step, settings->schedule, (long)settings->chunk);              \
    }
REGION(static, omp_sched_static)
REGION(dynamic, omp_sched_dynamic)
REGION(guided, omp_sched_guided)
REGION(nonmonotonic_dynamic, omp_sched_dynamic)
REGION(nonmonotonic_guided, omp_sched_guided)
REGION_AS_SET(runtime)
REGION_AS_SET(nonmonotonic_runtime)
REGION_AS_SET(maybe_nonmonotonic_runtime)
GOMP(void, parallel_loop_runtime_start, (void (*function)(void *), void *data, unsigned threads, long start, long end, long step)) {
    const struct settings *settings = &omp_task(omp_self())->settings;
    begin_region(function, data, threads, start, end, step, settings->schedule, (long)settings->chunk);
}

GOMP(void, doacross_post, (long *place)) {
    const unsigned dimensions = omp_dimensions();
    wide numbers[dimensions + 1];
    for (unsigned i = 0; i < dimensions; ++i) numbers[i] = (wide)place[i];
    omp_post(numbers);
}
GOMP(void, doacross_wait, (long first, ...)) {
    const unsigned dimensions = omp_dimensions();
    wide numbers[dimensions + 1];
    va_list others;
    numbers[0] = (wide)first;
    va_start(others, first);
    for (unsigned i = 1; i < dimensions; ++i) numbers[i] = (wide)va_arg(others, long);
    va_end(others);
    omp_wait_for_post(numbers);
}
