/* shared.h: the window, memory that all PEs share, as other parts of the library see it. A program has it if it has shared.c. */
#ifndef MOG_SHARED_H
#define MOG_SHARED_H

#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

#include "calls.h"

/* The control block's word: first address above the window; 0: there is none. */
extern const volatile uintptr_t __mog_window_end;
extern char __mog_shared_base[]; /* mog.ld has it */
#define MOG_WINDOW_BASE ((uintptr_t)__mog_shared_base)
static inline int is_in_window(const void *address) {
    return (uintptr_t)address - MOG_WINDOW_BASE < (__mog_window_end ? __mog_window_end - MOG_WINDOW_BASE : 0);
}

enum { SHARED_PAGE = 4096 };

/* Memory of the window, zeros, as mog_shared_alloc() gives it, for mog_shared_free(). */
void *__mog_shared_allocate(size_t bytes, size_t alignment);

/* One PE at a time. 0; 1: somebody has it; 2: and others may wait. */
static inline void shared_lock(unsigned *lock) {
    unsigned seen = 0;
    if (__atomic_compare_exchange_n(lock, &seen, 1, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) return;
    while (__atomic_exchange_n(lock, 2, __ATOMIC_ACQUIRE)) linux_call(LINUX_futex, (int)lock, LINUX_FUTEX_WAIT, 2, 0);
}
static inline void shared_unlock(unsigned *lock) {
    if (__atomic_exchange_n(lock, 0, __ATOMIC_RELEASE) == 2) linux_call(LINUX_futex, (int)lock, LINUX_FUTEX_WAKE, 1, 0);
}

/* Descriptors of shm_open() are no numbers of the system's. */
enum { SHARED_FD = 0x40000000 };

/* What the calls for descriptors and mappings do with those of the window, in programs that have one. */
struct shared_calls {
    int (*close)(int fd);
    int (*truncate)(int fd, off_t bytes);
    int (*status)(int fd, struct stat *status);
    void *(*map)(int fd, size_t bytes, off_t offset); /* fd -1: the next mapping of all PEs without a name */
    int (*unmap)(void *address, size_t bytes);
};
extern const struct shared_calls __mog_shared_calls __attribute__((weak));
static inline const struct shared_calls *shared_calls(void) { return &__mog_shared_calls; }
static inline const struct shared_calls *shared_calls_of(int fd) { return fd >= SHARED_FD ? &__mog_shared_calls : NULL; }

#endif
