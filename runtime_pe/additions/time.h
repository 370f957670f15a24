
/* ---- added by MOG ---- */
#ifndef _MOG_ADDED_TIME_H
#define _MOG_ADDED_TIME_H
_BEGIN_STD_C
#if __ISO_C_VISIBLE >= 2011
#define TIME_UTC 1
int timespec_get(struct timespec *, int);
#endif
#if __POSIX_VISIBLE >= 200112
#ifndef TIMER_ABSTIME
#define TIMER_ABSTIME 4
#endif
int clock_nanosleep(clockid_t, int, const struct timespec *, struct timespec *);
#endif
#if __MISC_VISIBLE
time_t timegm(struct tm *);
time_t timelocal(struct tm *);
#endif
#if __XSI_VISIBLE
extern long timezone;
extern int daylight;
#endif
_END_STD_C
#endif
