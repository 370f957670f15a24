/* sys/_pthreadtypes.h: the types of <pthread.h>, which <sys/types.h> has to have too. */
#ifndef _SYS__PTHREADTYPES_H_
#define _SYS__PTHREADTYPES_H_

#define __need_size_t
#include <stddef.h>

typedef unsigned long pthread_t;
typedef unsigned pthread_key_t;
typedef int pthread_once_t;
typedef struct { int __kind; } pthread_mutexattr_t;
typedef struct { int __kind, __locks; } pthread_mutex_t;
typedef struct { int __readers, __writers; } pthread_rwlock_t;
typedef struct { int __nothing; } pthread_cond_t, pthread_condattr_t, pthread_rwlockattr_t;
typedef struct { int __detached; size_t __stack; } pthread_attr_t;

#endif
