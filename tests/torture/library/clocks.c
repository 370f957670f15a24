/* time, clock, clock_gettime, gettimeofday move forward and agree. */
#include <stdio.h>
#include <sys/time.h>
#include <time.h>

int main(void) {
    time_t a = time(NULL);
    struct timeval v;
    struct timespec s, m, n;
    gettimeofday(&v, NULL);
    clock_gettime(CLOCK_REALTIME, &s);
    clock_gettime(CLOCK_MONOTONIC, &m);
    volatile unsigned x = 0;
    for (int i = 0; i < 10000; i++) x += i;
    clock_gettime(CLOCK_MONOTONIC, &n);
    printf("%d %d %d\n", v.tv_sec - a < 5, s.tv_sec - v.tv_sec < 5, n.tv_sec * 1000000000ll + n.tv_nsec >= m.tv_sec * 1000000000ll + m.tv_nsec);
    printf("%d %d\n", clock() != (clock_t)-1, CLOCKS_PER_SEC > 0);
    return 0;
}
