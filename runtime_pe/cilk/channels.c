/* channels.c: the other scheduler (CILK_SCHEDULER=channels). Tasks wait in bounded queues that all workers share, one for each level of
 * nesting, and who looks for one begins with the deepest: Orr and others, "Fine-grain Task Aggregation and Coordination on GPUs", 2014.
 * There the part of a function behind a sync is a task of its own; here functions have stacks, so who comes to a sync waits, and does tasks
 * of deeper levels. */
#include "cilk.h"

enum { LEVELS = 64, LENGTH = 256 };

static struct channel {
    _Alignas(64) unsigned lock;
    unsigned first, count;
    struct entry {
        struct worker *owner;
        struct task *task;
    } entries[LENGTH];
} channels[LEVELS];
static unsigned deepest; /* no channel below this one has a task; it may have none itself */

static void lock(struct channel *channel) {
    for (int spins = 1; __atomic_exchange_n(&channel->lock, 1, __ATOMIC_ACQUIRE); ++spins) {
        relax();
        if (spins % 128 == 0) sched_yield();
    }
}
static void unlock(struct channel *channel) { ATOMIC_STORE(&channel->lock, 0); }

bool cilk_put(struct worker *own, struct task *task) {
    if (task->level >= LEVELS || cilk_count == 1) return false;
    struct channel *channel = &channels[task->level];
    if (ATOMIC_LOAD(&channel->count) == LENGTH) return false;
    lock(channel);
    const bool has_room = channel->count < LENGTH;
    if (has_room) {
        channel->entries[(channel->first + channel->count) % LENGTH] = (struct entry){own, task};
        __atomic_store_n(&channel->count, channel->count + 1, __ATOMIC_SEQ_CST);
        __atomic_thread_fence(__ATOMIC_SEQ_CST); /* who lowers `deepest` looks here afterwards */
    }
    unlock(channel);
    if (!has_room) return false;
    cilk_raise(&deepest, task->level);
    if (cilk_anybody_sleeps()) cilk_tell(task->level);
    return true;
}

static bool take(struct channel *channel, struct entry *entry) {
    if (!ATOMIC_LOAD(&channel->count)) return false;
    lock(channel);
    const bool has_any = channel->count != 0;
    if (has_any) {
        *entry = channel->entries[channel->first];
        channel->first = (channel->first + 1) % LENGTH;
        ATOMIC_STORE(&channel->count, channel->count - 1);
    }
    unlock(channel);
    return has_any;
}

bool cilk_help_from_channels(struct worker *own, unsigned least_level) {
    const unsigned from = ATOMIC_LOAD(&deepest);
    for (unsigned level = from; level >= least_level && level < LEVELS; --level) {
        struct entry entry;
        if (!take(&channels[level], &entry)) {
            /* A task put there meanwhile would be below the deepest: then it is put back. */
            if (level && compare_and_swap(&deepest, level, level - 1) && ATOMIC_LOAD(&channels[level].count)) {
                cilk_raise(&deepest, level);
                ++level;
            }
            continue;
        }
        cilk_run_taken(own, entry.owner, entry.task);
        return true;
    }
    return false;
}

bool cilk_channels_have(unsigned least_level) {
    for (unsigned level = least_level; level < LEVELS; ++level)
        if (ATOMIC_LOAD(&channels[level].count)) return true;
    return false;
}

void cilk_join_by_channels(struct worker *own, struct task *task) {
    for (int rounds = 0; ATOMIC_LOAD(&task->state) != TASK_DONE;) {
        if (cilk_help_from_channels(own, own->level + 1)) {
            rounds = 0;
        } else if (++rounds < SPINS) {
            relax();
        } else {
            rounds = 0;
            cilk_sleep(own, own->level + 1, task);
        }
    }
}
