/* A pipe to oneself, poll and select on it, end of file when the writer closes. */
#include <poll.h>
#include <stdio.h>
#include <sys/select.h>
#include <unistd.h>

int main(void) {
    int p[2];
    char b[16] = "";
    pipe(p);
    struct pollfd f = {p[0], POLLIN, 0};
    printf("%d ", poll(&f, 1, 0));
    write(p[1], "through", 7);
    printf("%d %d ", poll(&f, 1, 0), f.revents == POLLIN);
    fd_set set;
    FD_ZERO(&set);
    FD_SET(p[0], &set);
    struct timeval zero = {0, 0};
    printf("%d ", select(p[0] + 1, &set, NULL, NULL, &zero));
    printf("%d %s ", (int)read(p[0], b, 15), b);
    close(p[1]);
    printf("%d\n", (int)read(p[0], b, 15));
    return 0;
}
