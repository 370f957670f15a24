/* sys/_thread_limits.h: limits of threads, which <limits.h> has beside <pthread.h> and <semaphore.h>. */
#ifndef _SYS__THREAD_LIMITS_H
#define _SYS__THREAD_LIMITS_H

#define __MOG_PTHREAD_DESTRUCTOR_ITERATIONS 4
#define __MOG_PTHREAD_KEYS_MAX 128
#define __MOG_PTHREAD_STACK_MIN 16384
#define __MOG_SEM_VALUE_MAX 0x7fffffff

#endif
