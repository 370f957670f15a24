/* dependences.c: which tasks wait for which: in a table of their parent, by address. */
#include <stdlib.h>

#include "openmp.h"

struct successor {
    struct task *task;
    struct successor *next;
};

/* Of an address: who writes it last, and who reads what was written. */
struct reader {
    struct task *task;
    struct reader *next;
};
struct dependence {
    const void *address;
    struct task *writer;
    struct reader *readers;
    struct dependence *next;
};

enum { BUCKETS = 64, KIND_IN = 1 };

/* An object of type omp_depend_t. */
struct depend_object {
    void *address;
    uintptr_t kind;
};

static void *allocate(size_t bytes) {
    void *memory = calloc(1, bytes);
    if (!memory) omp_fail("out of memory for dependences of tasks");
    return memory;
}

static struct dependence *look_up(struct task *parent, const void *address, bool makes) {
    if (!parent->table) {
        if (!makes) return NULL;
        parent->table = allocate(BUCKETS * sizeof *parent->table);
        if (parent->implicit) ATOMIC_STORE(&omp_own.team->has_dependences, true);
    }
    struct dependence **bucket = &parent->table[((uintptr_t)address >> 3) % BUCKETS];
    for (struct dependence *one = *bucket; one; one = one->next)
        if (one->address == address) return one;
    if (!makes) return NULL;
    struct dependence *new = allocate(sizeof *new);
    new->address = address;
    new->next = *bucket;
    return *bucket = new;
}

static void follow(struct task *child, struct task *before) {
    if (!before || before == child || before->ended) return;
    struct successor *successor = allocate(sizeof *successor);
    *successor = (struct successor){child, before->successors};
    before->successors = successor;
    ++child->predecessors;
}

static void keep(struct task *task) { __atomic_fetch_add(&task->references, 1, __ATOMIC_RELAXED); }
static void drop_readers(struct dependence *place, struct task *child) {
    while (place->readers) {
        struct reader *reader = place->readers;
        place->readers = reader->next;
        follow(child, reader->task);
        omp_unreference(reader->task);
        free(reader);
    }
}

static void add(struct task *parent, struct task *child, const void *address, bool writes) {
    struct dependence *place = look_up(parent, address, true);
    if (!writes) {
        if (place->writer != child) follow(child, place->writer);
        struct reader *reader = allocate(sizeof *reader);
        *reader = (struct reader){child, place->readers};
        place->readers = reader;
        keep(child);
        return;
    }
    if (place->writer == child) return;
    if (place->readers) drop_readers(place, child);
    else follow(child, place->writer);
    if (place->writer) omp_unreference(place->writer);
    place->writer = child;
    keep(child);
}

/* gcc's array of addresses, in either of its forms; calls function(context, address, whether it is written). */
static void for_each(void **depend, void (*function)(void *, const void *, bool), void *context) {
    size_t count = (size_t)depend[0], outs, ins_from, objects_from, first;
    if (count) { /* their number, that of out and inout, addresses */
        outs = ins_from = (size_t)depend[1];
        objects_from = count;
        first = 2;
    } else { /* 0, their number, those of out, of mutexinoutset and of in, addresses; what is left are objects */
        count = (size_t)depend[1];
        outs = (size_t)depend[2];
        ins_from = outs + (size_t)depend[3];
        objects_from = ins_from + (size_t)depend[4];
        first = 5;
    }
    for (size_t i = 0; i < count; ++i) {
        const void *address = depend[first + i];
        bool writes = i < ins_from;
        if (i >= objects_from) {
            const struct depend_object *object = address;
            address = object->address;
            writes = object->kind != KIND_IN;
        }
        function(context, address, writes);
    }
}

struct adding {
    struct task *parent, *child;
};
static void add_one(void *context, const void *address, bool writes) {
    const struct adding *adding = context;
    add(adding->parent, adding->child, address, writes);
}

unsigned omp_depend(struct task *parent, struct task *child, void **depend) {
    omp_spin_lock(&parent->dependence_lock);
    for_each(depend, add_one, &(struct adding){parent, child});
    const unsigned predecessors = child->predecessors;
    omp_spin_unlock(&parent->dependence_lock);
    return predecessors;
}

struct task *omp_release_successors(struct task *task) {
    struct task *parent = task->parent, *ready = NULL;
    if (!parent->table) return NULL;
    omp_spin_lock(&parent->dependence_lock);
    task->ended = true;
    while (task->successors) {
        struct successor *successor = task->successors;
        task->successors = successor->next;
        if (--successor->task->predecessors == 0) {
            successor->task->next = ready;
            ready = successor->task;
        }
        free(successor);
    }
    omp_spin_unlock(&parent->dependence_lock);
    return ready;
}

struct asking {
    struct task *parent;
    unsigned open;
};
static void ask_one(void *context, const void *address, bool writes) {
    struct asking *asking = context;
    const struct dependence *place = look_up(asking->parent, address, false);
    if (!place) return;
    if (place->writer && !place->writer->ended) ++asking->open;
    for (const struct reader *reader = writes ? place->readers : NULL; reader; reader = reader->next)
        if (!reader->task->ended) ++asking->open;
}

void omp_wait_for_dependences(struct context *own, void **depend) {
    struct task *parent = omp_task(own);
    for (;;) {
        struct asking asking = {parent, 0};
        omp_spin_lock(&parent->dependence_lock);
        for_each(depend, ask_one, &asking);
        omp_spin_unlock(&parent->dependence_lock);
        if (!asking.open) return;
        if (!omp_do_task(own, parent)) sched_yield();
    }
}

void omp_forget_dependences(struct task *parent) {
    if (!parent->table) return;
    for (int i = 0; i < BUCKETS; ++i)
        while (parent->table[i]) {
            struct dependence *place = parent->table[i];
            parent->table[i] = place->next;
            if (place->writer) omp_unreference(place->writer);
            while (place->readers) {
                struct reader *reader = place->readers;
                place->readers = reader->next;
                omp_unreference(reader->task);
                free(reader);
            }
            free(place);
        }
    free(parent->table);
    parent->table = NULL;
}
