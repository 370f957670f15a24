/* loops.c: cilk_for. Its iterations are halved until so few are left as the grain says; the halves that come later are tasks. What gcc
 * makes of the body is a function that does a range of iterations. */
#include <string.h>

#include "cilk.h"

typedef unsigned long long wide;

enum { LOOP_UP = 256, LOOP_GRAINSIZE = 512 };

struct loop {
    void (*function)(void *);
    void *data;
    void (*copy)(void *, void *);
    unsigned bytes, alignment;
    bool is_wide;
    wide start, step, grain;
};
struct range {
    const struct loop *loop;
    wide from, to;
};

static void do_iterations(const struct loop *loop, wide from, wide to) {
    char memory[loop->bytes + loop->alignment];
    char *arguments = memory + (-(uintptr_t)memory & (uintptr_t)(loop->alignment - 1));
    if (loop->copy) loop->copy(arguments, loop->data);
    else memcpy(arguments, loop->data, loop->bytes);
    const wide first = loop->start + from * loop->step, end = loop->start + to * loop->step;
    if (loop->is_wide) {
        memcpy(arguments, (wide[]){first, end}, 2 * sizeof(wide));
    } else {
        memcpy(arguments, (long[]){(long)first, (long)end}, 2 * sizeof(long));
    }
    loop->function(arguments);
}

static void do_range(void *data) {
    const struct range *range = data;
    const struct loop *loop = range->loop;
    const wide from = range->from;
    wide to = range->to;
    unsigned children = 0;
    while (to - from > loop->grain) {
        struct range later = {loop, from + (to - from) / 2, to};
        if (!cilk_spawn_later(do_range, &later, sizeof later)) break;
        to = later.from;
        ++children;
    }
    do_iterations(loop, from, to);
    __mog_cilk_sync(children);
}

static void do_loop(struct loop *loop, wide count, unsigned flags, unsigned long grain) {
    if (!count) return;
    if (cilk_self == &cilk_none) cilk_enter();
    loop->grain = flags & LOOP_GRAINSIZE && grain ? grain : cilk_grain(count);
    do_range(&(struct range){loop, 0, count});
}

void __mog_cilk_loop(void (*function)(void *), void *data, void (*copy)(void *, void *), long bytes, long alignment, unsigned flags,
                     unsigned long grain, int priority, long start, long end, long step);
void __mog_cilk_loop(void (*function)(void *), void *data, void (*copy)(void *, void *), long bytes, long alignment, unsigned flags,
                     unsigned long grain, int priority, long start, long end, long step) {
    (void)priority;
    /* gcc has the step of a narrow type without sign as it is in that type: 253 of an unsigned char that goes down by 3. */
    if (!(flags & LOOP_UP) && step > 0) step -= step < 256 && start < 256 ? 256 : 65536;
    struct loop loop = {function, data, copy, bytes, alignment, false, start, step, 0};
    const unsigned distance = flags & LOOP_UP ? (unsigned)end - start : (unsigned)start - end, stride = flags & LOOP_UP ? step : -step;
    const bool any = flags & LOOP_UP ? start < end : start > end;
    do_loop(&loop, any ? (distance - 1) / stride + 1 : 0, flags, grain);
}

void __mog_cilk_loop_ull(void (*function)(void *), void *data, void (*copy)(void *, void *), long bytes, long alignment, unsigned flags,
                         unsigned long grain, int priority, wide start, wide end, wide step);
void __mog_cilk_loop_ull(void (*function)(void *), void *data, void (*copy)(void *, void *), long bytes, long alignment, unsigned flags,
                         unsigned long grain, int priority, wide start, wide end, wide step) {
    (void)priority;
    struct loop loop = {function, data, copy, bytes, alignment, true, start, step, 0};
    const wide distance = flags & LOOP_UP ? end - start : start - end, stride = flags & LOOP_UP ? step : -step;
    const bool any = flags & LOOP_UP ? start < end : start > end;
    do_loop(&loop, any ? (distance - 1) / stride + 1 : 0, flags, grain);
}
