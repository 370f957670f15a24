/* spawn.c: spawn and sync, by their short ways. */
#include <stdlib.h>
#include <string.h>

#include "cilk.h"

typedef unsigned word __attribute__((may_alias));

/* Up to ROOM, and what happens to be behind them. */
static inline void copy_few(word *to, const word *from) {
    const word a = from[0], b = from[1], c = from[2], d = from[3];
    to[0] = a;
    to[1] = b;
    to[2] = c;
    to[3] = d;
}
static inline void copy_quickly(void *to, const void *from, unsigned bytes) {
    copy_few(to, from);
    if (bytes > FEW) copy_few((word *)to + FEW / sizeof(word), (const word *)from + FEW / sizeof(word));
}

static inline void push(struct worker *own, void (*function)(void *), unsigned bytes) {
    struct task *task = own->head;
    __MOG_CILK_FILL(own, task, function, bytes);
}

__attribute__((noinline)) void __mog_cilk_spawn_slowly(void (*function)(void *), void *data, void (*copy)(void *, void *), long bytes,
                                                       long alignment) {
    struct worker *own = cilk_self;
    if (own == &cilk_none) own = cilk_enter();
    if (own->head >= own->end || !own->records) { /* it is done in its turn, as if it were called */
        char memory[copy ? bytes + alignment : 1];
        if (copy) {
            char *arguments = memory + (-(uintptr_t)memory & (uintptr_t)(alignment - 1));
            copy(arguments, data);
            data = arguments;
        }
        function(data);
        if (own != &cilk_none) ++own->overflow;
        return;
    }
    struct task *task = own->head;
    char *arguments = task->arguments;
    task->elsewhere = NULL;
    if (bytes > ROOM || alignment > 16) {
        task->elsewhere = malloc(bytes + alignment);
        if (!task->elsewhere) cilk_fail("out of memory for the %ld bytes of a spawned call's arguments", bytes);
        arguments = task->elsewhere + (-(uintptr_t)task->elsewhere & (uintptr_t)(alignment - 1));
    }
    if (copy) copy(arguments, data);
    else if (bytes) memcpy(arguments, data, bytes);
    /* More than there is room for: where they begin is told by the record. */
    if (task->elsewhere) memcpy(task->arguments, &arguments, sizeof arguments);
    task->level = own->level + 1;
    if (cilk_has_channels) {
        struct view *views = own->views;
        push(own, function, ROOM + 1);
        if (cilk_put(own, task)) return;
        /* Done in its turn; what is left of it is a record of a task that has ended. */
        task->before = NULL;
        own->views = views;
        task->after = NULL;
        ++own->level;
        function(arguments);
        --own->level;
        task->state = TASK_DONE;
        return;
    }
    push(own, function, task->elsewhere ? ROOM + 1 : (unsigned)bytes);
    if (UNLIKELY(__atomic_load_n(&own->wanted, __ATOMIC_RELAXED))) cilk_publish(own);
}

void __mog_cilk_spawn(void (*function)(void *), void *data, void (*copy)(void *, void *), long bytes, long alignment, OTHER_ARGUMENTS) {
    (void)deferred, (void)flags, (void)depend, (void)priority, (void)event;
    struct worker *own = cilk_self;
    if (UNLIKELY(own->head >= own->limit || bytes > ROOM || alignment > 16 || copy)) {
        __mog_cilk_spawn_slowly(function, data, copy, bytes, alignment);
        return;
    }
    if (bytes) copy_quickly(own->head->arguments, data, bytes); /* else there are none: a null pointer */
    push(own, function, bytes);
    if (UNLIKELY(__atomic_load_n(&own->wanted, __ATOMIC_RELAXED))) cilk_publish(own);
}

static char *arguments_of(struct task *task) {
    char *arguments = task->arguments;
    if (task->bytes > ROOM && task->elsewhere) memcpy(&arguments, task->arguments, sizeof arguments);
    return arguments;
}

bool cilk_spawn_later(void (*function)(void *), void *data, unsigned bytes) {
    struct worker *own = cilk_self;
    struct task *task = own->head;
    if (!own->records || task >= own->end) return false;
    memcpy(task->arguments, data, bytes);
    task->elsewhere = NULL;
    task->level = own->level + 1;
    struct view *views = own->views;
    push(own, function, bytes | COMES_LATER);
    task->before = NULL;
    own->views = views;
    if (cilk_has_channels) {
        if (cilk_put(own, task)) return true;
        own->head = task;
        return false;
    }
    if (UNLIKELY(__atomic_load_n(&own->wanted, __ATOMIC_RELAXED))) cilk_publish(own);
    return true;
}

static __attribute__((noinline)) void run_own_slowly(struct worker *own, struct task *task) {
    struct view *const before = task->before, *const after = own->views;
    const bool comes_later = task->bytes & COMES_LATER;
    void (*const function)(void *) = task->function;
    _Alignas(16) char copy[ROOM];
    char *const elsewhere = task->elsewhere, *const arguments = arguments_of(task);
    if (!elsewhere) memcpy(copy, arguments, ROOM);
    if (!comes_later) own->views = NULL;
    own->head = task;
    /* It goes on where its parent was: if that is first of all now, what views hold does not wait any longer. */
    if (own->views && is_leftmost(own)) cilk_settle(own);
    function(elsewhere ? arguments : copy);
    free(elsewhere);
    if (!comes_later && (before || after)) own->views = cilk_merge(before, own->views, after);
}

/* The task on top, which is gone then. */
static inline void run_own(struct worker *own, struct task *task) {
    if (UNLIKELY(task->bytes > ROOM)) {
        run_own_slowly(own, task);
        return;
    }
    struct view *const before = task->before, *const after = own->views;
    void (*const function)(void *) = task->function;
    /* What it spawns goes where its record is, so what does not take its arguments at once has a copy. */
    _Alignas(16) char copy[ROOM];
    char *arguments = task->arguments;
    if (task->bytes) {
        copy_quickly(copy, arguments, task->bytes);
        arguments = copy;
    }
    own->views = NULL;
    own->head = task;
    function(arguments);
    if (UNLIKELY(before || after)) own->views = cilk_merge(before, own->views, after);
}

static inline void run_taken(struct worker *own, struct worker *owner, struct task *task) {
    const int offset = own->offset;
    const unsigned level = own->level;
    struct view *const views = own->views;
    own->views = NULL;
    own->level = task->level;
    own->offset = task->depth + stack_pointer();
    ++own->stolen;
    task->function(arguments_of(task));
    --own->stolen;
    own->offset = offset;
    own->level = level;
    task->after = own->views;
    own->views = views;
    __atomic_store_n(&task->state, TASK_DONE, __ATOMIC_SEQ_CST);
    if (ATOMIC_LOAD(&owner->asleep) && ATOMIC_LOAD(&owner->waits_for) == task) cilk_wake(owner);
}

void cilk_run_taken(struct worker *own, struct worker *owner, struct task *task) { run_taken(own, owner, task); }

/* What it takes while it waits begins where its own children begin, as deep in the stack: so what is as deep as they are does not take more
 * of it. */
void __mog_cilk_sync(unsigned children) {
    struct worker *own = cilk_self;
    for (; children; --children) {
        if (UNLIKELY(own->overflow)) {
            --own->overflow;
            continue;
        }
        struct task *task = own->head - 1;
        if (UNLIKELY(task < own->split)) {
            const int depth = own->offset - (int)__builtin_dwarf_cfa();
            struct worker *owner;
            struct task *what;
            while ((what = cilk_join(own, task, depth, &owner)) && what != task) run_taken(own, owner, what);
            if (!what) continue;
        }
        if (UNLIKELY(__atomic_load_n(&own->wanted, __ATOMIC_RELAXED)) && task > own->split) {
            own->head = task;
            cilk_publish(own);
        }
        run_own(own, task);
    }
    if (UNLIKELY(own->views != NULL) && is_leftmost(own)) cilk_settle(own);
}
