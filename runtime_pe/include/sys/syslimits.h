/* sys/syslimits.h: limits of the system, for <limits.h>; newlib's are those of a small BSD. As in glibc, what depends on the host or has no limit
 * has no macro (ARG_MAX, CHILD_MAX, LINK_MAX, OPEN_MAX, STREAM_MAX, TZNAME_MAX): sysconf() and pathconf() know. */
#ifndef _SYS_SYSLIMITS_H
#define _SYS_SYSLIMITS_H

#include <sys/_thread_limits.h>
#include <sys/features.h>

#if __POSIX_VISIBLE
/* POSIX's minima, the same everywhere. */
#define _POSIX_AIO_LISTIO_MAX 2
#define _POSIX_AIO_MAX 1
#define _POSIX_ARG_MAX 4096
#if __POSIX_VISIBLE >= 200112
#define _POSIX_CHILD_MAX 25
#define _POSIX_NGROUPS_MAX 8
#define _POSIX_OPEN_MAX 20
#else
#define _POSIX_CHILD_MAX 6
#define _POSIX_NGROUPS_MAX 0
#define _POSIX_OPEN_MAX 16
#endif
#define _POSIX_CLOCKRES_MIN 20000000
#define _POSIX_DELAYTIMER_MAX 32
#define _POSIX_HOST_NAME_MAX 255
#define _POSIX_LINK_MAX 8
#define _POSIX_LOGIN_NAME_MAX 9
#define _POSIX_MAX_CANON 255
#define _POSIX_MAX_INPUT 255
#define _POSIX_MQ_OPEN_MAX 8
#define _POSIX_MQ_PRIO_MAX 32
#define _POSIX_NAME_MAX 14
#define _POSIX_PATH_MAX 256
#define _POSIX_PIPE_BUF 512
#define _POSIX_RE_DUP_MAX 255
#define _POSIX_RTSIG_MAX 8
#define _POSIX_SEM_NSEMS_MAX 256
#define _POSIX_SEM_VALUE_MAX 32767
#define _POSIX_SIGQUEUE_MAX 32
#define _POSIX_SSIZE_MAX 32767
#define _POSIX_STREAM_MAX 8
#define _POSIX_SYMLINK_MAX 255
#define _POSIX_SYMLOOP_MAX 8
#define _POSIX_THREAD_DESTRUCTOR_ITERATIONS 4
#define _POSIX_THREAD_KEYS_MAX 128
#define _POSIX_THREAD_THREADS_MAX 64
#define _POSIX_TIMER_MAX 32
#define _POSIX_TTY_NAME_MAX 9
#define _POSIX_TZNAME_MAX 6
#define _POSIX2_BC_BASE_MAX 99
#define _POSIX2_BC_DIM_MAX 2048
#define _POSIX2_BC_SCALE_MAX 99
#define _POSIX2_BC_STRING_MAX 1000
#define _POSIX2_CHARCLASS_NAME_MAX 14
#define _POSIX2_COLL_WEIGHTS_MAX 2
#define _POSIX2_EXPR_NEST_MAX 32
#define _POSIX2_LINE_MAX 2048
#define _POSIX2_RE_DUP_MAX 255

/* Linux's, and those of this library. */
#define HOST_NAME_MAX 64
#define LOGIN_NAME_MAX 256
#define MAX_CANON 255
#define MAX_INPUT 255
#define NAME_MAX 255
#define NGROUPS_MAX 65536
#define PATH_MAX 4096
#define PIPE_BUF 4096
#define SEM_VALUE_MAX __MOG_SEM_VALUE_MAX
#define SSIZE_MAX __INT_MAX__
#define SYMLOOP_MAX 40
#define TTY_NAME_MAX 32
#define PTHREAD_DESTRUCTOR_ITERATIONS __MOG_PTHREAD_DESTRUCTOR_ITERATIONS
#define PTHREAD_KEYS_MAX __MOG_PTHREAD_KEYS_MAX
#define PTHREAD_STACK_MIN __MOG_PTHREAD_STACK_MIN

/* Of utilities, which ask for no more than the minima, and regular expressions. */
#define BC_BASE_MAX _POSIX2_BC_BASE_MAX
#define BC_DIM_MAX _POSIX2_BC_DIM_MAX
#define BC_SCALE_MAX _POSIX2_BC_SCALE_MAX
#define BC_STRING_MAX _POSIX2_BC_STRING_MAX
#define CHARCLASS_NAME_MAX _POSIX2_CHARCLASS_NAME_MAX
#define COLL_WEIGHTS_MAX _POSIX2_COLL_WEIGHTS_MAX
#define EXPR_NEST_MAX _POSIX2_EXPR_NEST_MAX
#define LINE_MAX _POSIX2_LINE_MAX
#define RE_DUP_MAX _POSIX2_RE_DUP_MAX
#endif

#if __XSI_VISIBLE || __POSIX_VISIBLE >= 200809
/* X/Open's, which came into POSIX with its edition of 2008. */
#define NL_MSGMAX __INT_MAX__
#define NL_SETMAX __INT_MAX__
#define NL_TEXTMAX __INT_MAX__
#define IOV_MAX 1024
#define LONG_BIT 32
#define WORD_BIT 32
#endif
#if __XSI_VISIBLE
#define _XOPEN_IOV_MAX 16
#define _XOPEN_NAME_MAX 255
#define _XOPEN_PATH_MAX 1024
#define NL_LANGMAX 2048
#define NZERO 20
#endif

#endif
