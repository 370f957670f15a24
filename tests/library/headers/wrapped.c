/* wrapped.c: <sys/types.h> comes to <sys/select.h> before it has all types, and that to all others. */
#include <sys/types.h>
#include <stdio.h>

int main(void) {
    siginfo_t news = {.si_pid = 1, .si_uid = 2};
    struct timeval one = {1, 600000}, other = {2, 500000}, sum;
    timeradd(&one, &other, &sum);
    return printf("%d %d, %d.%06d\n", (int)news.si_pid, (int)news.si_uid, (int)sum.tv_sec, (int)sum.tv_usec) < 0;
}
