/* sys/time.h: the time of day, and what programs compute with it. newlib's is FreeBSD's, with functions for its kernel, and can be read by
 * nobody who includes <sys/select.h> from within <sys/types.h>, as gnulib's headers do. */
#ifndef _SYS_TIME_H_
#define _SYS_TIME_H_

#include <sys/_timeval.h>
#include <sys/cdefs.h>
#include <sys/select.h>
#include <sys/types.h>

struct timezone {
    int tz_minuteswest, tz_dsttime;
};

#define ITIMER_REAL 0
#define ITIMER_VIRTUAL 1
#define ITIMER_PROF 2
struct itimerval {
    struct timeval it_interval, it_value;
};

__BEGIN_DECLS
int gettimeofday(struct timeval *__restrict, void *__restrict);
int utimes(const char *, const struct timeval *);
#if __BSD_VISIBLE
int futimes(int, const struct timeval *);
int lutimes(const char *, const struct timeval *);
#endif
#if __MISC_VISIBLE || __XSI_VISIBLE
int setitimer(int, const struct itimerval *__restrict, struct itimerval *__restrict);
#endif
__END_DECLS

#if __BSD_VISIBLE
#define timerclear(time) ((time)->tv_sec = (time)->tv_usec = 0)
#define timerisset(time) ((time)->tv_sec || (time)->tv_usec)
#define timercmp(one, other, is) \
    ((one)->tv_sec == (other)->tv_sec ? (one)->tv_usec is (other)->tv_usec : (one)->tv_sec is (other)->tv_sec)
#define timeradd(one, other, sum)                              \
    do {                                                       \
        (sum)->tv_sec = (one)->tv_sec + (other)->tv_sec;       \
        (sum)->tv_usec = (one)->tv_usec + (other)->tv_usec;    \
        if ((sum)->tv_usec >= 1000000) {                       \
            ++(sum)->tv_sec;                                   \
            (sum)->tv_usec -= 1000000;                         \
        }                                                      \
    } while (0)
#define timersub(one, other, difference)                              \
    do {                                                              \
        (difference)->tv_sec = (one)->tv_sec - (other)->tv_sec;       \
        (difference)->tv_usec = (one)->tv_usec - (other)->tv_usec;    \
        if ((difference)->tv_usec < 0) {                              \
            --(difference)->tv_sec;                                   \
            (difference)->tv_usec += 1000000;                         \
        }                                                             \
    } while (0)
#endif
#if __GNU_VISIBLE
#define TIMEVAL_TO_TIMESPEC(from, to) ((void)((to)->tv_sec = (from)->tv_sec, (to)->tv_nsec = (from)->tv_usec * 1000))
#define TIMESPEC_TO_TIMEVAL(to, from) ((void)((to)->tv_sec = (from)->tv_sec, (to)->tv_usec = (from)->tv_nsec / 1000))
#endif

#endif
