
/* ---- added by MOG: POSIX has these here as well as in <pthread.h> ---- */
#ifndef _MOG_ADDED_SIGNAL_H
#define _MOG_ADDED_SIGNAL_H
#if __POSIX_VISIBLE >= 199506
#include <sys/_pthreadtypes.h>
__BEGIN_DECLS
int pthread_kill(pthread_t, int);
int pthread_sigmask(int, const sigset_t *__restrict, sigset_t *__restrict);
__END_DECLS
#endif
#endif
