/* pipes.c: what is in pipes, and ends that are closed; sleeping; a handler for an alarm. */
#include <errno.h>
#include <fcntl.h>
#include <mog.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

static void work(void) {
    volatile unsigned x = 1;
    for (int i = 0; i < 2500; i++) x = x * 5 + i;
}

int main(void) {
    int ends[2], full[2], broken[2], available;
    char buffer[5000];
    pipe(ends);
    pipe2(full, O_NONBLOCK);
    pipe(broken);
    close(broken[0]);
    signal(SIGPIPE, SIG_IGN);
    memset(buffer, 'x', sizeof buffer);
    long total = 0;
    for (ssize_t n; (n = write(full[1], buffer, sizeof buffer)) > 0; total += n) work();
    /* How many depends on how they came: a pipe has room by pages. */
    printf("PE %d: a pipe holds some bytes: %d, then errno is %d\n", IPROC, total > 4096, errno);
    for (int i = 0; i < 8; i++) {
        sprintf(buffer, "message %d of %d;", i, IPROC);
        write(ends[1], buffer, strlen(buffer));
        work();
        ioctl(ends[0], FIONREAD, &available);
        printf("PE %d: %d bytes are there\n", IPROC, available);
        if (i % 3 == 2) {
            buffer[read(ends[0], buffer, 25)] = 0;
            printf("PE %d: %s\n", IPROC, buffer);
        }
        errno = 0;
        ssize_t n = write(broken[1], "x", 1);
        printf("PE %d: nobody reads: %d %d\n", IPROC, (int)n, errno);
    }
    struct timespec moment = {0, 3000000};
    nanosleep(&moment, NULL);
    int other = dup(ends[1]);
    close(ends[1]);
    work();
    write(other, "end", 3);
    close(other);
    work();
    struct pollfd wait = {ends[0], POLLIN, 0};
    printf("PE %d: poll %d %x\n", IPROC, poll(&wait, 1, 1000), wait.revents);
    for (ssize_t n; (n = read(ends[0], buffer, 20)) > 0; work()) printf("PE %d: %.*s\n", IPROC, (int)n, buffer);
    for (ssize_t n; total > 0 && (n = read(full[0], buffer, sizeof buffer)) > 0; total -= n) work();
    printf("PE %d: %ld left\n", IPROC, total);
    return 0;
}
