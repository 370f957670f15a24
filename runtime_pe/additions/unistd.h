
/* ---- added by MOG: of POSIX's options, those that a PE has; the others are not defined, which POSIX allows ---- */
#ifndef _MOG_ADDED_UNISTD_H
#define _MOG_ADDED_UNISTD_H
#define __need_NULL
#include <stddef.h>
#if __POSIX_VISIBLE >= 200809
#define _POSIX_VERSION 200809L
#elif __POSIX_VISIBLE >= 200112
#define _POSIX_VERSION 200112L
#elif __POSIX_VISIBLE >= 199506
#define _POSIX_VERSION 199506L
#else
#define _POSIX_VERSION 199009L
#endif
/* Not _POSIX2_VERSION: there are no shell and no utilities. Not _XOPEN_VERSION: much of it is missing. */
#define _POSIX_CHOWN_RESTRICTED 1
#define _POSIX_NO_TRUNC 1
#define _POSIX_VDISABLE 0
#define _POSIX_REGEXP 1
#if __MISC_VISIBLE || __XSI_VISIBLE
#include <sys/cdefs.h>
#define F_ULOCK 0
#define F_LOCK 1
#define F_TLOCK 2
#define F_TEST 3
__BEGIN_DECLS
int lockf(int, int, off_t);
useconds_t ualarm(useconds_t, useconds_t);
__END_DECLS
#endif
#if __GNU_VISIBLE
#include <sys/cdefs.h>
__BEGIN_DECLS
pid_t gettid(void);
__END_DECLS
#endif
#if __POSIX_VISIBLE >= 200112
#define _POSIX_ADVISORY_INFO _POSIX_VERSION
#define _POSIX_FSYNC _POSIX_VERSION
#define _POSIX_THREADS _POSIX_VERSION
#define _POSIX_THREAD_SAFE_FUNCTIONS _POSIX_VERSION
#define _POSIX_THREAD_ATTR_STACKADDR _POSIX_VERSION
#define _POSIX_THREAD_ATTR_STACKSIZE _POSIX_VERSION
#define _POSIX_BARRIERS _POSIX_VERSION
#define _POSIX_SPIN_LOCKS _POSIX_VERSION
#define _POSIX_READER_WRITER_LOCKS _POSIX_VERSION
#define _POSIX_SEMAPHORES _POSIX_VERSION
#define _POSIX_TIMEOUTS _POSIX_VERSION
#endif
#endif
