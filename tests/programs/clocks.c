/* Time and identity: only what must hold everywhere is printed. */
#include <stdio.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

int main(void) {
    struct timeval a, b;
    struct timespec m, n, r;
    int ok = gettimeofday(&a, NULL);
    ok |= clock_gettime(CLOCK_MONOTONIC, &m);
    ok |= clock_gettime(CLOCK_REALTIME, &r);
    time_t now = time(NULL);
    ok |= gettimeofday(&b, NULL);
    ok |= clock_gettime(CLOCK_MONOTONIC, &n);
    printf("calls %s\n", ok ? "fail" : "work");
    printf("after 2020: %d\n", a.tv_sec > 1577836800);
    printf("microseconds in range: %d, nanoseconds: %d\n", a.tv_usec >= 0 && a.tv_usec < 1000000, m.tv_nsec >= 0 && m.tv_nsec < 1000000000);
    printf("forward: %d %d\n", b.tv_sec > a.tv_sec || (b.tv_sec == a.tv_sec && b.tv_usec >= a.tv_usec), n.tv_sec > m.tv_sec || (n.tv_sec == m.tv_sec && n.tv_nsec >= m.tv_nsec));
    printf("agree: %d\n", now - a.tv_sec >= 0 && now - a.tv_sec < 100 && r.tv_sec - a.tv_sec < 100);
    printf("pid: %d\n", getpid() > 0);
    printf("tty: %d %d\n", isatty(1), isatty(77));
    return 0;
}
