/* frames.c: programs of mogcc -fcilk=channels. Functions with spawns are cut at their syncs, and wait nowhere on a stack: Orr and others,
 * "Fine-grain Task Aggregation and Coordination on GPUs", 2014, section 5.
 *
 * A call of such a function is a frame: its arguments, its variables, and at which sync it goes on. Frames lie in channels, one for each
 * level of nesting and size: a spawn reserves an element, writes the arguments where it lies, and publishes it; it is freed when the
 * function has ended. Whoever's last child ends goes on: as an element of its level's channel of continuations. Workers take what is on the
 * deepest level first.
 *
 * Memory is bounded by the channels. Where one is full the spawning function yields: its worker does what is on this level or deeper until
 * there is room. What it does meanwhile stands on its stack above it, always deeper, so that a stack has no more of them than there are
 * levels. Where others do all that and there is no room yet, and on the last level, a spawn is a call. So what is on the last level ends
 * without room, and by induction what is on each level does.
 *
 * The strands of a frame are views of reducers with their place among those of its children.
 */
#include <stdlib.h>
#include <string.h>

#include "cilk.h"

#define CHANNEL_ROOM_MADE(m, channel) ((void)(m)) /* who waits does something else, and looks again */
#include "runtime_pe/channels/steps.h"

/* SMALLEST: bytes of a frame of the smallest class; each next one's are twice as many. PATIENCE: how often who has nothing to do looks for
 * room. */
enum { LEVELS = 64, CLASSES = 6, SMALLEST = 128, PATIENCE = 8 };

enum how { SPAWN, CALL, LATER };

struct strand {
    struct strand *next;
    unsigned number;
    struct view *views;
};
/* Of numbers. Those of a loop's second halves come after all that its own strand does, the last one first. */
enum { FIRST_LATER = 0x80000000u };

/* The first four are known to what mogcc makes of programs. */
struct frame {
    void (*run)(struct frame *);
    struct frame *parent;
    unsigned point;    /* where it goes on */
    unsigned children; /* since it has last waited for all of them */
    unsigned join;     /* less by one for each that has ended; the children are added when it waits */
    unsigned number;   /* among its parent's children; it counts its own in `spawned` and `halves` */
    unsigned spawned, halves;
    unsigned char level, how, is_first;
    unsigned char has_stopped; /* at least once, so that a caller has stopped, too */
    unsigned at;               /* its place in its channel */
    uint32_t channel;          /* 0: it is none's */
    unsigned lock;
    struct strand *strands; /* of children that have ended, and its own that came before those */
    struct view *views;     /* its own, while it waits for a call */
    struct task *waits;     /* that has no parent: what its thread waits for */
    struct worker *owner;
};
_Static_assert(sizeof(struct frame) == 64, "mogcc's beginning of a frame");

static struct level {
    _Alignas(64) uint32_t frames[CLASSES]; /* channels; 0: not made yet */
    uint32_t continuations;
} levels[LEVELS];
static unsigned deepest; /* no level below this one has anything to do */
static unsigned length;
static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;

/* ---- channels */

static uint32_t make_channel(unsigned elements, unsigned bytes) {
    unsigned group = elements / 8 ? elements / 8 : 1;
    char *memory = aligned_alloc(64, CHANNEL_BYTES + elements * bytes + 2 * elements * 4 + (elements / group * 4 + 63) / 64 * 64 + 64);
    if (!memory) return 0;
    const uint32_t channel = address_of(memory), data = channel + CHANNEL_BYTES;
    memset(memory, 0, CHANNEL_BYTES);
    uint32_t *words = (uint32_t *)memory;
    set_shape(words, bytes, (uint32_t)__builtin_ctz(elements), (uint32_t)__builtin_ctz(group));
    words[CHANNEL_DATA / 4] = data;
    words[CHANNEL_CONTROL / 4] = data + elements * bytes;
    words[CHANNEL_DONE / 4] = words[CHANNEL_CONTROL / 4] + 2 * elements * 4;
    memset((char *)CHANNEL_WORD(words[CHANNEL_CONTROL / 4]), 0, 2 * elements * 4 + elements / group * 4);
    return channel;
}

/* The channel of a place in `levels`; 0: there is no memory. */
static uint32_t channel_of(uint32_t *place, unsigned elements, unsigned bytes) {
    const uint32_t there = ATOMIC_LOAD(place);
    if (there) return there;
    pthread_mutex_lock(&making);
    if (!*place) {
        const uint32_t made = make_channel(elements, bytes);
        __atomic_store_n(place, made, __ATOMIC_SEQ_CST);
    }
    pthread_mutex_unlock(&making);
    return *place;
}

static void *element(uint32_t channel, uint32_t index) {
    return (char *)CHANNEL_WORD(fixed(CHANNEL_WORD(channel), CHANNEL_DATA)) + index * fixed(CHANNEL_WORD(channel), CHANNEL_STRIDE);
}

/* There is something to do on this level. Publishing was a fence. */
static void tell(unsigned level) {
    cilk_raise(&deepest, level);
    if (cilk_anybody_sleeps()) cilk_tell((int)level);
}

static bool has_any(uint32_t channel) {
    return channel && CHANNEL_READ(0, channel + CHANNEL_CONTROL_TAIL) != CHANNEL_READ(0, channel + CHANNEL_CONTROL_HEAD);
}
static bool level_has_any(const struct level *level) {
    bool any = has_any(ATOMIC_LOAD(&level->continuations));
    for (int i = 0; i < CLASSES && !any; ++i) any = has_any(ATOMIC_LOAD(&level->frames[i]));
    return any;
}

/* ---- views */

/* What the running strand did to reducers so far comes before what follows. */
static void put_aside(struct frame *frame, unsigned number, struct view *views) {
    if (!views) return;
    struct strand *strand = malloc(sizeof *strand);
    if (!strand) cilk_fail("out of memory for reducers");
    strand->number = number;
    strand->views = views;
    while (__atomic_exchange_n(&frame->lock, 1, __ATOMIC_ACQUIRE)) relax();
    struct strand **link = &frame->strands;
    while (*link && (*link)->number < number) link = &(*link)->next;
    strand->next = *link;
    *link = strand;
    ATOMIC_STORE(&frame->lock, 0);
}

/* All children have ended, or at least all before this number. */
static void collect(struct worker *own, struct frame *frame, unsigned before) {
    struct view *all = NULL;
    for (struct strand *strand; (strand = frame->strands) != NULL && strand->number <= before;) {
        frame->strands = strand->next;
        all = cilk_merge(all, strand->views, NULL);
        free(strand);
    }
    own->views = cilk_merge(all, own->views, NULL);
}

static void joined(struct worker *own, struct frame *frame) {
    if (UNLIKELY(frame->strands != NULL)) collect(own, frame, FIRST_LATER - 1);
    own->stolen = !frame->is_first;
    if (UNLIKELY(own->views != NULL) && is_leftmost(own)) cilk_settle(own);
}

/* ---- running */

static void run(struct worker *own, struct frame *frame) {
    struct frame *const before = own->frame;
    const unsigned level = own->level, stolen = own->stolen;
    struct view *const views = own->views;
    own->frame = frame;
    own->level = frame->level;
    own->views = frame->views;
    frame->views = NULL;
    if (frame->children == 0) joined(own, frame);
    else own->stolen = 1;
    frame->run(frame);
    own->frame = before;
    own->level = level;
    own->stolen = stolen;
    own->views = views;
}

/* Does something of this level or deeper; false: there was nothing. */
static bool help(struct worker *own, unsigned least_level) {
    for (unsigned at = ATOMIC_LOAD(&deepest); at >= least_level && at < LEVELS; --at) {
        struct level *level = &levels[at];
        uint32_t place;
        const uint32_t continuations = ATOMIC_LOAD(&level->continuations);
        if (has_any(continuations) && channel_claim(0, continuations, 1, 1, &place)) {
            const uint32_t index = channel_index(0, continuations, place);
            struct frame *frame = *(struct frame **)element(continuations, index);
            channel_finish(0, continuations, index, 1);
            run(own, frame);
            return true;
        }
        for (int i = 0; i < CLASSES; ++i) {
            const uint32_t channel = ATOMIC_LOAD(&level->frames[i]);
            if (!has_any(channel) || !channel_claim(0, channel, 1, 1, &place)) continue;
            run(own, element(channel, channel_index(0, channel, place)));
            return true;
        }
        /* What came meanwhile would be below the deepest: then it is put back. */
        if (at && compare_and_swap(&deepest, at, at - 1) && level_has_any(level)) {
            cilk_raise(&deepest, at);
            ++at;
        }
    }
    return false;
}

static bool have(unsigned least_level) {
    for (unsigned level = least_level; level < LEVELS; ++level)
        if (level_has_any(&levels[level])) return true;
    return false;
}

static struct worker *enter(void) {
    struct worker *own = cilk_self;
    if (UNLIKELY(!length)) {
        cilk_read_settings();
        length = cilk_channel_length;
        cilk_frames_have = have;
        __atomic_store_n(&cilk_help_with_frames, help, __ATOMIC_SEQ_CST);
    }
    if (own == &cilk_none) own = cilk_enter();
    if (own == &cilk_none) cilk_fail("too many threads that spawn: -fcilk=channels has no more");
    return own;
}

/* Of a frame without a parent, from here on it may be gone. */
static void tell_owner(struct frame *frame, unsigned state) {
    struct worker *owner = frame->owner;
    struct task *task = frame->waits;
    __atomic_store_n(&task->state, state, __ATOMIC_SEQ_CST);
    if (ATOMIC_LOAD(&owner->asleep) && ATOMIC_LOAD(&owner->waits_for) == task) cilk_wake(owner);
}

/* All its children have ended, or what it called has. What was not spawned stays with its thread: main() with the program's first. */
static void go_on(struct worker *own, struct frame *frame) {
    if (!frame->parent) {
        tell_owner(frame, TASK_GOES_ON);
        return;
    }
    const unsigned level = frame->level;
    const uint32_t channel = channel_of(&levels[level].continuations, length * 4, 4);
    const uint32_t index = channel ? channel_reserve(0, channel, 1) : CHANNEL_NO_ROOM;
    if (index == CHANNEL_NO_ROOM) { /* its own is not among them, but those of many threads */
        run(own, frame);
        return;
    }
    *(struct frame **)element(channel, index) = frame;
    channel_publish(0, channel, index, 1); /* from here on it may be gone */
    tell(level);
}

/* ---- what programs call */

/* Room for a frame of a function that `parent` spawns or calls; NULL: it is to be run at once, as where the channel is full
 * and there is nothing else to do. */
struct frame *__mog_cilk_frame(struct frame *parent, unsigned bytes, void (*function)(struct frame *));
struct frame *__mog_cilk_frame(struct frame *parent, unsigned bytes, void (*function)(struct frame *)) {
    const unsigned level = parent->level + 1u;
    if (level >= LEVELS - 1) return NULL;
    unsigned which = 0;
    while (which < CLASSES && (unsigned)SMALLEST << which < bytes) ++which;
    if (which == CLASSES) return NULL;
    const uint32_t channel = channel_of(&levels[level].frames[which], which > 2 && length >= 8 ? length / 4 : length, SMALLEST << which);
    if (!channel) return NULL;
    uint32_t index = channel_reserve(0, channel, 1);
    for (int rounds = 0; index == CHANNEL_NO_ROOM; index = channel_reserve(0, channel, 1)) {
        if (help(cilk_self, level)) rounds = 0;
        else if (++rounds < PATIENCE) relax();
        else return NULL;
    }
    (void)CHANNEL_LOAD(0, channel + CHANNEL_HEAD); /* who has freed it is done with it */
    struct frame *frame = element(channel, index);
    memset(frame, 0, sizeof *frame);
    frame->run = function;
    frame->parent = parent;
    frame->level = (unsigned char)level;
    frame->channel = channel;
    frame->at = index;
    return frame;
}

/* Its arguments are written. A call is done at once: false if it has not ended, and then its caller stops, and goes on when it has. */
bool __mog_cilk_go(struct frame *frame, unsigned how);
bool __mog_cilk_go(struct frame *frame, unsigned how) {
    struct worker *own = cilk_self;
    struct frame *parent = frame->parent;
    const uint32_t channel = frame->channel;
    const unsigned level = frame->level;
    frame->how = (unsigned char)how;
    if (how == CALL) {
        frame->is_first = parent->is_first && parent->children == 0;
        parent->views = own->views;
        own->views = NULL;
        own->call_has_ended = false;
        run(own, frame);
        if (!own->call_has_ended) return false;
        own->call_has_ended = false;
        own->views = parent->views;
        parent->views = NULL;
        return true;
    }
    ++parent->children;
    own->stolen = 1;
    if (how == SPAWN) {
        put_aside(parent, parent->spawned++, own->views);
        own->views = NULL;
        frame->number = parent->spawned++;
    } else {
        frame->number = -++parent->halves;
    }
    channel_publish(0, channel, frame->at, 1);
    tell(level);
    return true;
}

/* Whether all children have ended. If not, the function goes on at `point` when they have. */
bool __mog_cilk_have_ended(struct frame *frame, unsigned point);
bool __mog_cilk_have_ended(struct frame *frame, unsigned point) {
    struct worker *own = cilk_self;
    const unsigned children = frame->children;
    frame->point = point;
    frame->children = 0;
    put_aside(frame, frame->spawned++, own->views);
    own->views = NULL;
    for (struct frame *stops = frame; !stops->has_stopped; stops = stops->parent) {
        stops->has_stopped = true;
        if (stops->how != CALL) break;
    }
    if (__atomic_add_fetch(&frame->join, children, __ATOMIC_SEQ_CST) != 0) return false;
    joined(own, frame);
    return true;
}

/* A function has ended, and so have its children. */
void __mog_cilk_finish(struct frame *frame);
void __mog_cilk_finish(struct frame *frame) {
    struct worker *own = cilk_self;
    struct frame *parent = frame->parent;
    if (UNLIKELY(frame->strands != NULL)) {
        struct view *views = own->views;
        own->views = NULL;
        collect(own, frame, ~0u);
        own->views = cilk_merge(views, own->views, NULL);
    }
    struct view *views = own->views;
    own->views = NULL;
    if (!parent) {
        frame->views = views;
        tell_owner(frame, TASK_DONE);
        return;
    }
    const unsigned how = frame->how, number = frame->number, has_stopped = frame->has_stopped;
    channel_finish(0, frame->channel, frame->at, 1);
    if (how == CALL) {
        if (UNLIKELY(views != NULL)) parent->views = cilk_merge(parent->views, views, NULL);
        if (has_stopped) go_on(own, parent);
        else own->call_has_ended = true;
        return;
    }
    put_aside(parent, number, views);
    if (__atomic_fetch_sub(&parent->join, 1, __ATOMIC_SEQ_CST) == 1) go_on(own, parent);
}

/* A call by what is not cut: it waits here, and does what is as deep or deeper meanwhile. */
void __mog_cilk_root(struct frame *frame, void (*function)(struct frame *));
void __mog_cilk_root(struct frame *frame, void (*function)(struct frame *)) {
    struct worker *own = enter();
    struct task task = {.state = TASK_WAITS};
    memset(frame, 0, sizeof *frame);
    frame->run = function;
    frame->level = (unsigned char)(own->level + 1 < LEVELS - 1 ? own->level + 1 : LEVELS - 1);
    frame->waits = &task;
    frame->owner = own;
    frame->is_first = is_leftmost(own);
    const unsigned level = frame->level;
    run(own, frame);
    for (int rounds = 0;;) {
        const unsigned state = ATOMIC_LOAD(&task.state);
        if (state == TASK_DONE) break;
        if (state == TASK_GOES_ON) {
            task.state = TASK_WAITS;
            run(own, frame);
            rounds = 0;
        } else if (help(own, level)) {
            rounds = 0;
        } else if (++rounds < SPINS) {
            relax();
        } else {
            rounds = 0;
            cilk_sleep(own, (int)level, &task);
        }
    }
    own->views = cilk_merge(own->views, frame->views, NULL);
    if (own->views && is_leftmost(own)) cilk_settle(own);
}

/* ---- spawned calls of functions that are not cut: what gcc makes of them is a function and its arguments */

struct leaf {
    struct frame frame;
    void (*function)(void *);
    char *arguments;
};
static void run_leaf(struct frame *frame) {
    struct leaf *leaf = (struct leaf *)frame;
    leaf->function(leaf->arguments);
    __mog_cilk_finish(frame);
}

void __mog_cilk_leaf(void (*function)(void *), void *data, void (*copy)(void *, void *), long bytes, long alignment, OTHER_ARGUMENTS);
void __mog_cilk_leaf(void (*function)(void *), void *data, void (*copy)(void *, void *), long bytes, long alignment, OTHER_ARGUMENTS) {
    (void)deferred, (void)flags, (void)depend, (void)priority, (void)event;
    struct leaf *leaf = (struct leaf *)__mog_cilk_frame(cilk_self->frame, sizeof *leaf + (unsigned)(bytes + alignment), run_leaf);
    char local[leaf || !copy ? 1 : bytes + alignment];
    char *arguments = leaf ? (char *)(leaf + 1) : local;
    arguments += -(uintptr_t)arguments & (uintptr_t)(alignment - 1);
    if (copy) copy(arguments, data);
    else if (leaf && bytes) memcpy(arguments, data, (size_t)bytes);
    else arguments = data;
    if (!leaf) {
        function(arguments);
        return;
    }
    leaf->function = function;
    leaf->arguments = arguments;
    __mog_cilk_go(&leaf->frame, SPAWN);
}

/* How many iterations of a loop are done one after the other, if the program does not say. */
unsigned long __mog_cilk_grain(unsigned long count);
unsigned long __mog_cilk_grain(unsigned long count) {
    enter();
    return cilk_grain(count);
}
