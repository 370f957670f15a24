/* threads.h: C11's threads. They are POSIX's by other names. */
#ifndef _THREADS_H
#define _THREADS_H

#include <sys/_threads.h>
#include <sys/cdefs.h>
#include <time.h>

#ifndef __cplusplus
#define thread_local _Thread_local
#endif
#define ONCE_FLAG_INIT 0
#define TSS_DTOR_ITERATIONS 4

enum { mtx_plain, mtx_recursive, mtx_timed };
enum { thrd_success, thrd_busy, thrd_error, thrd_nomem, thrd_timedout };

typedef int (*thrd_start_t)(void *);
typedef void (*tss_dtor_t)(void *);
typedef __mog_thread thrd_t;
typedef __mog_thread_key tss_t;
typedef __mog_once once_flag;
typedef struct { struct __mog_mutex __mutex; } mtx_t;
typedef struct { struct __mog_condition __condition; } cnd_t;

__BEGIN_DECLS
int thrd_create(thrd_t *, thrd_start_t, void *);
int thrd_equal(thrd_t, thrd_t);
thrd_t thrd_current(void);
int thrd_sleep(const struct timespec *, struct timespec *);
void thrd_exit(int) __attribute__((__noreturn__));
int thrd_detach(thrd_t);
int thrd_join(thrd_t, int *);
void thrd_yield(void);

int mtx_init(mtx_t *, int);
int mtx_lock(mtx_t *);
int mtx_timedlock(mtx_t *__restrict, const struct timespec *__restrict);
int mtx_trylock(mtx_t *);
int mtx_unlock(mtx_t *);
void mtx_destroy(mtx_t *);

void call_once(once_flag *, void (*)(void));

int cnd_init(cnd_t *);
int cnd_signal(cnd_t *);
int cnd_broadcast(cnd_t *);
int cnd_wait(cnd_t *, mtx_t *);
int cnd_timedwait(cnd_t *__restrict, mtx_t *__restrict, const struct timespec *__restrict);
void cnd_destroy(cnd_t *);

int tss_create(tss_t *, tss_dtor_t);
void *tss_get(tss_t);
int tss_set(tss_t, void *);
void tss_delete(tss_t);
__END_DECLS

#endif
