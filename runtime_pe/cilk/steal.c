/* steal.c: tasks that others may take, and taking them. */
#include <limits.h>
#include <stdlib.h>

#include "cilk.h"

static bool change_shared(struct worker *worker, unsigned from, unsigned to) {
    return __atomic_compare_exchange_n(&worker->shared, &from, to, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
}

/* The older half of what only the owner sees; all of it, if others have fewer then than they should. */
void cilk_publish(struct worker *own) {
    const unsigned hidden = own->head - own->split;
    if (!hidden || cilk_count == 1) return;
    unsigned shared, split, in_stock;
    do {
        shared = ATOMIC_LOAD(&own->shared);
        in_stock = SHARED_SPLIT(shared) - SHARED_TAIL(shared);
        unsigned more = (hidden + 1) / 2;
        if (in_stock + more < cilk_in_stock) more = cilk_in_stock - in_stock < hidden ? cilk_in_stock - in_stock : hidden;
        in_stock += more;
        split = SHARED_SPLIT(shared) + more;
    } while (!change_shared(own, shared, SHARED(SHARED_TAG(shared), SHARED_TAIL(shared), split)));
    cilk_set_split(own, own->records + split);
    /* As long as somebody sleeps, each further task is told, too. */
    if (cilk_anybody_sleeps()) cilk_tell(own->split[-1].depth);
    else if (in_stock >= cilk_in_stock) ATOMIC_STORE(&own->wanted, 0);
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
    /* Before it is done with this one there may be more: others may come before the victim looks again. */
    if (SHARED_SPLIT(shared) - tail - 1 < cilk_in_stock) ATOMIC_STORE(&victim->wanted, 1);
    return task;
}

struct task *cilk_take(struct worker *own, int least_depth, struct worker *first, struct worker **owner) {
    struct task *task = first && first != own ? take_from(own, *owner = first, least_depth) : NULL;
    const unsigned places = ATOMIC_LOAD(&cilk_places);
    for (unsigned i = 0, at = cilk_random(own) % places; !task && i < places; ++i, at = at + 1 == places ? 0 : at + 1)
        if (cilk_workers[at] != own) task = take_from(own, *owner = cilk_workers[at], least_depth);
    return task;
}

/* Until the task is done, or there is another one to do meanwhile, of `owner`. */
static struct task *wait_for(struct worker *own, struct task *task, int least_depth, struct worker **owner) {
    for (int rounds = 0;;) {
        const unsigned state = ATOMIC_LOAD(&task->state);
        if (state == TASK_DONE) return NULL;
        /* The thief's own tasks come from the one that is waited for. */
        struct worker *thief = state ? cilk_workers[state - 1] : NULL;
        struct task *taken = cilk_take(own, least_depth, thief, owner);
        if (taken) return taken;
        if (++rounds < SPINS) {
            relax();
        } else {
            rounds = 0;
            cilk_sleep(own, least_depth, task);
        }
    }
}

struct task *cilk_join(struct worker *own, struct task *task, int least_depth, struct worker **owner) {
    if (own == &cilk_none) return NULL; /* it was done at once */
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
            cilk_set_split(own, own->records + split);
            return task;
        }
        struct task *const taken = wait_for(own, task, least_depth, owner);
        if (taken) return taken;
        /* All below has been taken, too; so nobody else changes this word now. */
        ATOMIC_STORE(&own->shared, SHARED(SHARED_TAG(own->shared) + 1, place, place));
        cilk_set_split(own, task);
    }
    if (task->bytes > ROOM) free(task->elsewhere);
    own->head = task;
    if (task->bytes & COMES_LATER) own->views = cilk_merge(own->views, task->after, NULL);
    else if (task->before || task->after || own->views) own->views = cilk_merge(task->before, task->after, own->views);
    return NULL;
}
