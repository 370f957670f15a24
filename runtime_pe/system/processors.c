/* processors.c: how many threads of the program run at the same time. */
#include <sched.h>

#include "calls.h"

/* Asked once: Linux tells the mask's bytes that it has filled. */
int __mog_processors(void) {
    enum { MOST = 65536 };
    static int known;
    int count = __atomic_load_n(&known, __ATOMIC_RELAXED);
    if (count) return count;
    unsigned long mask[MOST / 32 / 8]; /* for more than that, one mask does not tell */
    int bytes = linux_call(LINUX_sched_getaffinity, 0, sizeof mask, (int)mask, 0);
    count = bytes > 0 ? __mog_cpu_count((size_t)bytes, (const cpu_set_t *)mask) : 0;
    if (count < 1) count = 1;
    __atomic_store_n(&known, count, __ATOMIC_RELAXED);
    return count;
}

int __mog_cpu_count(size_t bytes, const cpu_set_t *set) {
    int count = 0;
    for (size_t word = 0; word < bytes / sizeof *set->__bits; ++word)
        for (unsigned long bits = set->__bits[word]; bits; bits &= bits - 1) ++count;
    return count;
}
