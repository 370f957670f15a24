/* workers.c: threads that do tasks, how many there are, where they sleep; and what programs ask of all that (<cilk/cilk_api.h>). */
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cilk.h"

enum { MOST_WORKERS = 4096, MOST_GUESTS = 256, MOST_LENGTH = 4096 };

#define NOWHERE ((struct task *)UINTPTR_MAX)
struct worker cilk_none = {.split = NOWHERE, .enough = NOWHERE};
_Thread_local struct worker *cilk_self = &cilk_none;
struct worker **cilk_workers;
unsigned cilk_places, cilk_count, cilk_enough, cilk_in_stock;
bool cilk_has_channels;
bool (*cilk_help_with_frames)(struct worker *own, unsigned least_level);
bool (*cilk_frames_have)(unsigned least_level);
unsigned cilk_channel_length = 64;

static struct {
    unsigned workers;
    size_t stack; /* 0: what threads have */
    long enough;  /* -1: what there are workers for */
    bool are_read, have_begun;
} settings = {.enough = -1};
static unsigned stops;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_key_t guest_key;

/* ---- settings ---- */

void cilk_fail(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    fflush(stdout);
    fprintf(stderr, "cilk: ");
    vfprintf(stderr, format, arguments);
    fprintf(stderr, "\n");
    va_end(arguments);
    exit(1);
}

/* A number with k, M or G behind it where `units`; false: it is none. */
static bool read_number(const char *text, bool units, unsigned long most, unsigned long *number) {
    char *end;
    if (*text < '0' || *text > '9') return false;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (units && *end) {
        const char *unit = strchr("kKmMgG", *end);
        if (!unit || end[1]) return false;
        for (long i = 0; i <= (unit - "kKmMgG") / 2; ++i) value = value > ULONG_MAX ? value : value * 1024;
    } else if (*end) {
        return false;
    }
    if (errno || value < 1 || value > most) return false;
    *number = (unsigned long)value;
    return true;
}

static bool set_workers(const char *text) {
    unsigned long number;
    if (!read_number(text, false, MOST_WORKERS, &number)) return false;
    settings.workers = number;
    return true;
}
enum { LEAST_STACK = 16384 };
static bool set_stack(const char *text) {
    unsigned long number;
    if (!read_number(text, true, INT_MAX, &number) || number < LEAST_STACK) return false;
    settings.stack = number;
    return true;
}

void cilk_read_settings(void) {
    if (settings.are_read) return;
    settings.are_read = true;
    const char *text = getenv("CILK_NWORKERS");
    if (text && *text && !set_workers(text)) cilk_fail("CILK_NWORKERS=%s: it is a number of workers, 1 to %d", text, MOST_WORKERS);
    text = getenv("CILK_STACK_SIZE");
    if (text && *text && !set_stack(text))
        cilk_fail("CILK_STACK_SIZE=%s: it is the bytes of a worker's stack, 16k or more, such as 65536, 256k or 2M", text);
    text = getenv("CILK_SCHEDULER");
    if (text && *text) {
        cilk_has_channels = strcmp(text, "channels") == 0;
        if (!cilk_has_channels && strcmp(text, "steal") != 0) cilk_fail("CILK_SCHEDULER=%s: there are steal and channels", text);
    }
    text = getenv("CILK_ENOUGH");
    if (text && *text) {
        unsigned long number = 0;
        if (strcmp(text, "0") != 0 && !read_number(text, false, RECORDS, &number))
            cilk_fail("CILK_ENOUGH=%s: it is the tasks that a worker has before its spawns are calls, 0 to %d", text, RECORDS);
        settings.enough = (long)number;
    }
    text = getenv("CILK_CHANNEL_LENGTH");
    if (text && *text) {
        unsigned long number;
        if (!read_number(text, false, MOST_LENGTH, &number) || number & (number - 1))
            cilk_fail("CILK_CHANNEL_LENGTH=%s: it is the elements of a channel, a power of two, 1 to %d", text, MOST_LENGTH);
        cilk_channel_length = number;
    }
    if (!settings.workers) {
        const long processors = sysconf(_SC_NPROCESSORS_ONLN);
        settings.workers = processors < 1 ? 1 : processors > MOST_WORKERS ? MOST_WORKERS : (unsigned)processors;
    }
}

/* ---- threads ---- */

static struct worker *new_worker(unsigned number) {
    struct worker *worker = aligned_alloc(64, sizeof *worker);
    /* Of many workers each has few tasks. */
    const unsigned room = settings.workers > 64 ? RECORDS / 8 : RECORDS;
    struct task *records = worker ? aligned_alloc(64, room * sizeof *records) : NULL;
    if (!records) {
        free(worker);
        return NULL;
    }
    memset(worker, 0, sizeof *worker);
    worker->records = worker->head = records;
    worker->limit = worker->end = records + room;
    cilk_set_split(worker, records);
    if (cilk_has_channels) {
        worker->limit = records;
        worker->split = worker->end;
        worker->enough = NOWHERE;
    }
    worker->number = number;
    worker->random = number * 2654435761u + 1;
    return worker;
}

unsigned cilk_random(struct worker *own) {
    own->random = own->random * 1664525 + 1013904223;
    return own->random >> 16;
}

static bool help(struct worker *own) {
    struct worker *owner;
    struct task *task = cilk_take(own, INT_MIN, NULL, &owner);
    if (task) cilk_run_taken(own, owner, task);
    return task;
}

static void *work(void *argument) {
    struct worker *own = argument;
    cilk_self = own;
    for (int rounds = 0; !ATOMIC_LOAD(&stops);) {
        own->offset = stack_pointer();
        bool (*const with_frames)(struct worker *, unsigned) = ATOMIC_LOAD(&cilk_help_with_frames);
        if (with_frames && with_frames(own, 0)) {
            rounds = 0;
        } else if (cilk_has_channels ? cilk_help_from_channels(own, 1) : help(own)) {
            rounds = 0;
        } else if (++rounds < SPINS) {
            relax();
        } else {
            rounds = 0;
            cilk_sleep(own, cilk_has_channels ? 1 : INT_MIN, NULL);
        }
    }
    return NULL;
}

static void leave(void *argument) {
    struct worker *own = argument;
    cilk_self = &cilk_none;
    ATOMIC_STORE(&own->is_taken, false);
}

/* A task that somebody takes may need as much stack as the program has: so few workers have more than other threads, and all together a
 * quarter of the memory. */
enum { ALL_STACKS = 64 << 20, MOST_STACK = 8 << 20, FAIR_STACK = 64 << 10, PAGE = 4096 };
static size_t usual_stack(void) {
    struct rlimit limit;
    const size_t all = getrlimit(RLIMIT_DATA, &limit) == 0 && limit.rlim_cur / 4 < ALL_STACKS ? limit.rlim_cur / 4 : ALL_STACKS;
    const size_t bytes = all / settings.workers & ~(size_t)(PAGE - 1);
    return bytes < FAIR_STACK ? FAIR_STACK : bytes > MOST_STACK ? MOST_STACK : bytes;
}

/* Of one worker alone nobody takes anything. A worker that nobody asks makes a task for each way of leaving so many branches of a tree for
 * later, LEAST_ENOUGH where a tree of n levels has n choose 4 of them. But where tasks are large, and do not spawn, others are to find what
 * they can do until the worker is done with its own; of more workers than that all spawns are tasks. */
enum { LEAST_ENOUGH = 4, MOST_SERVED = 16 };
static unsigned usually_enough(void) {
    if (cilk_count == 1) return 0;
    return cilk_count > MOST_SERVED ? RECORDS : cilk_count < LEAST_ENOUGH ? LEAST_ENOUGH : cilk_count;
}
/* The workers, of which all but the first are threads of ours. */
static void start(void) {
    cilk_read_settings();
    const unsigned places = settings.workers + MOST_GUESTS;
    if (!cilk_workers) cilk_workers = calloc(MOST_WORKERS + MOST_GUESTS, sizeof *cilk_workers);
    if (!cilk_workers) cilk_fail("out of memory for %u workers", places);
    pthread_key_create(&guest_key, leave);
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, settings.stack ? settings.stack : usual_stack());
    settings.have_begun = true;
    cilk_count = settings.workers; /* read by those that begin */
    cilk_enough = settings.enough >= 0 ? (unsigned)settings.enough : usually_enough();
    cilk_in_stock = cilk_count > MOST_SERVED ? 1 : cilk_count - 1;
    unsigned number = 1;
    cilk_workers[0] = new_worker(0);
    if (!cilk_workers[0]) cilk_fail("out of memory for a worker's tasks");
    cilk_workers[0]->is_taken = true;
    ATOMIC_STORE(&cilk_places, 1);
    for (; number < settings.workers; ++number) {
        struct worker *worker = cilk_workers[number] = new_worker(number);
        if (!worker) break;
        worker->is_taken = true;
        int error = pthread_create(&worker->thread, &attributes, work, worker);
        if (error && !settings.stack) { /* perhaps the heap has taken the rest */
            pthread_attr_setstacksize(&attributes, FAIR_STACK);
            error = pthread_create(&worker->thread, &attributes, work, worker);
        }
        if (error) {
            free(worker->records);
            free(worker);
            break;
        }
        ATOMIC_STORE(&cilk_places, number + 1);
    }
    cilk_count = number;
    pthread_attr_destroy(&attributes);
}

/* A place for a thread that the program has created; null: there are too many. */
static struct worker *find_guest(void) {
    for (unsigned i = cilk_count; i < cilk_places; ++i)
        if (!ATOMIC_LOAD(&cilk_workers[i]->is_taken)) return cilk_workers[i];
    if (cilk_places == cilk_count + MOST_GUESTS) return NULL;
    struct worker *guest = cilk_workers[cilk_places] = new_worker(cilk_places);
    if (guest) ATOMIC_STORE(&cilk_places, cilk_places + 1);
    return guest;
}

struct worker *cilk_enter(void) {
    pthread_mutex_lock(&lock);
    struct worker *own;
    if (!settings.have_begun) start();
    /* The first is the program's first thread. */
    own = __mog_self.id == 1 ? cilk_workers[0] : find_guest();
    if (own) {
        own->is_taken = true;
        own->offset = stack_pointer();
        cilk_self = own;
        pthread_setspecific(guest_key, own);
    }
    pthread_mutex_unlock(&lock);
    return own ? own : &cilk_none;
}

/* ---- sleep ---- */

unsigned sleepers __asm__("__mog_cilk_sleepers");

void cilk_wake(struct worker *worker) {
    if (!compare_and_swap(&worker->asleep, 1, 0)) return;
    __atomic_fetch_sub(&sleepers, 1, __ATOMIC_SEQ_CST);
    __mog_wake(&worker->asleep, 1);
}

void cilk_tell(int depth) {
    for (unsigned i = 0, places = ATOMIC_LOAD(&cilk_places); i < places; ++i) {
        struct worker *worker = cilk_workers[i];
        if (ATOMIC_LOAD(&worker->asleep) && __atomic_load_n(&worker->least_depth, __ATOMIC_RELAXED) <= depth) {
            cilk_wake(worker);
            return;
        }
    }
}

static bool anybody_has(int least_depth) {
    if (cilk_frames_have && cilk_frames_have(least_depth < 0 ? 0 : (unsigned)least_depth)) return true;
    if (cilk_has_channels) return cilk_channels_have(least_depth);
    for (unsigned i = 0, places = ATOMIC_LOAD(&cilk_places); i < places; ++i) {
        struct worker *worker = cilk_workers[i];
        const unsigned shared = __atomic_load_n(&worker->shared, __ATOMIC_SEQ_CST), tail = SHARED_TAIL(shared);
        if (tail < SHARED_SPLIT(shared) && worker->records[tail].depth >= least_depth) return true;
        ATOMIC_STORE(&worker->wanted, 1);
    }
    return false;
}

void cilk_sleep(struct worker *own, int least_depth, struct task *task) {
    __atomic_store_n(&own->least_depth, least_depth, __ATOMIC_RELAXED);
    ATOMIC_STORE(&own->waits_for, task);
    __atomic_fetch_add(&sleepers, 1, __ATOMIC_SEQ_CST);
    __atomic_store_n(&own->asleep, 1, __ATOMIC_SEQ_CST);
    /* Whoever has work, or is done with the task, after this has been looked at sees who sleeps. */
    if (!ATOMIC_LOAD(&stops) && !(task && __atomic_load_n(&task->state, __ATOMIC_SEQ_CST) >= TASK_GOES_ON) && !anybody_has(least_depth))
        while (ATOMIC_LOAD(&own->asleep)) __mog_wait_on(&own->asleep, 1, NULL);
    else if (compare_and_swap(&own->asleep, 1, 0)) __atomic_fetch_sub(&sleepers, 1, __ATOMIC_SEQ_CST);
    ATOMIC_STORE(&own->waits_for, NULL);
}

/* ---- what programs call ---- */

static unsigned workers_wanted(void) {
    cilk_read_settings();
    return settings.have_begun ? cilk_count : settings.workers;
}
int __cilkrts_get_nworkers(void) { return (int)workers_wanted(); }
int __cilkrts_get_total_workers(void) { return (int)workers_wanted() + MOST_GUESTS; }
int __cilkrts_get_worker_number(void) { return (int)cilk_self->number; }
int __cilkrts_is_initialized(void) { return settings.have_begun; }
void __cilkrts_init(void) {
    if (cilk_self == &cilk_none) cilk_enter();
}

int __cilkrts_set_param(const char *name, const char *value) {
    cilk_read_settings();
    if (!name || !value) return __CILKRTS_SET_PARAM_INVALID;
    const bool is_workers = strcmp(name, "nworkers") == 0;
    if (!is_workers && strcmp(name, "stack size") != 0) return __CILKRTS_SET_PARAM_UNIMP;
    if (settings.have_begun) return __CILKRTS_SET_PARAM_LATE;
    return (is_workers ? set_workers(value) : set_stack(value)) ? __CILKRTS_SET_PARAM_SUCCESS : __CILKRTS_SET_PARAM_XRANGE;
}

/* Workers end; the next spawn starts others. For a thread that has nothing spawned, while no other one has. A function that is cut at its
 * syncs is a worker's own, so that they stay. */
void __cilkrts_end_cilk(void) {
    if (cilk_self->frame) return;
    pthread_mutex_lock(&lock);
    if (settings.have_begun) {
        __atomic_store_n(&stops, 1, __ATOMIC_SEQ_CST);
        for (unsigned i = 0; i < cilk_places; ++i) cilk_wake(cilk_workers[i]);
        for (unsigned i = 1; i < cilk_count; ++i) pthread_join(cilk_workers[i]->thread, NULL);
        pthread_setspecific(guest_key, NULL);
        pthread_key_delete(guest_key);
        for (unsigned i = 0; i < cilk_places; ++i) {
            free(cilk_workers[i]->records);
            free(cilk_workers[i]);
        }
        cilk_places = cilk_count = 0;
        cilk_self = &cilk_none;
        settings.have_begun = false;
        ATOMIC_STORE(&stops, 0);
    }
    pthread_mutex_unlock(&lock);
}
