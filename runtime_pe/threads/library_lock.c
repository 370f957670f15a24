/* library_lock.c: the locks of newlib and of our own library, <sys/lock.h>. Programs that create threads have them. */
#include "runtime_pe/start/guards.h"
#include "thread.h"

const char __mog_has_locks;

static int is_mine(const _LOCK_T *lock) { return (ATOMIC_LOAD(&lock->__word) & ~THREAD_WAITERS) == __mog_self.id; }

void __mog_acquire(_LOCK_T *lock) {
    if (is_mine(lock)) {
        ++lock->__again;
        return;
    }
    lock_word(&lock->__word, NULL);
    ++__mog_self.library_locks;
}

int __mog_try_acquire(_LOCK_T *lock) {
    if (is_mine(lock)) return ++lock->__again, 1;
    if (!compare_and_swap(&lock->__word, 0, __mog_self.id)) return 0;
    return ++__mog_self.library_locks;
}

void __mog_release(_LOCK_T *lock) {
    if (lock->__again) {
        --lock->__again;
        return;
    }
    --__mog_self.library_locks;
    unlock_word(&lock->__word);
}

/* ---- static objects of C++ that are made at their first use: the first byte of a guard says that one is there ---- */

enum { GUARD_BUSY = 1, GUARD_WAITED_FOR = 2 };

int __mog_guard_acquire(char *guard) {
    unsigned *word = (unsigned *)(guard + 4);
    for (;;) {
        const unsigned now = ATOMIC_LOAD(word);
        if (ATOMIC_LOAD(guard)) return 0;
        if (!now) {
            if (!compare_and_swap(word, 0, GUARD_BUSY)) continue;
            if (!ATOMIC_LOAD(guard)) return 1;
            __mog_guard_release(guard, 1);
            return 0;
        }
        if (now == (GUARD_BUSY | GUARD_WAITED_FOR) || compare_and_swap(word, now, now | GUARD_WAITED_FOR))
            __mog_wait_on(word, GUARD_BUSY | GUARD_WAITED_FOR, NULL);
    }
}

void __mog_guard_release(char *guard, int made) {
    unsigned *word = (unsigned *)(guard + 4);
    if (made) ATOMIC_STORE(guard, 1);
    if (__atomic_exchange_n(word, 0, __ATOMIC_ACQ_REL) & GUARD_WAITED_FOR) __mog_wake(word, INT32_MAX);
}
