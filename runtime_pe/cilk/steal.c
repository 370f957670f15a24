/* steal.c: tasks that others may take, and taking them. */
#include <limits.h>
#include <stdlib.h>

#include "cilk.h"

static bool change_shared(struct worker *worker, unsigned from, unsigned to) {
    return __atomic_compare_exchange_n(&worker->shared, &from, to, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
}

/* The older half of what only the owner sees. */
void cilk_publish(struct worker *own) {
    const unsigned hidden = own->head - own->split;
    if (!hidden || cilk_count == 1) return;
    const unsigned split = own->split - own->records + (hidden + 1) / 2;
    for (unsigned shared = ATOMIC_LOAD(&own->shared);; shared = ATOMIC_LOAD(&own->shared))
        if (change_shared(own, shared, SHARED(SHARED_TAG(shared), SHARED_TAIL(shared), split))) break;
    own->split = own->records + split;
    /* As long as somebody sleeps, each further task is told, too. */
    if (cilk_anybody_sleeps()) cilk_tell(own->split[-1].depth);
    else ATOMIC_STORE(&own->wanted, 0);
}

/* A task of this worker's that is as deep; null: it has none now. */
static struct task *take_from(struct worker *own, struct worker *victim, int least_depth) {
    const unsigned shared = ATOMIC_LOAD(&victim->shared), tail = SHARED_TAIL(shared);
    if (tail >= SHARED_SPLIT(shared)) {
        if (!__atomic_load_n(&victim->wanted, __ATOMIC_RELAXED)) ATOMIC_STORE(&victim->wanted, 1);
        return NULL;
    }
    struct task *task = &victim->records[tail];
    if (task->depth < least_depth) return NULL;
    if (!change_shared(victim, shared, SHARED(SHARED_TAG(shared), tail + 1, SHARED_SPLIT(shared)))) return NULL;
    ATOMIC_STORE(&task->state, own->number + 1);
    return task;
}

static bool do_task_of(struct worker *own, struct worker *victim, int least_depth) {
    struct task *task = victim == own ? NULL : take_from(own, victim, least_depth);
    if (!task) return false;
    cilk_run_taken(own, victim, task);
    return true;
}

bool cilk_help(struct worker *own, int least_depth, struct worker *first) {
    if (first && do_task_of(own, first, least_depth)) return true;
    const unsigned places = ATOMIC_LOAD(&cilk_places);
    for (unsigned i = 0, at = cilk_random(own) % places; i < places; ++i, at = at + 1 == places ? 0 : at + 1)
        if (do_task_of(own, cilk_workers[at], least_depth)) return true;
    return false;
}

/* By frames of its own, it stands deeper than where the sync is; so does a task that it takes. */
enum { HELPERS_FRAMES = 160 };
static __attribute__((noinline)) void wait_for(struct worker *own, struct task *task) {
    for (int rounds = 0;;) {
        const unsigned state = ATOMIC_LOAD(&task->state);
        if (state == TASK_DONE) return;
        /* The thief's own tasks come from the one that is waited for. */
        struct worker *thief = state ? cilk_workers[state - 1] : NULL;
        const int least_depth = stack_depth(own) + HELPERS_FRAMES;
        if (cilk_help(own, least_depth, thief)) {
            rounds = 0;
        } else if (++rounds < SPINS) {
            relax();
        } else {
            rounds = 0;
            cilk_sleep(own, least_depth, task);
        }
    }
}

bool cilk_join(struct worker *own, struct task *task) {
    if (own == &cilk_none) return true; /* it was done at once */
    if (cilk_has_channels) {
        cilk_join_by_channels(own, task);
    } else {
        const unsigned place = task - own->records;
        for (;;) {
            const unsigned shared = ATOMIC_LOAD(&own->shared), tail = SHARED_TAIL(shared);
            if (tail > place) break;
            /* Some of what is older becomes the owner's alone again. */
            const unsigned split = tail + (place - tail) / 2;
            if (!change_shared(own, shared, SHARED(SHARED_TAG(shared) + 1, tail, split))) continue;
            own->split = own->records + split;
            return false;
        }
        wait_for(own, task);
        /* All below has been taken, too; so nobody else changes this word now. */
        ATOMIC_STORE(&own->shared, SHARED(SHARED_TAG(own->shared) + 1, place, place));
        own->split = task;
    }
    if (task->bytes > ROOM) free(task->elsewhere);
    own->head = task;
    if (task->bytes & COMES_LATER) own->views = cilk_merge(own->views, task->after, NULL);
    else if (task->before || task->after || own->views) own->views = cilk_merge(task->before, task->after, own->views);
    return true;
}
