/* ftime.c: <sys/timeb.h>, for which newlib has only the header. */
#include <stddef.h>
#include <sys/time.h>
#include <sys/timeb.h>

int ftime(struct timeb *to) {
    struct timeval now;
    gettimeofday(&now, NULL);
    /* As glibc's since 2.31 the last two are always 0. */
    *to = (struct timeb){now.tv_sec, (unsigned short)(now.tv_usec / 1000), 0, 0};
    return 0;
}
