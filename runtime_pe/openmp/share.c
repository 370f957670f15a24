/* share.c: loops, sections and single: who does what. A team has a few places for constructs, since members may be some of them apart where
 * nobody waits at an end; a place is free again when all have left it. */
#include <stdlib.h>
#include <string.h>

#include "openmp.h"
#include "share.h"

bool omp_enter_share(struct context *own) {
    struct share *share = &own->team->shares[own->shares % SHARES];
    const unsigned free = 4 * own->shares++;
    own->share = share;
    own->trip = 0;
    own->from = own->to = 0;
    for (int spins = 1;; ++spins) {
        const unsigned turn = ATOMIC_LOAD(&share->turn);
        if (turn == free + 2) return false;
        if (turn == free && compare_and_swap(&share->turn, free, free + 1)) return true;
        relax();
        if (spins % 128 == 0) sched_yield();
    }
}

void omp_share_ready(struct context *own) { ATOMIC_STORE(&own->share->turn, own->share->turn + 1); }

void omp_leave_share(struct context *own) {
    struct share *share = own->share;
    own->share = NULL;
    if (__atomic_add_fetch(&share->left, 1, __ATOMIC_ACQ_REL) != own->team->threads) return;
    free(share->posted);
    free(share->inner);
    free(share->memory);
    share->posted = NULL;
    share->inner = NULL;
    share->memory = NULL;
    share->left = 0;
    ATOMIC_STORE(&share->turn, share->turn - 2 + 4 * SHARES);
}

void omp_set_loop(struct share *share, unsigned threads, bool up, wide start, wide end, wide step, wide count, omp_sched_t schedule,
                  wide chunk) {
    share->next = 0;
    share->next_wide = 0;
    share->ordered_turn = share->ordered_waiters = 0;
    share->dimensions = 0;
    share->reductions = NULL;
    share->up = up;
    share->start = start;
    share->end = end;
    share->step = step;
    share->count = count;
    share->schedule = schedule & ~(unsigned)omp_sched_monotonic;
    if (share->schedule == omp_sched_auto) share->schedule = omp_sched_static, chunk = 0;
    if (!chunk && share->schedule != omp_sched_static) chunk = 1;
    share->chunk = chunk > count ? count : chunk;
    share->is_wide = count > UINT32_MAX;
    /* Members may add once too often, each. */
    share->adds = !share->is_wide && count + (wide)(threads + 1) * share->chunk <= UINT32_MAX;
}

static bool take_static(struct context *own, wide *from, wide *to) {
    const struct share *share = own->share;
    const wide threads = own->team->threads, number = own->number, count = share->count;
    if (!share->chunk) {
        if (own->trip++) return false;
        const wide each = count / threads, more = count % threads;
        *from = number * each + (number < more ? number : more);
        *to = *from + each + (number < more);
        return *from < *to;
    }
    *from = (own->trip++ * threads + number) * share->chunk;
    if (*from >= count) return false;
    *to = count - *from < share->chunk ? count : *from + share->chunk;
    return true;
}

static wide size_of_next(const struct share *share, unsigned threads, wide left) {
    wide size = share->chunk;
    if (share->schedule == omp_sched_guided && (left + threads - 1) / threads > size) size = (left + threads - 1) / threads;
    return size < left ? size : left;
}

static bool take_dynamic(struct context *own, wide *from, wide *to) {
    struct share *share = own->share;
    const unsigned threads = own->team->threads;
    if (share->is_wide) {
        wide now = __atomic_load_n(&share->next_wide, __ATOMIC_ACQUIRE), size;
        do {
            if (now >= share->count) return false;
            size = size_of_next(share, threads, share->count - now);
        } while (!__atomic_compare_exchange_n(&share->next_wide, &now, now + size, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE));
        *from = now;
        *to = now + size;
        return true;
    }
    const unsigned count = (unsigned)share->count;
    if (share->adds && share->schedule == omp_sched_dynamic) {
        if (ATOMIC_LOAD(&share->next) >= count) return false;
        const unsigned chunk = (unsigned)share->chunk, now = __atomic_fetch_add(&share->next, chunk, __ATOMIC_RELAXED);
        if (now >= count) return false;
        *from = now;
        *to = count - now < chunk ? count : now + chunk;
        return true;
    }
    unsigned now, size;
    do {
        now = ATOMIC_LOAD(&share->next);
        if (now >= count) return false;
        size = (unsigned)size_of_next(share, threads, count - now);
    } while (!compare_and_swap(&share->next, now, now + size));
    *from = now;
    *to = now + size;
    return true;
}

bool omp_take(struct context *own, wide *from, wide *to) {
    if (own->team->meeting->share_cancelled) return false;
    bool got = own->share->schedule == omp_sched_static ? take_static(own, from, to) : take_dynamic(own, from, to);
    own->from = got ? *from : own->share->count;
    own->to = got ? *to : own->share->count;
    return got;
}

void omp_share_extras(struct context *own, bool first, uintptr_t *reductions, void **memory) {
    struct share *share = own->share;
    if (!first || !memory) {
        if (memory) *memory = share->memory;
        return;
    }
    (void)reductions;
    share->memory = calloc(1, (size_t)*memory);
    if (!share->memory) omp_fail("out of memory for a loop");
    *memory = share->memory;
}

/* ---- ordered ---- */

GOMP(void, ordered_start, (void)) {
    struct context *own = omp_self();
    struct share *share = own->share;
    if (!share) return;
    const unsigned mine = (unsigned)own->from;
    for (int spins = 0;; ++spins) {
        const unsigned now = ATOMIC_LOAD(&share->ordered_turn);
        if (now == mine) return;
        if (spins < SPINS) {
            relax();
            continue;
        }
        __atomic_fetch_add(&share->ordered_waiters, 1, __ATOMIC_SEQ_CST);
        if (ATOMIC_LOAD(&share->ordered_turn) == now) __mog_wait_on(&share->ordered_turn, now, NULL);
        __atomic_fetch_sub(&share->ordered_waiters, 1, __ATOMIC_SEQ_CST);
    }
}
GOMP(void, ordered_end, (void)) {}

/* ---- ends ---- */

void omp_pass_turn(struct context *own) {
    struct share *share = own->share;
    if (own->from == own->to) return;
    GOMP_ordered_start();
    __atomic_store_n(&share->ordered_turn, (unsigned)own->to, __ATOMIC_SEQ_CST);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (ATOMIC_LOAD(&share->ordered_waiters)) __mog_wake(&share->ordered_turn, INT32_MAX);
    own->from = own->to;
}

GOMP(void, loop_end, (void)) {
    struct context *own = omp_self();
    if (own->share) omp_leave_share(own);
    omp_barrier(own, BARRIER);
}
GOMP(bool, loop_end_cancel, (void)) {
    struct context *own = omp_self();
    if (own->share) omp_leave_share(own);
    return omp_barrier_or_cancelled(own);
}
GOMP(void, loop_end_nowait, (void)) {
    struct context *own = omp_self();
    if (own->share) omp_leave_share(own);
}
GOMP(void, sections_end, (void)) { GOMP_loop_end(); }
GOMP(bool, sections_end_cancel, (void)) { return GOMP_loop_end_cancel(); }
GOMP(void, sections_end_nowait, (void)) { GOMP_loop_end_nowait(); }

/* ---- sections ---- */

GOMP(unsigned, sections_next, (void)) {
    wide from, to;
    return omp_take(omp_self(), &from, &to) ? (unsigned)from + 1 : 0;
}
static void set_sections(struct share *share, unsigned threads, unsigned count) {
    omp_set_loop(share, threads, true, 1, count + 1, 1, count, omp_sched_dynamic, 1);
}
GOMP(unsigned, sections_start, (unsigned count)) {
    struct context *own = omp_self();
    if (omp_enter_share(own)) {
        set_sections(own->share, own->team->threads, count);
        omp_share_ready(own);
    }
    return GOMP_sections_next();
}

GOMP(unsigned, sections2_start, (unsigned count, uintptr_t *reductions, void **memory)) {
    struct context *own = omp_self();
    const bool first = omp_enter_share(own);
    if (first) set_sections(own->share, own->team->threads, count);
    if (reductions) omp_begin_reductions(own, first, reductions);
    omp_share_extras(own, first, reductions, memory);
    if (first) omp_share_ready(own);
    return GOMP_sections_next();
}

GOMP(void, scope_start, (uintptr_t * reductions)) {
    struct context *own = omp_self();
    const bool first = omp_enter_share(own);
    if (first) set_sections(own->share, own->team->threads, 0);
    if (reductions) omp_begin_reductions(own, first, reductions);
    if (first) omp_share_ready(own);
    omp_leave_share(own);
}

GOMP(void, parallel_sections_start, (void (*function)(void *), void *data, unsigned threads, unsigned count)) {
    struct team *team = omp_new_team(threads);
    team->begins_in_share = true;
    team->shares[0].turn = 2;
    set_sections(&team->shares[0], team->threads, count);
    omp_start_team(team, function, data);
}
GOMP(void, parallel_sections, (void (*function)(void *), void *data, unsigned threads, unsigned count, unsigned flags)) {
    (void)flags;
    GOMP_parallel_sections_start(function, data, threads, count);
    function(data);
    omp_end_team();
}

/* ---- single ---- */

GOMP(bool, single_start, (void)) {
    struct context *own = omp_self();
    const unsigned mine = own->singles++;
    return own->team->threads == 1 || (ATOMIC_LOAD(&own->team->singles) == mine && compare_and_swap(&own->team->singles, mine, mine + 1));
}
/* Null: this member shall do it, and tell the others by single_copy_end where what it made is. */
GOMP(void *, single_copy_start, (void)) {
    struct context *own = omp_self();
    if (GOMP_single_start()) return NULL;
    omp_barrier(own, BARRIER);
    return own->team->copied;
}
GOMP(void, single_copy_end, (void *data)) {
    struct context *own = omp_self();
    own->team->copied = data;
    omp_barrier(own, BARRIER);
}
