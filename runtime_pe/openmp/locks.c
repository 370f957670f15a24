/* locks.c: critical, atomic where there is no instruction for it, and the locks of <omp.h>. */
#include <string.h>

#include "openmp.h"

/* What is in an omp_lock_t and an omp_nest_lock_t of gcc's header. */
struct nested {
    unsigned word;
    int count;
    const struct task *owner;
};
_Static_assert(sizeof(omp_lock_t) == sizeof(unsigned), "a lock is a word");
_Static_assert(sizeof(omp_nest_lock_t) >= sizeof(struct nested), "a nested lock has an owner and a count");

static unsigned unnamed, atomics;

GOMP(void, critical_start, (void)) { lock_word(&unnamed, NULL); }
GOMP(void, critical_end, (void)) { unlock_word(&unnamed); }
/* The name's pointer is the lock. */
GOMP(void, critical_name_start, (void **name)) { lock_word((unsigned *)name, NULL); }
GOMP(void, critical_name_end, (void **name)) { unlock_word((unsigned *)name); }
GOMP(void, atomic_start, (void)) { lock_word(&atomics, NULL); }
GOMP(void, atomic_end, (void)) { unlock_word(&atomics); }

void omp_init_lock(omp_lock_t *lock) { memset(lock, 0, sizeof *lock); }
void omp_init_lock_with_hint(omp_lock_t *lock, omp_sync_hint_t hint) { (void)hint, omp_init_lock(lock); }
void omp_destroy_lock(omp_lock_t *lock) { (void)lock; }
void omp_set_lock(omp_lock_t *lock) { lock_word((unsigned *)lock, NULL); }
void omp_unset_lock(omp_lock_t *lock) { unlock_word((unsigned *)lock); }
int omp_test_lock(omp_lock_t *lock) { return compare_and_swap((unsigned *)lock, 0, __mog_self.id); }

void omp_init_nest_lock(omp_nest_lock_t *lock) { memset(lock, 0, sizeof *lock); }
void omp_init_nest_lock_with_hint(omp_nest_lock_t *lock, omp_sync_hint_t hint) { (void)hint, omp_init_nest_lock(lock); }
void omp_destroy_nest_lock(omp_nest_lock_t *lock) { (void)lock; }
void omp_set_nest_lock(omp_nest_lock_t *place) {
    struct nested *lock = (struct nested *)place;
    const struct task *task = omp_task(omp_self());
    if (ATOMIC_LOAD(&lock->owner) != task) {
        lock_word(&lock->word, NULL);
        ATOMIC_STORE(&lock->owner, task);
    }
    ++lock->count;
}
void omp_unset_nest_lock(omp_nest_lock_t *place) {
    struct nested *lock = (struct nested *)place;
    if (--lock->count) return;
    ATOMIC_STORE(&lock->owner, NULL);
    unlock_word(&lock->word);
}
int omp_test_nest_lock(omp_nest_lock_t *place) {
    struct nested *lock = (struct nested *)place;
    const struct task *task = omp_task(omp_self());
    if (ATOMIC_LOAD(&lock->owner) != task) {
        if (!compare_and_swap(&lock->word, 0, __mog_self.id)) return 0;
        ATOMIC_STORE(&lock->owner, task);
    }
    return ++lock->count;
}
