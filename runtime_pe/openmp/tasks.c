/* tasks.c: tasks, groups of them, and loops of tasks. Each member of a team has a queue; who has nothing to do takes from others. Who waits
 * for tasks does only such as descend from its own, as OpenMP wants of tied tasks: so stacks do not grow beyond what the program nests. */
#include <stdlib.h>
#include <string.h>

#include "openmp.h"

/* So many for each member may wait: further tasks are done at once. */
enum { MOST_WAITING = 64 };

/* ---- queues ---- */

static void append(struct queue *queue, struct task *task) {
    omp_spin_lock(&queue->lock);
    task->next = NULL;
    task->previous = queue->last;
    if (queue->last) queue->last->next = task;
    else queue->first = task;
    ATOMIC_STORE(&queue->last, task);
    omp_spin_unlock(&queue->lock);
}
static void insert_by_priority(struct queue *queue, struct task *task) {
    omp_spin_lock(&queue->lock);
    struct task *after = queue->last;
    while (after && after->priority < task->priority) after = after->previous;
    task->previous = after;
    task->next = after ? after->next : queue->first;
    if (after) after->next = task;
    else queue->first = task;
    if (task->next) task->next->previous = task;
    else ATOMIC_STORE(&queue->last, task);
    omp_spin_unlock(&queue->lock);
}

static bool descends(const struct task *task, const struct task *from) {
    while (task && task->depth > from->depth) task = task->parent;
    return task == from;
}

static struct task *take_from(struct queue *queue, const struct task *within, bool newest) {
    if (!ATOMIC_LOAD(&queue->last)) return NULL;
    omp_spin_lock(&queue->lock);
    struct task *task = newest ? queue->last : queue->first;
    while (task && within && !descends(task, within)) task = newest ? task->previous : task->next;
    if (task) {
        if (task->previous) task->previous->next = task->next;
        else queue->first = task->next;
        if (task->next) task->next->previous = task->previous;
        else ATOMIC_STORE(&queue->last, task->previous);
    }
    omp_spin_unlock(&queue->lock);
    return task;
}

static void make_ready(struct team *team, unsigned number, struct task *task) {
    if (task->priority > 0) insert_by_priority(&team->urgent, task);
    else append(&team->members[number].queue, task);
    __atomic_fetch_add(&team->queued, 1, __ATOMIC_SEQ_CST);
    omp_notify(team, false);
}

static struct task *find(struct context *own, const struct task *within) {
    struct team *team = own->team;
    struct task *task = take_from(&team->urgent, within, false);
    if (!task) task = take_from(&team->members[own->number].queue, within, true);
    for (unsigned i = 1; !task && i < team->threads; ++i) {
        if (++own->place >= team->threads) own->place = 0;
        if (own->place != own->number) task = take_from(&team->members[own->place].queue, within, false);
    }
    if (task) __atomic_fetch_sub(&team->queued, 1, __ATOMIC_SEQ_CST);
    return task;
}

/* ---- ends ---- */

void omp_unreference(struct task *task) {
    if (__atomic_sub_fetch(&task->references, 1, __ATOMIC_ACQ_REL)) return;
    omp_forget_dependences(task);
    free(task);
}

/* By a member of the team, or by a thread that is none, who has the number of one. */
static void end(struct task *task, unsigned number) {
    struct team *team = task->team;
    struct meeting *meeting = team->meeting;
    struct task *parent = task->parent;
    bool tells = false;
    for (struct task *next = omp_release_successors(task); next;) {
        struct task *ready = next;
        next = ready->next;
        make_ready(team, number, ready);
    }
    if (task->own && __atomic_sub_fetch(&task->own->tasks, 1, __ATOMIC_SEQ_CST) == 0) tells = true;
    if (__atomic_sub_fetch(&parent->children, 1, __ATOMIC_SEQ_CST) == 0) tells = true;
    omp_unreference(task);
    omp_unreference(parent);
    if (tells && ATOMIC_LOAD(&team->meeting->restricted)) omp_notify(team, true);
    /* The team may be gone once the last task has ended. */
    if (__atomic_sub_fetch(&meeting->tasks, 1, __ATOMIC_SEQ_CST) == 0) omp_try_release(meeting);
}

/* That of loops and sections is none that a program has written. */
static struct taskgroup *written(struct taskgroup *group) { return group && group->of_share && group->outer ? group->outer : group; }
struct taskgroup *omp_group_to_cancel(const struct task *task) {
    return written(task->own ? task->own : task->group);
}

static bool is_cancelled(const struct team *team, struct taskgroup *group) {
    if (!omp_environment.cancellation) return false;
    if (ATOMIC_LOAD(&team->cancelled) & CANCEL_PARALLEL) return true;
    return group && (ATOMIC_LOAD(&group->cancelled) || ATOMIC_LOAD(&written(group)->cancelled));
}

static void run(struct context *own, struct task *task) {
    struct task *before = own->task;
    own->task = task;
    if (!is_cancelled(own->team, task->own)) task->function(task->arguments);
    else task->detached = 0;
    own->task = before;
    if (!task->detached || __atomic_fetch_add(&task->detached, 1, __ATOMIC_ACQ_REL) == 2) end(task, own->number);
}

bool omp_do_task(struct context *own, const struct task *within) {
    struct task *task = find(own, within);
    if (task) run(own, task);
    return task != NULL;
}

void omp_wait_until_zero(struct context *own, const unsigned *count) {
    struct team *team = own->team;
    struct meeting *meeting = team->meeting;
    for (int spins = 0; ATOMIC_LOAD(count);) {
        if (ATOMIC_LOAD(&team->queued) && omp_do_task(own, omp_task(own))) {
            spins = 0;
        } else if (spins < SPINS) {
            ++spins;
            relax();
        } else {
            const unsigned event = ATOMIC_LOAD(&meeting->event);
            __atomic_fetch_add(&meeting->restricted, 1, __ATOMIC_SEQ_CST);
            __atomic_fetch_add(&meeting->sleepers, 1, __ATOMIC_SEQ_CST);
            if (ATOMIC_LOAD(count) && !(ATOMIC_LOAD(&team->queued) && omp_do_task(own, omp_task(own))))
                __mog_wait_on(&meeting->event, event, NULL);
            __atomic_fetch_sub(&meeting->sleepers, 1, __ATOMIC_SEQ_CST);
            __atomic_fetch_sub(&meeting->restricted, 1, __ATOMIC_SEQ_CST);
        }
    }
}

void omp_fulfill_event(omp_event_handle_t event) {
    struct task *task = (struct task *)(uintptr_t)event;
    if (__atomic_fetch_add(&task->detached, 1, __ATOMIC_ACQ_REL) != 2) return;
    const struct context *own = omp_self();
    end(task, own->team == task->team ? own->number : 0);
}

/* ---- what gcc calls ---- */

struct request {
    void (*function)(void *);
    void *data;
    void (*copy)(void *, void *);
    size_t bytes, alignment;
    unsigned flags;
    void **depend;
    int priority;
    bool at_once;
};

static void begin_task(struct task *task, const struct request *request, struct context *own) {
    struct task *parent = omp_task(own);
    memset(task, 0, sizeof *task);
    task->function = request->function;
    task->parent = parent;
    task->team = own->team;
    task->group = task->own = parent->group;
    task->settings = parent->settings;
    task->depth = parent->depth + 1;
    task->references = 1;
    task->final = parent->final || request->flags & TASK_FINAL;
    task->priority = request->priority < omp_environment.priority ? request->priority : omp_environment.priority;
}

static void fill_arguments(void *arguments, const struct request *request, const void *range, size_t range_bytes) {
    if (request->copy) request->copy(arguments, request->data);
    else memcpy(arguments, request->data, request->bytes);
    if (range) memcpy(arguments, range, range_bytes);
}

/* Without a place in a queue, by the thread that creates it. */
static void run_at_once(struct context *own, const struct request *request, const void *range, size_t range_bytes) {
    if (request->flags & TASK_DEPEND && omp_task(own)->table) omp_wait_for_dependences(own, request->depend);
    struct task task;
    begin_task(&task, request, own);
    task.own = NULL;
    struct task *before = own->task;
    if (request->copy || range) {
        char memory[request->bytes + request->alignment];
        task.arguments = omp_align(memory, request->alignment);
        fill_arguments(task.arguments, request, range, range_bytes);
        own->task = &task;
        task.function(task.arguments);
    } else {
        own->task = &task;
        task.function(request->data);
    }
    own->task = before;
    /* Its children may outlive it, where it did: what they say of their parent must be there. */
    if (ATOMIC_LOAD(&task.children)) {
        own->task = &task;
        omp_wait_until_zero(own, &task.children);
        own->task = before;
    }
    while (ATOMIC_LOAD(&task.references) > 1) relax();
    omp_forget_dependences(&task);
}

static void create(struct context *own, const struct request *request, void *event, const void *range, size_t range_bytes) {
    struct task *parent = omp_task(own);
    struct team *team = own->team;
    if (is_cancelled(team, parent->group)) return;
    const bool detaches = request->flags & TASK_DETACH;
    bool at_once = request->at_once || parent->final || (team->threads == 1 && !detaches);
    if (!at_once && !detaches && ATOMIC_LOAD(&team->queued) > MOST_WAITING * team->threads) at_once = true;
    const size_t alignment = request->alignment ? request->alignment : 1;
    if (at_once && !detaches) {
        run_at_once(own, request, range, range_bytes);
        return;
    }
    struct task *task = malloc(sizeof *task + request->bytes + alignment);
    if (!task) omp_fail("out of memory for a task");
    begin_task(task, request, own);
    task->arguments = omp_align(task + 1, alignment);
    if (detaches) {
        task->detached = 1;
        /* The copies that follow take it from here. */
        *(omp_event_handle_t *)request->data = (omp_event_handle_t)(uintptr_t)task;
        if (event) *(void **)event = task;
    }
    fill_arguments(task->arguments, request, range, range_bytes);
    __atomic_fetch_add(&parent->references, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&parent->children, 1, __ATOMIC_RELAXED);
    if (task->own) __atomic_fetch_add(&task->own->tasks, 1, __ATOMIC_RELAXED);
    __atomic_fetch_add(&team->meeting->tasks, 1, __ATOMIC_SEQ_CST);
    if (request->flags & TASK_DEPEND && omp_depend(parent, task, request->depend)) return;
    make_ready(team, own->number, task);
    if (at_once) omp_wait_until_zero(own, &parent->children);
}

GOMP(void, task,
     (void (*function)(void *), void *data, void (*copy)(void *, void *), long bytes, long alignment, bool deferred, unsigned flags,
      void **depend, int priority, void *event)) {
    struct context *own = omp_self();
    const struct request request = {
        function, data, copy, (size_t)bytes, (size_t)alignment, flags, depend, flags & TASK_PRIORITY ? priority : 0, !deferred};
    create(own, &request, event, NULL, 0);
}

GOMP(void, taskwait, (void)) {
    struct context *own = omp_self();
    omp_wait_until_zero(own, &omp_task(own)->children);
}
GOMP(void, taskwait_depend, (void **depend)) {
    struct context *own = omp_self();
    if (omp_task(own)->table) omp_wait_for_dependences(own, depend);
}
GOMP(void, taskyield, (void)) {
    struct context *own = omp_self();
    if (!omp_do_task(own, omp_task(own))) sched_yield();
}

GOMP(void, taskgroup_start, (void)) {
    struct context *own = omp_self();
    struct taskgroup *group = calloc(1, sizeof *group);
    if (!group) omp_fail("out of memory for a taskgroup");
    group->outer = omp_task(own)->group;
    omp_task(own)->group = group;
    if (group->outer) group->reductions = group->outer->reductions;
}
GOMP(void, taskgroup_end, (void)) {
    struct context *own = omp_self();
    struct taskgroup *group = omp_task(own)->group;
    omp_wait_until_zero(own, &group->tasks);
    omp_task(own)->group = group->outer;
    free(group);
}

/* ---- loops of tasks ---- */

void GOMP_taskgroup_reduction_register(uintptr_t *reductions);
enum { REDUCTION_MEMORY = 2 }; /* in the first array of a registration, where the copies are */

/* In how many tasks; each has as many iterations as another, or one less. With a size of tasks that is strict the last has the rest. */
static wide count_tasks(const struct context *own, unsigned flags, wide iterations, unsigned long number) {
    if (flags & TASK_GRAINSIZE) {
        if (flags & TASK_STRICT) return (iterations - 1) / number + 1;
        return iterations / number ? iterations / number : 1;
    }
    const wide tasks = number ? number : own->team->threads;
    return tasks < iterations ? tasks : iterations;
}

#define TASKLOOP(name, type, unsigned_type)                                                                                          \
    GOMP(void, name,                                                                                                                 \
         (void (*function)(void *), void *data, void (*copy)(void *, void *), long bytes, long alignment, unsigned flags,            \
          unsigned long number, int priority, type start, type stop, type step)) {                                                   \
        struct context *own = omp_self();                                                                                            \
        const bool up = flags & TASK_UP, groups = !(flags & TASK_NOGROUP);                                                           \
        uintptr_t *const reductions = groups && flags & TASK_REDUCTION ? *(uintptr_t **)((type *)data + 2) : NULL;                   \
        if (up ? start >= stop : start <= stop) {                                                                                    \
            if (reductions) reductions[REDUCTION_MEMORY] = 0; /* so gcc knows that nothing is registered */                          \
            return;                                                                                                                  \
        }                                                                                                                            \
        const unsigned_type distance = up ? (unsigned_type)stop - (unsigned_type)start : (unsigned_type)start - (unsigned_type)stop; \
        const unsigned_type stride = up ? (unsigned_type)step : -(unsigned_type)step;                                                \
        const wide iterations = (wide)((distance - 1) / stride) + 1;                                                                 \
        const wide tasks = count_tasks(own, flags, iterations, number);                                                              \
        const bool strict = flags & TASK_GRAINSIZE && flags & TASK_STRICT;                                                           \
        const struct request request = {function,                                                                                    \
                                        data,                                                                                        \
                                        copy,                                                                                        \
                                        (size_t)bytes,                                                                               \
                                        (size_t)alignment,                                                                           \
                                        flags & ~(unsigned)(TASK_DEPEND | TASK_DETACH),                                              \
                                        NULL,                                                                                        \
                                        flags & TASK_PRIORITY ? priority : 0,                                                        \
                                        !(flags & TASK_IF)};                                                                         \
        if (groups) {                                                                                                                \
            GOMP_taskgroup_start();                                                                                                  \
            if (reductions) GOMP_taskgroup_reduction_register(reductions);                                                           \
        }                                                                                                                            \
        wide done = 0;                                                                                                               \
        for (wide i = 0; i < tasks; ++i) {                                                                                           \
            wide size = strict ? number : iterations / tasks + (i < iterations % tasks);                                             \
            if (size > iterations - done) size = iterations - done;                                                                  \
            type range[2] = {(type)((unsigned_type)start + (unsigned_type)done * (unsigned_type)step)};                              \
            done += size;                                                                                                            \
            range[1] = done == iterations ? stop : (type)((unsigned_type)start + (unsigned_type)done * (unsigned_type)step);         \
            create(own, &request, NULL, range, sizeof range);                                                                        \
        }                                                                                                                            \
        if (groups) GOMP_taskgroup_end();                                                                                            \
    }
TASKLOOP(taskloop, long, unsigned long)
TASKLOOP(taskloop_ull, wide, wide)
