/* clock.c: the time that a PE has computed, in microseconds. newlib's counts what times() does, by hundredths of a second. */
#include <time.h>

clock_t clock(void) {
    struct timespec used;
    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used) != 0) return (clock_t)-1;
    return (clock_t)used.tv_sec * CLOCKS_PER_SEC + (clock_t)used.tv_nsec / 1000;
}
