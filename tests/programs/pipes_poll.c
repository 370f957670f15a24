/* Pipes, poll and select, O_NONBLOCK, the end of a pipe, SIGPIPE: all within one program. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <mog.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

static void show(const char *what, long result) {
    if (result < 0)
        printf("%s: %s\n", what, strerror(errno));
    else
        printf("%s: %ld\n", what, result);
}

static volatile int broken;
static void on_broken_pipe(int signal) { broken += signal; }

static void poll_one(const char *what, int fd, int events, int milliseconds) {
    struct pollfd entry = {fd, events, 0};
    int ready = poll(&entry, 1, milliseconds);
    printf("poll %s: %d, %s%s%s%s%s\n", what, ready, entry.revents & POLLIN ? "in " : "", entry.revents & POLLOUT ? "out " : "",
           entry.revents & POLLHUP ? "hup " : "", entry.revents & POLLERR ? "err " : "", entry.revents & POLLNVAL ? "nval" : "");
}

int main(void) {
    int ends[2], second[2];
    char buffer[100] = "";
    show("pipe", pipe(ends));
    show("two descriptors", ends[0] >= 3 && ends[1] > ends[0]);
    poll_one("empty", ends[0], POLLIN, 0);
    poll_one("empty with patience", ends[0], POLLIN, 30);
    poll_one("room", ends[1], POLLOUT, 1000);
    show("write", write(ends[1], "hello pipe", 10));
    poll_one("full", ends[0], POLLIN, -1);
    show("read", read(ends[0], buffer, 5));
    show("read", read(ends[0], buffer + 5, 50));
    puts(buffer);
    show("seek", lseek(ends[0], 0, SEEK_CUR));
    show("pread", pread(ends[0], buffer, 1, 0));
    show("read the wrong end", read(ends[1], buffer, 1));
    show("write the wrong end", write(ends[0], buffer, 1));
    struct stat status;
    show("fstat", fstat(ends[0], &status));
    show("is a pipe", S_ISFIFO(status.st_mode));
    show("fcntl", fcntl(ends[0], F_SETFL, O_NONBLOCK));
    show("read of nothing", read(ends[0], buffer, 1));
    show("nonblocking", (fcntl(ends[0], F_GETFL) & O_NONBLOCK) != 0);

    show("pipe2", pipe2(second, O_NONBLOCK | O_CLOEXEC));
    char block[4096];
    memset(block, 'b', sizeof block);
    long total = 0;
    int n;
    while ((n = write(second[1], block, sizeof block)) > 0) total += n;
    show("full", n);
    show("capacity", total);
    poll_one("no room", second[1], POLLOUT, 0);
    while ((n = read(second[0], block, sizeof block)) > 0) total -= n;
    show("empty", n);
    show("left", total);

    struct pollfd many[4] = {{ends[0], POLLIN, 0}, {second[1], POLLOUT, 0}, {99, POLLIN, 0}, {-5, POLLIN, 0}};
    printf("poll many: %d", poll(many, 4, 0));
    for (int i = 0; i < 4; i++) printf(" %x", (unsigned)many[i].revents);
    putchar('\n');
    show("poll EFAULT", poll((struct pollfd *)8, 1, 0));

    fd_set in, out;
    FD_ZERO(&in);
    FD_ZERO(&out);
    FD_SET(ends[0], &in);
    FD_SET(second[0], &in);
    FD_SET(ends[1], &out);
    write(second[1], "!", 1);
    struct timeval time = {1, 0};
    show("select", select(second[1] + 1, &in, &out, NULL, &time));
    printf("%d %d %d\n", FD_ISSET(ends[0], &in) != 0, FD_ISSET(second[0], &in) != 0, FD_ISSET(ends[1], &out) != 0);
    FD_ZERO(&in);
    FD_SET(ends[0], &in);
    time.tv_sec = 0;
    time.tv_usec = 20000;
    show("select in vain", select(ends[0] + 1, &in, NULL, NULL, &time));
    FD_SET(50, &in);
    show("select of a closed one", select(51, &in, NULL, NULL, &time));
    time.tv_usec = 1000;
    show("select as sleep", select(0, NULL, NULL, NULL, &time));

    char name[32];
    snprintf(name, sizeof name, "poll_%d.tmp", mog_rank());
    int file = open(name, O_RDWR | O_CREAT, 0600);
    poll_one("file", file, POLLIN | POLLOUT, -1);
    close(file);
    unlink(name);

    /* the other end is gone */
    show("close", close(ends[1]));
    poll_one("closed writer", ends[0], POLLIN, -1);
    show("read at end", read(ends[0], buffer, 10));
    show("ignore", signal(SIGPIPE, SIG_IGN) == SIG_DFL);
    close(second[0]);
    show("write to nobody", write(second[1], "x", 1));
    poll_one("closed reader", second[1], POLLOUT, -1);
    show("handler", signal(SIGPIPE, on_broken_pipe) == SIG_IGN);
    show("write to nobody", write(second[1], "x", 1));
    show("handled", broken == SIGPIPE);

    /* a stream at each end */
    show("pipe", pipe(ends));
    FILE *to = fdopen(ends[1], "w"), *from = fdopen(ends[0], "r");
    fprintf(to, "line %d\nline %d\n", 1, 2);
    fclose(to);
    while (fgets(buffer, sizeof buffer, from)) fputs(buffer, stdout);
    show("eof", feof(from) != 0);
    fclose(from);
    /* and with the default, the end */
    fflush(stdout);
    signal(SIGPIPE, SIG_DFL);
    if (mog_size() > 0) write(second[1], "x", 1);
    puts("not reached");
    return 0;
}
