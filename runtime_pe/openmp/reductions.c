/* reductions.c: reductions over tasks. gcc describes the variables in arrays of words, which are chained:
 *
 *     [0] how many   [1] bytes of a thread's copies   [2] their alignment, then where the copies are   [3] an allocator   [4] the next
 * array [5] not 0: the first of a registration   [6] where the copies end   from [7] on, for each: the variable, where its copy is, and a
 * word
 */
#include <stdlib.h>
#include <string.h>

#include "openmp.h"
#include "share.h"

enum { COUNT, BYTES, MEMORY, ALLOCATOR, NEXT, IS_FIRST, END_OF_MEMORY, VARIABLES, VARIABLE = 3 };

static uintptr_t *next_of(const uintptr_t *array) { return (uintptr_t *)array[NEXT]; }

/* With `other` the copies are those that another member made memory for. */
static void register_arrays(uintptr_t *arrays, uintptr_t *before, const uintptr_t *other, unsigned threads) {
    for (uintptr_t *array = arrays;; array = next_of(array)) {
        if (other) {
            array[MEMORY] = other[MEMORY];
            array[END_OF_MEMORY] = other[END_OF_MEMORY];
            other = next_of(other);
        } else {
            const size_t bytes = array[BYTES] * threads, alignment = array[MEMORY] < sizeof(void *) ? sizeof(void *) : array[MEMORY];
            void *memory;
            if (posix_memalign(&memory, alignment, bytes ? bytes : 1)) omp_fail("out of memory for reductions of %u threads", threads);
            memset(memory, 0, bytes);
            array[MEMORY] = (uintptr_t)memory;
            array[END_OF_MEMORY] = array[MEMORY] + bytes;
        }
        array[IS_FIRST] = array == arrays;
        if (array[NEXT]) continue;
        array[NEXT] = (uintptr_t)before;
        return;
    }
}

static struct taskgroup *new_group(struct taskgroup *outer) {
    struct taskgroup *group = calloc(1, sizeof *group);
    if (!group) omp_fail("out of memory for a taskgroup");
    group->outer = outer;
    return group;
}

GOMP(void, taskgroup_reduction_register, (uintptr_t * arrays)) {
    struct context *own = omp_self();
    if (!omp_task(own)->group) omp_task(own)->group = new_group(NULL);
    struct taskgroup *group = omp_task(own)->group;
    register_arrays(arrays, group->reductions, NULL, own->team->threads);
    group->reductions = arrays;
}
GOMP(void, taskgroup_reduction_unregister, (uintptr_t * arrays)) {
    uintptr_t *array = arrays;
    do {
        free((void *)array[MEMORY]);
        array = next_of(array);
    } while (array && !array[IS_FIRST]);
}

/* The place in the copies, if `address` is a variable or in a copy of one. */
static bool find(uintptr_t *arrays, uintptr_t address, uintptr_t **array, uintptr_t *place) {
    for (*array = arrays; *array; *array = next_of(*array))
        for (uintptr_t i = 0; i < (*array)[COUNT]; ++i) {
            const uintptr_t *variable = *array + VARIABLES + VARIABLE * i;
            if (variable[0] != address) continue;
            *place = variable[1];
            return true;
        }
    for (*array = arrays; *array; *array = next_of(*array))
        if (address >= (*array)[MEMORY] && address < (*array)[END_OF_MEMORY]) {
            *place = (address - (*array)[MEMORY]) % (*array)[BYTES];
            return true;
        }
    return false;
}

/* Variables become this thread's copies of them; the first `originals` are asked for as they are, too. */
GOMP(void, task_reduction_remap, (size_t count, size_t originals, void **addresses)) {
    struct context *own = omp_self();
    for (size_t i = 0; i < count; ++i) {
        uintptr_t *array, place;
        if (!find(omp_task(own)->group->reductions, (uintptr_t)addresses[i], &array, &place))
            omp_fail("there is no task_reduction for the variable at %p", addresses[i]);
        addresses[i] = (void *)(array[MEMORY] + own->number * array[BYTES] + place);
        for (uintptr_t k = 0; i < originals && k < array[COUNT]; ++k) {
            const uintptr_t *variable = array + VARIABLES + VARIABLE * k;
            if (variable[1] == place) addresses[count + i] = (void *)variable[0];
        }
    }
}

/* Of a loop or sections: the first member makes memory for all. */
void omp_begin_reductions(struct context *own, bool first, uintptr_t *reductions) {
    struct task *task = omp_task(own);
    uintptr_t *before = task->group ? task->group->reductions : NULL;
    task->group = new_group(task->group);
    task->group->of_share = true;
    register_arrays(reductions, before, first ? NULL : own->share->reductions, own->team->threads);
    task->group->reductions = reductions;
    if (first) own->share->reductions = reductions;
}

void GOMP_taskgroup_end(void);

GOMP(void, workshare_task_reduction_unregister, (bool cancelled)) {
    struct context *own = omp_self();
    void *memory = (void *)omp_task(own)->group->reductions[MEMORY];
    GOMP_taskgroup_end();
    if (!cancelled) omp_barrier(own, BARRIER);
    if (own->number == 0) free(memory);
}

GOMP(unsigned, parallel_reductions, (void (*function)(void *), void *data, unsigned threads, unsigned flags)) {
    (void)flags;
    uintptr_t *arrays = *(uintptr_t **)data;
    struct team *team = omp_new_team(threads);
    const unsigned count = team->threads;
    struct taskgroup *group = team->group = new_group(NULL);
    register_arrays(arrays, NULL, NULL, count);
    group->reductions = arrays;
    omp_start_team(team, function, data);
    function(data);
    omp_end_team();
    free(group);
    return count;
}
