/* team.c: parallel regions. A thread that begins one has a pool of others, which wait for its next. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "openmp.h"
#include "runtime_pe/start/guards.h"

_Thread_local struct context omp_own;

/* The word that workers wait on has the size of the team, so that who has nothing to do in it need not look at the team; and a number. */
enum { SIZE_BITS = 17 };

/* How often somebody looks before he sleeps. Each time others have a turn, so that in a large team all will have come after a few, if they
 * have as much to do; if not, looking takes time from those who work. */
static int spins_in(unsigned threads) {
    enum { IN_ALL = 400, LEAST = 3 };
    return (int)(threads * LEAST < IN_ALL ? IN_ALL / threads : LEAST);
}

struct pool {
    unsigned word, sleepers;
    struct meeting meeting;
    struct team *team;
    unsigned workers;
    unsigned room; /* for members, in the team that is kept */
    struct team *kept;
    struct pool *inner; /* of regions that the thread begins within one */
    enum { STAYS, WORKERS_END, ENDS } fate;
};

static struct contention program = {.busy = 1, .league = 1};

/* ---- waiting for each other ---- */

void omp_notify(struct team *team, bool all) {
    struct meeting *meeting = team->meeting;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (!ATOMIC_LOAD(&meeting->sleepers)) return;
    all |= ATOMIC_LOAD(&meeting->restricted) != 0;
    __atomic_fetch_add(&meeting->event, 1, __ATOMIC_SEQ_CST);
    __mog_wake(&meeting->event, all ? INT32_MAX : 1);
}

/* All have arrived, and no task is left. */
static void try_release(struct meeting *meeting, int which) {
    if (ATOMIC_LOAD(&meeting->tasks) || !compare_and_swap(&meeting->arrived[which], meeting->threads, 0)) return;
    meeting->share_cancelled = 0;
    __atomic_fetch_add(&meeting->round[which], 1, __ATOMIC_SEQ_CST);
    __atomic_fetch_add(&meeting->event, 1, __ATOMIC_SEQ_CST);
    if (ATOMIC_LOAD(&meeting->sleepers)) __mog_wake(&meeting->event, INT32_MAX);
}
void omp_try_release(struct meeting *meeting) {
    try_release(meeting, BARRIER);
    try_release(meeting, END);
}

/* What is read of a team before the thread arrives: at the end of a region the team may be made anew as soon as all have. */
struct arrival {
    struct meeting *meeting;
    int which;
    unsigned threads, round;
};

/* Who waits until the round is over looks a few more times, does tasks meanwhile, and then sleeps. */
__attribute__((noinline)) static bool wait_longer(struct context *own, struct arrival at, bool can_be_cancelled) {
    struct team *team = own->team;
    struct meeting *meeting = at.meeting;
    const int which = at.which, most_spins = spins_in(at.threads);
    const unsigned round = at.round;
    for (int spins = 0; ATOMIC_LOOK(&meeting->round[which]) == round;) {
        if (can_be_cancelled && ATOMIC_LOAD(&team->cancelled) & CANCEL_PARALLEL) return true;
        if (ATOMIC_LOOK(&team->queued) && omp_do_task(own, NULL)) {
            spins = 0;
        } else if (spins < most_spins) {
            ++spins;
            relax();
        } else {
            const unsigned event = ATOMIC_LOAD(&meeting->event);
            __atomic_fetch_add(&meeting->sleepers, 1, __ATOMIC_SEQ_CST);
            if (ATOMIC_LOAD(&meeting->round[which]) == round && !ATOMIC_LOAD(&team->queued) &&
                !(can_be_cancelled && ATOMIC_LOAD(&team->cancelled) & CANCEL_PARALLEL))
                __mog_wait_on(&meeting->event, event, NULL);
            __atomic_fetch_sub(&meeting->sleepers, 1, __ATOMIC_SEQ_CST);
        }
    }
    acquired();
    return can_be_cancelled && ATOMIC_LOAD(&team->cancelled) & CANCEL_PARALLEL;
}

__attribute__((noinline)) static bool wait_alone(struct context *own, bool can_be_cancelled) {
    struct team *team = own->team;
    omp_wait_until_zero(own, &team->meeting->tasks);
    team->meeting->share_cancelled = 0;
    return can_be_cancelled && team->cancelled & CANCEL_PARALLEL;
}

__attribute__((noinline)) static bool wait_as_last(struct context *own, struct arrival at, bool can_be_cancelled) {
    try_release(at.meeting, at.which);
    return wait_longer(own, at, can_be_cancelled);
}

/* In a large team all that a thread does here is done once for each of them, and its registers are stored for nothing where it calls
 * nobody: what is seldom needed is elsewhere. All will have come when this thread has its next turn, if they have as much to do. */
static inline bool wait_for_all(struct context *own, int which, bool can_be_cancelled) {
    struct team *team = own->team;
    struct meeting *meeting = team->meeting;
    const unsigned threads = team->threads;
    if (threads == 1) return wait_alone(own, can_be_cancelled);
    const unsigned *place = &meeting->round[which], round = ATOMIC_LOOK(place);
    if (__atomic_add_fetch(&meeting->arrived[which], 1, __ATOMIC_SEQ_CST) == threads)
        return wait_as_last(own, (struct arrival){meeting, which, threads, round}, can_be_cancelled);
    relax();
    if (can_be_cancelled || ATOMIC_LOOK(place) == round)
        return wait_longer(own, (struct arrival){meeting, which, threads, round}, can_be_cancelled);
    acquired();
    return false;
}

void omp_barrier(struct context *own, int which) { wait_for_all(own, which, false); }
bool omp_barrier_or_cancelled(struct context *own) { return wait_for_all(own, BARRIER, true); }

/* ---- threads ---- */

void omp_begin_task(struct context *own) {
    const struct team *team = own->team;
    own->task = &own->team->members[own->number].task;
    *own->task = (struct task){.implicit = true, .references = 1, .settings = team->settings, .group = team->group};
}

static struct team *make_team(unsigned threads) {
    struct team *team = calloc(1, sizeof *team + threads * sizeof *team->members);
    if (!team) omp_fail("out of memory for a team of %u threads", threads);
    return team;
}

static void clear_team(struct team *team, unsigned threads, struct meeting *meeting) {
    memset(team, 0, sizeof *team);
    team->threads = threads;
    team->meeting = meeting;
    *meeting = (struct meeting){.threads = threads,
                                .sleepers = meeting->sleepers,
                                .event = meeting->event,
                                .restricted = meeting->restricted,
                                .round = {meeting->round[BARRIER], meeting->round[END]}};
    for (unsigned i = 0; i < SHARES; ++i) team->shares[i].turn = 4 * i;
}

/* A thread's own team, before it begins a parallel region. */
struct alone {
    struct pool pool;
    struct meeting meeting;
    struct team team;
    struct member member;
};

static void end_thread(void *alone) {
    struct pool *pool = alone;
    ATOMIC_STORE(&pool->fate, ENDS);
    free(pool->kept);
    const unsigned workers = pool->workers;
    if (!workers) {
        free(alone);
        return;
    }
    __atomic_fetch_add(&pool->word, 1u << SIZE_BITS, __ATOMIC_SEQ_CST);
    __mog_wake(&pool->word, INT32_MAX); /* the last of them frees it */
}

void omp_dismiss(void) {
    for (struct pool *pool = omp_self()->pool; pool; pool = pool->inner) {
        if (!pool->workers) continue;
        ATOMIC_STORE(&pool->fate, WORKERS_END);
        /* For a team of none, which is also what those see who come next. */
        __atomic_store_n(&pool->word, ((pool->word >> SIZE_BITS) + 1) << SIZE_BITS, __ATOMIC_SEQ_CST);
        __mog_wake(&pool->word, INT32_MAX);
        for (unsigned left; (left = ATOMIC_LOAD(&pool->workers));) __mog_wait_on(&pool->workers, left, NULL);
        pool->fate = STAYS;
    }
}

static struct pool *new_pool(void) {
    struct alone *alone = calloc(1, sizeof *alone);
    if (!alone) omp_fail("out of memory for a thread");
    if (__mog_self.id != 1) __mog_thread_atexit(end_thread, alone);
    return &alone->pool;
}

void omp_begin_thread(void) {
    omp_read_environment();
    struct alone *alone = (struct alone *)new_pool();
    clear_team(&alone->team, 1, &alone->meeting);
    program.limit = omp_environment.thread_limit;
    alone->team.contention = &program;
    alone->team.settings = omp_environment.first;
    omp_own.pool = &alone->pool;
    omp_own.team = &alone->team;
}

static void enter(struct team *team, unsigned number) {
    struct context *own = &omp_own;
    own->team = team;
    own->number = number;
    own->task = NULL;
    own->shares = 0;
    own->singles = 0;
    own->share = NULL;
    if (!team->begins_in_share) return;
    own->shares = 1;
    own->share = &team->shares[0];
    own->trip = 0;
    own->from = own->to = 0;
}

struct worker {
    struct pool *pool;
    unsigned number;
};

/* The word as it is once it is another one. In most regions it is so at the first look of a turn: what is done then is done for each member
 * of a large team, and the rest is here. */
__attribute__((noinline)) static unsigned wait_for_region(struct pool *pool, unsigned seen) {
    const int most_spins = spins_in(ATOMIC_LOOK(&pool->workers) + 1);
    unsigned now;
    for (int spins = 0; (now = ATOMIC_LOOK(&pool->word)) == seen;) {
        if (spins++ < most_spins) {
            relax();
            continue;
        }
        __atomic_fetch_add(&pool->sleepers, 1, __ATOMIC_SEQ_CST);
        if (ATOMIC_LOAD(&pool->word) == seen) __mog_wait_on(&pool->word, seen, NULL);
        __atomic_fetch_sub(&pool->sleepers, 1, __ATOMIC_SEQ_CST);
    }
    return now;
}

static void *work(void *argument) {
    struct worker *worker = argument;
    struct pool *pool = worker->pool;
    const unsigned number = worker->number;
    free(worker);
    unsigned seen = 0;
    for (;;) {
        unsigned now = ATOMIC_LOOK(&pool->word);
        if (now == seen) now = wait_for_region(pool, seen);
        /* What was seen, and not the word as it is now: who read that a second time would not see the change that tells of the end. */
        acquired();
        seen = now;
        if (ATOMIC_LOOK(&pool->fate)) break;
        if (number >= (seen & ((1u << SIZE_BITS) - 1))) continue;
        struct team *team = pool->team;
        enter(team, number);
        team->function(team->data);
        omp_barrier(&omp_own, END);
    }
    const bool frees = pool->fate == ENDS;
    if (__atomic_sub_fetch(&pool->workers, 1, __ATOMIC_ACQ_REL)) return NULL;
    if (frees) free(pool);
    else __mog_wake(&pool->workers, 1);
    return NULL;
}

/* As many workers as can be had, up to this number. */
static void hire(struct pool *pool, unsigned wanted) {
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    if (omp_environment.stack) pthread_attr_setstacksize(&attributes, omp_environment.stack);
    while (pool->workers < wanted) {
        struct worker *worker = malloc(sizeof *worker);
        pthread_t thread;
        if (!worker) return;
        *worker = (struct worker){pool, pool->workers + 1};
        if (pthread_create(&thread, &attributes, work, worker)) {
            free(worker);
            return;
        }
        ++pool->workers;
    }
}

/* As many further threads as the limit leaves, up to this number; given back by release(). */
static unsigned reserve(struct contention *contention, unsigned wanted) {
    if (contention->limit == UINT_MAX) return wanted;
    for (;;) {
        const unsigned busy = ATOMIC_LOAD(&contention->busy), left = busy < contention->limit ? contention->limit - busy : 0;
        const unsigned got = wanted < left ? wanted : left;
        if (compare_and_swap(&contention->busy, busy, busy + got)) return got;
    }
}
static void release(struct contention *contention, unsigned threads) {
    if (contention->limit != UINT_MAX) __atomic_fetch_sub(&contention->busy, threads, __ATOMIC_RELAXED);
}

/* ---- regions ---- */

static unsigned resolve(struct context *own, unsigned wanted) {
    const struct settings *settings = &omp_task(own)->settings;
    if (own->team->active_level >= settings->levels) return 1;
    unsigned threads = wanted ? wanted : settings->threads;
    if (threads >= 1u << SIZE_BITS) threads = (1u << SIZE_BITS) - 1;
    if (threads > 1) threads = 1 + reserve(own->team->contention, threads - 1);
    if (threads > 1) {
        /* A worker's context was its team's: it has a pool once it begins a region. */
        if (!omp_own.pool) omp_own.pool = new_pool();
        hire(omp_own.pool, threads - 1);
        if (threads > omp_own.pool->workers + 1) {
            release(own->team->contention, threads - 1 - omp_own.pool->workers);
            threads = omp_own.pool->workers + 1;
        }
    }
    return threads;
}

struct team *omp_new_team(unsigned wanted) {
    struct context *own = omp_self();
    const unsigned threads = resolve(own, wanted);
    if (!own->pool) own->pool = new_pool();
    struct pool *pool = own->pool;
    struct team *team = pool->kept;
    pool->kept = NULL;
    if (!team || pool->room < threads) {
        free(team);
        team = make_team(threads);
        pool->room = threads;
    }
    clear_team(team, threads, &pool->meeting);
    team->outer = own->team;
    team->contention = own->team->contention;
    team->outer_number = own->number;
    team->level = own->team->level + 1;
    team->active_level = own->team->active_level + (threads > 1);
    return team;
}

/* What a thread was before the region that it began; on the stack of omp_start_team's caller there is no room for it. */
struct saved {
    struct context own;
    struct saved *before;
};
static _Thread_local struct saved *saved;

void omp_start_team(struct team *team, void (*function)(void *), void *data) {
    struct context *own = &omp_own;
    struct saved *place = malloc(sizeof *place);
    if (!place) omp_fail("out of memory for a parallel region");
    team->settings = omp_task(own)->settings;
    *place = (struct saved){*own, saved};
    saved = place;

    if (team->level < omp_environment.threads_levels) team->settings.threads = omp_environment.threads[team->level];
    team->function = function;
    team->data = data;
    enter(team, 0);
    struct pool *pool = own->pool;
    if (team->threads == 1) {
        own->pool = pool->inner;
        return;
    }
    pool->team = team;
    const unsigned number = (pool->word >> SIZE_BITS) + 1;
    __atomic_store_n(&pool->word, number << SIZE_BITS | team->threads, __ATOMIC_SEQ_CST);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    if (ATOMIC_LOAD(&pool->sleepers)) __mog_wake(&pool->word, INT32_MAX);
    own->pool = pool->inner;
}

void omp_end_team(void) {
    struct context *own = &omp_own;
    struct team *team = own->team;
    struct pool *inner = own->pool;
    omp_barrier(own, END);
    if (team->threads > 1) release(team->contention, team->threads - 1);
    for (unsigned i = 0; team->has_dependences && i < team->threads; ++i) omp_forget_dependences(&team->members[i].task);
    for (unsigned i = 0; i < SHARES; ++i) {
        free(team->shares[i].posted);
        free(team->shares[i].inner);
        free(team->shares[i].memory);
    }
    struct saved *place = saved;
    *own = place->own;
    saved = place->before;
    free(place);
    own->pool->inner = inner;
    own->pool->kept = team;
}

/* ---- what gcc calls ---- */

GOMP(void, parallel, (void (*function)(void *), void *data, unsigned threads, unsigned flags)) {
    (void)flags;
    omp_start_team(omp_new_team(threads), function, data);
    function(data);
    omp_end_team();
}
GOMP(void, parallel_start, (void (*function)(void *), void *data, unsigned threads)) {
    omp_start_team(omp_new_team(threads), function, data);
}
GOMP(void, parallel_end, (void)) { omp_end_team(); }

GOMP(void, barrier, (void)) {
    if (omp_own.team) wait_for_all(&omp_own, BARRIER, false); /* else there has been nothing to wait for yet */
}
GOMP(bool, barrier_cancel, (void)) { return omp_barrier_or_cancelled(omp_self()); }

GOMP(bool, cancellation_point, (int which)) {
    struct context *own = omp_self();
    const struct team *team = own->team;
    if (!omp_environment.cancellation) return false;
    if (which & (CANCEL_LOOP | CANCEL_SECTIONS) && ATOMIC_LOAD(&team->meeting->share_cancelled)) return true;
    const struct taskgroup *group = omp_group_to_cancel(omp_task(own));
    if (which & CANCEL_TASKGROUP && group && ATOMIC_LOAD(&group->cancelled)) return true;
    return ATOMIC_LOAD(&team->cancelled) & CANCEL_PARALLEL;
}

GOMP(bool, cancel, (int which, bool does)) {
    struct context *own = omp_self();
    struct team *team = own->team;
    if (!omp_environment.cancellation) return false;
    if (!does) return GOMP_cancellation_point(which);
    if (which & (CANCEL_LOOP | CANCEL_SECTIONS)) {
        ATOMIC_STORE(&team->meeting->share_cancelled, 1);
    } else if (which & CANCEL_TASKGROUP) {
        struct taskgroup *group = omp_group_to_cancel(omp_task(own));
        if (group) ATOMIC_STORE(&group->cancelled, true);
    } else {
        ATOMIC_STORE(&team->cancelled, CANCEL_PARALLEL);
        omp_notify(team, true);
    }
    return true;
}
