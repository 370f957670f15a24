/* loops.h: the functions of loops for one type of counter, which gcc calls by PUBLIC(name): `long`, whose direction is the sign of its
 * step, or `unsigned long long`, which has it as an argument of its own. Who includes this defines NUMBER, COUNT, LOOP, PUBLIC,
 * UP_PARAMETER, UP_ARGUMENT, IS_UP. */

static wide LOOP(iterations)(bool up, NUMBER start, NUMBER end, NUMBER step) {
    if (up ? start >= end : start <= end) return 0;
    const COUNT distance = up ? (COUNT)end - (COUNT)start : (COUNT)start - (COUNT)end, stride = up ? (COUNT)step : -(COUNT)step;
    return (distance - 1) / stride + 1;
}

static void LOOP(set)(struct share *share, unsigned threads, bool up, NUMBER start, NUMBER end, NUMBER step, omp_sched_t schedule,
                      NUMBER chunk) {
    omp_set_loop(share, threads, up, (wide)start, (wide)end, (wide)step, LOOP(iterations)(up, start, end, step), schedule,
                 (wide)(COUNT)chunk);
}

/* The next iterations, as values of the counter; the last end where the loop does, whatever the step. */
static bool LOOP(take)(struct context *own, NUMBER *from, NUMBER *to) {
    wide first, behind;
    if (!omp_take(own, &first, &behind)) return false;
    const struct share *share = own->share;
    *from = (NUMBER)(share->start + first * share->step);
    *to = behind == share->count ? (NUMBER)share->end : (NUMBER)(share->start + behind * share->step);
    return true;
}

static bool LOOP(begin)(UP_PARAMETER NUMBER start, NUMBER end, NUMBER step, omp_sched_t schedule, NUMBER chunk, NUMBER *from, NUMBER *to) {
    struct context *own = omp_self();
    if (omp_enter_share(own)) {
        LOOP(set)(own->share, own->team->threads, IS_UP, start, end, step, schedule, chunk);
        omp_share_ready(own);
    }
    return LOOP(take)(own, from, to);
}
static bool LOOP(begin_as_set)(UP_PARAMETER NUMBER start, NUMBER end, NUMBER step, NUMBER *from, NUMBER *to) {
    const struct settings *settings = &omp_task(omp_self())->settings;
    return LOOP(begin)(UP_ARGUMENT start, end, step, settings->schedule, (NUMBER)settings->chunk, from, to);
}
static bool LOOP(next)(NUMBER *from, NUMBER *to) { return LOOP(take)(omp_self(), from, to); }
static bool LOOP(next_in_order)(NUMBER *from, NUMBER *to) {
    struct context *own = omp_self();
    omp_pass_turn(own);
    return LOOP(take)(own, from, to);
}

#define STARTS(name, schedule)                                                                                      \
    CALLED_BY_GCC(bool, PUBLIC(name##_start),                                                                       \
                  (UP_PARAMETER NUMBER start, NUMBER end, NUMBER step, NUMBER chunk, NUMBER * from, NUMBER * to)) { \
        return LOOP(begin)(UP_ARGUMENT start, end, step, schedule, chunk, from, to);                                \
    }
#define STARTS_AS_SET(name)                                                                                                       \
    CALLED_BY_GCC(bool, PUBLIC(name##_start), (UP_PARAMETER NUMBER start, NUMBER end, NUMBER step, NUMBER * from, NUMBER * to)) { \
        return LOOP(begin_as_set)(UP_ARGUMENT start, end, step, from, to);                                                        \
    }
#define NEXT(name, function) \
    CALLED_BY_GCC(bool, PUBLIC(name##_next), (NUMBER * from, NUMBER * to)) { return LOOP(function)(from, to); }

STARTS(static, omp_sched_static)
STARTS(dynamic, omp_sched_dynamic)
STARTS(guided, omp_sched_guided)
STARTS(nonmonotonic_dynamic, omp_sched_dynamic)
STARTS(nonmonotonic_guided, omp_sched_guided)
STARTS(ordered_static, omp_sched_static)
STARTS(ordered_dynamic, omp_sched_dynamic)
STARTS(ordered_guided, omp_sched_guided)
STARTS_AS_SET(runtime)
STARTS_AS_SET(nonmonotonic_runtime)
STARTS_AS_SET(maybe_nonmonotonic_runtime)
STARTS_AS_SET(ordered_runtime)
NEXT(static, next)
NEXT(dynamic, next)
NEXT(guided, next)
NEXT(nonmonotonic_dynamic, next)
NEXT(nonmonotonic_guided, next)
NEXT(runtime, next)
NEXT(nonmonotonic_runtime, next)
NEXT(maybe_nonmonotonic_runtime, next)
NEXT(ordered_static, next_in_order)
NEXT(ordered_dynamic, next_in_order)
NEXT(ordered_guided, next_in_order)
NEXT(ordered_runtime, next_in_order)

/* A schedule as a number, 0: as set; with reductions of tasks and memory that the members share. Without `from` nothing is taken. */
static bool LOOP(begin_any)(UP_PARAMETER NUMBER start, NUMBER end, NUMBER step, long schedule, NUMBER chunk, NUMBER *from, NUMBER *to,
                            uintptr_t *reductions, void **memory) {
    struct context *own = omp_self();
    const bool first = omp_enter_share(own);
    if (first) {
        const struct settings *settings = &omp_task(own)->settings;
        omp_sched_t kind = (omp_sched_t)(schedule & 7);
        if (!kind) kind = settings->schedule, chunk = (NUMBER)settings->chunk;
        LOOP(set)(own->share, own->team->threads, IS_UP, start, end, step, kind, chunk);
    }
    if (reductions) omp_begin_reductions(own, first, reductions);
    omp_share_extras(own, first, reductions, memory);
    if (first) omp_share_ready(own);
    return !from || LOOP(take)(own, from, to);
}
CALLED_BY_GCC(bool, PUBLIC(start),
              (UP_PARAMETER NUMBER start, NUMBER end, NUMBER step, long schedule, NUMBER chunk, NUMBER *from, NUMBER *to,
               uintptr_t *reductions, void **memory)) {
    return LOOP(begin_any)(UP_ARGUMENT start, end, step, schedule, chunk, from, to, reductions, memory);
}
CALLED_BY_GCC(bool, PUBLIC(ordered_start),
              (UP_PARAMETER NUMBER start, NUMBER end, NUMBER step, long schedule, NUMBER chunk, NUMBER *from, NUMBER *to,
               uintptr_t *reductions, void **memory)) {
    return LOOP(begin_any)(UP_ARGUMENT start, end, step, schedule, chunk, from, to, reductions, memory);
}

/* ---- doacross: iterations of nested loops wait for others ---- */

static bool LOOP(begin_across)(unsigned dimensions, NUMBER *counts, omp_sched_t schedule, NUMBER chunk, NUMBER *from, NUMBER *to,
                               uintptr_t *reductions, void **memory) {
    struct context *own = omp_self();
    const bool first = omp_enter_share(own);
    if (first) {
        const struct settings *settings = &omp_task(own)->settings;
        if (!schedule) schedule = settings->schedule, chunk = (NUMBER)settings->chunk;
        LOOP(set)(own->share, own->team->threads, true, 0, counts[0], 1, schedule, chunk);
        wide others[dimensions];
        for (unsigned i = 1; i < dimensions; ++i) others[i] = (wide)counts[i];
        omp_set_across(own->share, dimensions, others);
    }
    if (reductions) omp_begin_reductions(own, first, reductions);
    omp_share_extras(own, first, reductions, memory);
    if (first) omp_share_ready(own);
    return LOOP(take)(own, from, to);
}
#define ACROSS(name, schedule)                                                                                                            \
    CALLED_BY_GCC(bool, PUBLIC(doacross_##name##_start), (unsigned dimensions, NUMBER *counts, NUMBER chunk, NUMBER *from, NUMBER *to)) { \
        return LOOP(begin_across)(dimensions, counts, schedule, chunk, from, to, NULL, NULL);                                             \
    }
ACROSS(static, omp_sched_static)
ACROSS(dynamic, omp_sched_dynamic)
ACROSS(guided, omp_sched_guided)
CALLED_BY_GCC(bool, PUBLIC(doacross_runtime_start), (unsigned dimensions, NUMBER *counts, NUMBER *from, NUMBER *to)) {
    return LOOP(begin_across)(dimensions, counts, 0, 0, from, to, NULL, NULL);
}
CALLED_BY_GCC(bool, PUBLIC(doacross_start),
              (unsigned dimensions, NUMBER *counts, long schedule, NUMBER chunk, NUMBER *from, NUMBER *to, uintptr_t *reductions,
               void **memory)) {
    return LOOP(begin_across)(dimensions, counts, (omp_sched_t)(schedule & 7), chunk, from, to, reductions, memory);
}
