/* sys/lock.h: the locks of newlib, and of what is around it. All are recursive. A program without threads has none of the functions:
 * nothing is locked then. */
#ifndef _SYS_LOCK_H
#define _SYS_LOCK_H

#include <sys/cdefs.h>

/* The owner, and 0x80000000 if somebody waits; 0: free. And how often it has locked it once more. */
typedef struct {
    unsigned __word;
    int __again;
} _LOCK_T;
typedef _LOCK_T _LOCK_RECURSIVE_T;

__BEGIN_DECLS
void __mog_acquire(_LOCK_T *) __attribute__((__weak__));
int __mog_try_acquire(_LOCK_T *) __attribute__((__weak__));
void __mog_release(_LOCK_T *) __attribute__((__weak__));
__END_DECLS

#define __LOCK_INIT(storage, lock) storage _LOCK_T lock = {0, 0};
#define __LOCK_INIT_RECURSIVE(storage, lock) __LOCK_INIT(storage, lock)
#define __lock_init(lock) ((void)((lock).__word = 0, (lock).__again = 0))
#define __lock_init_recursive(lock) __lock_init(lock)
#define __lock_close(lock) ((void)0)
#define __lock_close_recursive(lock) ((void)0)
#define __lock_acquire(lock) (__mog_acquire ? __mog_acquire(&(lock)) : (void)0)
#define __lock_acquire_recursive(lock) __lock_acquire(lock)
/* 0 if it is another thread's. */
#define __lock_try_acquire(lock) (__mog_try_acquire ? __mog_try_acquire(&(lock)) : 1)
#define __lock_try_acquire_recursive(lock) __lock_try_acquire(lock)
#define __lock_release(lock) (__mog_release ? __mog_release(&(lock)) : (void)0)
#define __lock_release_recursive(lock) __lock_release(lock)

#endif
