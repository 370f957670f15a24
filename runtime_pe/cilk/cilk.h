/* cilk.h: workers, their tasks, views of reducers.
 *
 * A worker's tasks are an array that grows and shrinks like its stack, beside it: a spawn puts a record on top, and the sync of the
 * function that has spawned takes it off again. Nobody else looks at the upper part of the array, so that neither costs a fence. Of the
 * lower part, up to `split`, others take from the bottom, where the oldest and mostly largest tasks are; what they have taken stays where
 * it is until the sync that it belongs to finds it done. Who finds nothing to take asks (`wanted`), and the owner moves the border up at
 * its next spawn or sync. As long as nobody asks, and there are enough tasks that only the owner sees, a spawn is a call: what is stolen is
 * old and large, and most tasks of a program are never seen by anybody else (compare E. Mohr, D. Kranz, R. Halstead, "Lazy task creation",
 * 1991).
 *
 * A task remembers how deep in its worker's stack it was spawned, counted as if the program ran on one stack (`depth`). Who waits at a sync
 * takes only tasks that are as deep as what it waits for, and does them in its place: hence no stack of a worker becomes deeper than that
 * of the program run by one whose spawns are all tasks.
 */
#ifndef MOG_CILK_H
#define MOG_CILK_H

#define MOG_CILK_RUNTIME
#include <cilk/cilk_api.h>
#include <cilk/records.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime_pe/threads/thread.h"

/* FEW: bytes of arguments that are copied in any case. */
enum { RECORDS = 1024, ROOM = __MOG_CILK_ROOM, FEW = 16 };

struct view;
struct worker;
struct frame;

/* Of a task that has been taken: who has it, as its number plus one. TASK_GOES_ON: of a function that is cut at its syncs, whose thread is
 * to go on with it. */
enum { TASK_WAITS = 0, TASK_GOES_ON = 0xfffe, TASK_DONE = 0xffff };

/* In `bytes`, of a task that comes later in the program than what its parent does until the sync: one of a loop, whose second half is
 * spawned. */
#define COMES_LATER 0x80000000u

struct task {
    __MOG_CILK_TASK(struct view)
};

struct worker {
    __MOG_CILK_WORKER(struct task, struct view)
    unsigned overflow; /* tasks that were run at once, and which syncs count all the same */
    unsigned stolen;   /* tasks of others that it is inside of */
    unsigned level, number;
    struct frame *frame; /* what runs, where functions are cut at their syncs */
    bool call_has_ended; /* which it does for that */
    struct task *records, *end;
    struct task *waits_for; /* while it sleeps, or NULL */
    int least_depth;        /* that it could take while it sleeps */
    unsigned asleep;
    unsigned random;
    bool is_taken; /* by a thread */
    pthread_t thread;
    /* tag, tail, split: what others may take is from the tail, inclusive, to the split. The tag changes whenever records may have
     * changed. */
    _Alignas(64) unsigned shared;
};
#define SHARED_TAIL(shared) ((shared) >> 11 & 0x7ff)
#define SHARED_SPLIT(shared) ((shared)&0x7ff)
#define SHARED(tag, tail, split) ((tag) << 22 | (tail) << 11 | (split))
#define SHARED_TAG(shared) ((shared) >> 22)

extern _Thread_local struct worker *cilk_self __asm__("__mog_cilk_self");
/* Of threads that have not spawned yet, and of those there was no place for; it has no room for tasks, so that all are done at once. */
extern struct worker cilk_none __asm__("__mog_cilk_none");

/* ---- what gcc's code calls; the functions of OpenMP by the same arguments ---- */

#define OTHER_ARGUMENTS bool deferred, unsigned flags, void **depend, int priority, void *event
void __mog_cilk_spawn(void (*function)(void *), void *data, void (*copy)(void *, void *), long bytes, long alignment, OTHER_ARGUMENTS);
void __mog_cilk_sync(unsigned children);
/* Where the inline way of <cilk/records.h> has no room. */
void __mog_cilk_spawn_slowly(void (*function)(void *), void *data, void (*copy)(void *, void *), long bytes, long alignment);

/* ---- spawn.c ---- */

/* Spawns what comes later than what its parent does until the sync. False: there is no room. */
bool cilk_spawn_later(void (*function)(void *), void *data, unsigned bytes) __asm__("__mog_cilk_spawn_later");

/* A task of another one's. */
void cilk_run_taken(struct worker *own, struct worker *owner, struct task *task) __asm__("__mog_cilk_run_taken");

/* ---- steal.c ---- */

void cilk_publish(struct worker *own) __asm__("__mog_cilk_publish");
/* The top of the array is no task that only its owner sees. Null: it was somebody else's, has ended, and is off. The task itself: it is to
 * be run. Another one, of `owner`: it is still somebody else's, and this one, which is as deep, has been taken to be done meanwhile. */
struct task *cilk_join(struct worker *own, struct task *task, int least_depth, struct worker **owner) __asm__("__mog_cilk_join");
/* Takes a task of another worker's, `owner`, that is as deep; null: there was none. */
struct task *cilk_take(struct worker *own, int least_depth, struct worker *first, struct worker **owner) __asm__("__mog_cilk_take");

/* ---- workers.c ---- */

extern struct worker **cilk_workers __asm__("__mog_cilk_workers");
extern unsigned cilk_places __asm__("__mog_cilk_places"); /* workers and threads of the program that have spawned */
extern unsigned cilk_count __asm__("__mog_cilk_count");   /* of workers, the program's first thread among them */
extern bool cilk_has_channels __asm__("__mog_cilk_has_channels");
extern unsigned cilk_enough __asm__("__mog_cilk_enough");     /* tasks that only a worker itself sees, before its spawns are calls */
extern unsigned cilk_in_stock __asm__("__mog_cilk_in_stock"); /* and that others see, for who takes one to ask for no more */
/* What is below `split` others may take. */
static inline void cilk_set_split(struct worker *own, struct task *split) {
    own->split = split;
    own->enough = split + cilk_enough;
}
/* The calling thread becomes a worker; the first time, the others are started. */
struct worker *cilk_enter(void) __asm__("__mog_cilk_enter");
void cilk_read_settings(void) __asm__("__mog_cilk_read_settings");
/* Until somebody has work of that depth, or the task has ended. */
void cilk_sleep(struct worker *own, int least_depth, struct task *task) __asm__("__mog_cilk_sleep");
/* There is work of this depth. */
void cilk_tell(int depth) __asm__("__mog_cilk_tell");
void cilk_wake(struct worker *worker) __asm__("__mog_cilk_wake");
_Noreturn void cilk_fail(const char *format, ...) __asm__("__mog_cilk_fail");
static inline bool cilk_anybody_sleeps(void) {
    extern unsigned sleepers __asm__("__mog_cilk_sleepers");
    return __atomic_load_n(&sleepers, __ATOMIC_RELAXED) != 0;
}
unsigned cilk_random(struct worker *own) __asm__("__mog_cilk_random");

/* ---- channels.c ---- */

/* False: there is no room, it has to be run at once. */
bool cilk_put(struct worker *own, struct task *task) __asm__("__mog_cilk_put");
bool cilk_help_from_channels(struct worker *own, unsigned least_level) __asm__("__mog_cilk_help_from_channels");
bool cilk_channels_have(unsigned least_level) __asm__("__mog_cilk_channels_have");
void cilk_join_by_channels(struct worker *own, struct task *task) __asm__("__mog_cilk_join_by_channels");

/* No level below `deepest` has anything, and this one may have. */
static inline void cilk_raise(unsigned *deepest, unsigned level) {
    for (unsigned now = ATOMIC_LOAD(deepest); now < level && !compare_and_swap(deepest, now, level);) now = ATOMIC_LOAD(deepest);
}

/* How many of a loop's iterations are done one after the other, if the program does not say: eight tasks for each worker. */
static inline unsigned cilk_grain(unsigned long long count) {
    const unsigned long long grain = count / (8 * (cilk_count ? cilk_count : 1));
    return grain < 1 ? 1 : grain > 2048 ? 2048 : (unsigned)grain;
}

/* ---- frames.c, in programs of -fcilk=channels; null in others ---- */

extern bool (*cilk_help_with_frames)(struct worker *own, unsigned least_level) __asm__("__mog_cilk_help_with_frames");
extern bool (*cilk_frames_have)(unsigned least_level) __asm__("__mog_cilk_frames_have");
extern unsigned cilk_channel_length __asm__("__mog_cilk_channel_length"); /* elements for a level; a power of two */

/* ---- views.c ---- */

/* What three strands did, in this order. */
struct view *cilk_merge(struct view *first, struct view *second, struct view *third) __asm__("__mog_cilk_merge");
/* All that was spawned has ended: what views hold goes where the program looks. */
void cilk_settle(struct worker *own) __asm__("__mog_cilk_settle");

/* Nothing that comes earlier in the program can still be running, nor wait in views. */
static inline bool is_leftmost(const struct worker *own) { return own->head == own->records && !own->stolen; }

#define UNLIKELY(condition) __builtin_expect(!!(condition), 0)
static inline int stack_pointer(void) {
    int pointer;
    __asm__("move %0, $29" : "=r"(pointer));
    return pointer;
}

#endif
