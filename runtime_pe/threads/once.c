/* once.c: what is done once, and locks that are waited for by trying. */
#include <sched.h>

#include "thread.h"

/* A pthread_once_t is 0, one of these, or BUSY with waiters. */
enum { BUSY = 1, WAITED_FOR = 2, DONE = 4 };

static void undo(void *done) {
    if (__atomic_exchange_n((unsigned *)done, 0, __ATOMIC_ACQ_REL) & WAITED_FOR) __mog_wake(done, INT32_MAX);
}

int pthread_once(pthread_once_t *once, void (*function)(void)) {
    unsigned *done = (unsigned *)once;
    for (;;) {
        const unsigned now = ATOMIC_LOAD(done);
        if (now == DONE) return 0;
        if (now == 0) {
            if (!compare_and_swap(done, 0, BUSY)) continue;
            /* Cancelled in between, it has not been done. */
            pthread_cleanup_push(undo, done);
            function();
            pthread_cleanup_pop(0);
            if (__atomic_exchange_n(done, DONE, __ATOMIC_ACQ_REL) & WAITED_FOR) __mog_wake(done, INT32_MAX);
            return 0;
        }
        if (now & WAITED_FOR || compare_and_swap(done, now, now | WAITED_FOR)) __mog_wait_on(done, BUSY | WAITED_FOR, NULL);
    }
}

int pthread_spin_init(pthread_spinlock_t *lock, int shared) { return (void)shared, *lock = 0, 0; }
int pthread_spin_destroy(pthread_spinlock_t *lock) { return (void)lock, 0; }
int pthread_spin_trylock(pthread_spinlock_t *lock) { return compare_and_swap((unsigned *)lock, 0, 1) ? 0 : EBUSY; }
int pthread_spin_lock(pthread_spinlock_t *lock) {
    for (int spins = 1; pthread_spin_trylock(lock); ++spins) {
        while (*lock && spins % (4 * SPINS)) relax(), ++spins;
        if (*lock) sched_yield();
    }
    return 0;
}
int pthread_spin_unlock(pthread_spinlock_t *lock) { return ATOMIC_STORE((unsigned *)lock, 0), 0; }

void __mog_cleanup_push(struct __mog_cleanup *handler) {
    handler->__before = __mog_self.cleanup;
    __mog_self.cleanup = handler;
}
void __mog_cleanup_pop(struct __mog_cleanup *handler, int execute) {
    __mog_self.cleanup = handler->__before;
    if (execute) handler->__function(handler->__argument);
}
