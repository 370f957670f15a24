/* openmp.h: teams of threads, what they share, and tasks. What gcc 12 calls are the functions GOMP_*, whose arguments are those of its
 * libgomp; what programs call are those of its <omp.h>. */
#ifndef MOG_OPENMP_H
#define MOG_OPENMP_H

#include <omp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime_pe/threads/thread.h"

typedef unsigned long long wide;

/* ---- settings ---- */

/* Of a task; its children begin with the same. */
struct settings {
    unsigned threads;
    omp_sched_t schedule;
    unsigned chunk;
    bool dynamic;
    unsigned levels; /* that may be active */
    int device;
    omp_allocator_handle_t allocator;
};

/* Of the program. */
struct environment {
    struct settings first;
    unsigned *threads; /* OMP_NUM_THREADS by level, if it names several */
    unsigned threads_levels;
    unsigned thread_limit;
    size_t stack;
    bool cancellation, display_affinity;
    int priority, teams, teams_threads;
    const char *affinity_format;
};
extern struct environment omp_environment __asm__("__mog_omp_environment");
void omp_read_environment(void) __asm__("__mog_omp_read_environment");
_Noreturn void omp_fail(const char *format, ...) __asm__("__mog_omp_fail");

/* ---- tasks ---- */

struct taskgroup {
    struct taskgroup *outer;
    unsigned tasks; /* that have not ended */
    bool cancelled, of_share;
    uintptr_t *reductions;
};

struct task {
    void (*function)(void *);
    void *arguments;
    struct task *parent;
    struct taskgroup *group; /* of what it creates */
    struct taskgroup *own;   /* that it counts in */
    struct settings settings;
    unsigned depth;
    unsigned children;   /* that have not ended */
    unsigned references; /* itself, children, what dependences remember */
    int priority;
    bool final, implicit, counts;
    struct task *next, *previous; /* in a queue */
    /* Dependences among its children, and its own: all under the parent's lock. */
    unsigned dependence_lock;
    struct dependence **table;
    struct successor *successors;
    unsigned predecessors;
    bool ended;
    struct team *team; /* whose task it is; of explicit ones */
    /* Whether its end waits for omp_fulfill_event(): 0 no; 1 for both, 2 for one of body and event. */
    unsigned detached;
};

struct queue {
    unsigned lock;
    struct task *first, *last;
};

/* ---- teams ---- */

/* Where members wait for each other; of a pool, and not of a team, so that who is late on its way out touches nothing that is gone. There
 * are two rounds: a region that was cancelled may leave the one in any state, and ends with the other. */
struct meeting {
    unsigned threads;
    unsigned tasks; /* that have not ended */
    unsigned share_cancelled;
    unsigned arrived[2], round[2];
    unsigned event, sleepers, restricted; /* restricted: sleepers that can do some tasks only */
};
enum { BARRIER, END };

/* What a loop or sections share out. */
struct share {
    unsigned turn; /* four for each construct: free, being set up, ready */
    unsigned left; /* members that are done with it */
    unsigned next; /* iterations that are taken, where they can be counted in a word */
    wide next_wide, count, chunk, start, end, step;
    bool is_wide, adds, up, ordered;
    omp_sched_t schedule;
    unsigned ordered_turn, ordered_waiters; /* the iteration whose turn it is */
    uintptr_t *reductions;
    void *memory;
    /* doacross */
    unsigned dimensions, waiters;
    unsigned *posted; /* for each iteration of the outermost loop: how many of those in it */
    wide *inner;      /* how many iterations each of the inner loops has */
};
enum { SHARES = 16 };

/* Threads that work for one initial task: the program's, a target region's, or that of one of a league's teams. */
struct contention {
    unsigned limit, busy;    /* how many there may be, and are; not counted where the limit is UINT_MAX */
    unsigned number, league; /* of this team, among how many */
};

/* The task is made anew by the member once it is asked for; the queue is there before, for others look into it. */
struct member {
    struct task task;
    struct queue queue;
};

struct team {
    unsigned threads, level, active_level;
    void (*function)(void *);
    void *data;
    struct team *outer;
    unsigned outer_number; /* of its master, in the outer team */
    struct contention *contention;
    struct meeting *meeting;
    struct taskgroup *group;
    struct settings settings; /* that its members begin with */
    bool has_dependences;     /* of tasks that members have created, and not other tasks */
    unsigned singles;
    void *copied; /* copyprivate */
    unsigned cancelled;
    bool begins_in_share;
    unsigned queued;     /* tasks that wait in queues */
    struct queue urgent; /* with a priority */
    struct share shares[SHARES];
    struct member members[];
};
enum { CANCEL_PARALLEL = 1, CANCEL_LOOP = 2, CANCEL_SECTIONS = 4, CANCEL_TASKGROUP = 8 };

struct context {
    struct team *team; /* null: not yet asked */
    unsigned number;
    struct task *task; /* null: a member's own, which nobody has asked for yet */
    struct share *share;
    unsigned shares, singles;
    unsigned long trip; /* of a static schedule */
    wide from, to;      /* the iterations it has of an ordered loop */
    struct pool *pool;
    unsigned place; /* where it looks for tasks first */
};
extern _Thread_local struct context omp_own __asm__("__mog_omp_own");
void omp_begin_thread(void) __asm__("__mog_omp_begin_thread");
static inline struct context *omp_self(void) {
    if (!omp_own.team) omp_begin_thread();
    return &omp_own;
}
void omp_begin_task(struct context *own) __asm__("__mog_omp_begin_task");
static inline struct task *omp_task(struct context *own) {
    if (!own->task) omp_begin_task(own);
    return own->task;
}

void omp_barrier(struct context *own, int which) __asm__("__mog_omp_barrier");
bool omp_barrier_or_cancelled(struct context *own) __asm__("__mog_omp_barrier_or_cancelled");
/* Some thread that sleeps may go on. */
void omp_notify(struct team *team, bool all) __asm__("__mog_omp_notify");
void omp_try_release(struct meeting *meeting) __asm__("__mog_omp_try_release");
/* A team is made, filled by the caller if its members begin in a loop, and started; omp_end_team ends it. */
struct team *omp_new_team(unsigned wanted) __asm__("__mog_omp_new_team");
void omp_start_team(struct team *team, void (*function)(void *), void *data) __asm__("__mog_omp_start_team");
void omp_end_team(void) __asm__("__mog_omp_end_team");

/* Whether this member comes first, who sets the share up and calls omp_share_ready. */
bool omp_enter_share(struct context *own) __asm__("__mog_omp_enter_share");
void omp_share_ready(struct context *own) __asm__("__mog_omp_share_ready");
void omp_leave_share(struct context *own) __asm__("__mog_omp_leave_share");
void omp_set_loop(struct share *share, unsigned threads, bool up, wide start, wide end, wide step, wide count, omp_sched_t schedule,
                  wide chunk) __asm__("__mog_omp_set_loop");
/* The next iterations for this member, as numbers from 0 on; false: there are none. */
bool omp_take(struct context *own, wide *from, wide *to) __asm__("__mog_omp_take");
/* Reductions of tasks in a loop or sections, and memory that its members share. */
void omp_share_extras(struct context *own, bool first, uintptr_t *reductions, void **memory) __asm__("__mog_omp_share_extras");

/* The taskgroup that a cancellation in this task is about, if any. */
struct taskgroup *omp_group_to_cancel(const struct task *task) __asm__("__mog_omp_group_to_cancel");
/* Threads that wait for the next region of this one end. */
void omp_dismiss(void) __asm__("__mog_omp_dismiss");

/* Does one task, if there is one; with `within`, one that descends from it. */
bool omp_do_task(struct context *own, const struct task *within) __asm__("__mog_omp_do_task");
void omp_forget_dependences(struct task *parent) __asm__("__mog_omp_forget_dependences");
/* Notes what a new child of `parent` depends on, and returns how many tasks it waits for. */
unsigned omp_depend(struct task *parent, struct task *child, void **depend) __asm__("__mog_omp_depend");
/* Of a task that ended: those that can begin now. */
struct task *omp_release_successors(struct task *task) __asm__("__mog_omp_release_successors");
void omp_wait_for_dependences(struct context *own, void **depend) __asm__("__mog_omp_wait_for_dependences");
void omp_unreference(struct task *task) __asm__("__mog_omp_unreference");
void omp_wait_until_zero(struct context *own, const unsigned *count) __asm__("__mog_omp_wait_until_zero");

enum {
    TASK_UNTIED = 1,
    TASK_FINAL = 2,
    TASK_MERGEABLE = 4,
    TASK_DEPEND = 8,
    TASK_PRIORITY = 16,
    TASK_UP = 256,
    TASK_GRAINSIZE = 512,
    TASK_IF = 1024,
    TASK_NOGROUP = 2048,
    TASK_REDUCTION = 4096,
    TASK_DETACH = 8192,
    TASK_STRICT = 16384
};

/* A task's arguments may be aligned by more than malloc does. */
static inline void *omp_align(void *memory, size_t alignment) {
    return (void *)(((uintptr_t)memory + alignment - 1) & ~(uintptr_t)(alignment - 1));
}

static inline void omp_spin_lock(unsigned *lock) {
    for (int spins = 1; __atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE); ++spins) {
        relax();
        if (spins % 128 == 0) sched_yield();
    }
}
static inline void omp_spin_unlock(unsigned *lock) { ATOMIC_STORE(lock, 0); }

/* Functions that gcc calls; none has a header. */
#define GOMP(result, name, ...) CALLED_BY_GCC(result, GOMP_##name, __VA_ARGS__)
#define CALLED_BY_GCC(result, name, ...) \
    result name __VA_ARGS__;             \
    result name __VA_ARGS__

#endif
