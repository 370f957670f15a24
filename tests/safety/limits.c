/* Reaches the bounds of docs/safety.md: `limits WHAT` says how far it came, and what the host said then. */
#include <errno.h>
#include <fcntl.h>
#include <mog.h>
#include <mpi.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static int say(const char *what, long long count)
{
    return printf("%s %lld: %s\n", what, count, errno ? strerror(errno) : "ok") < 0;
}

static void path(int length)
{
    char *name = malloc((size_t)length + 1);
    for (int i = 0; i < length; i++)
        name[i] = i % 2 ? '/' : '.';
    name[length] = 0;
    errno = 0;
    const int file = open(name, O_RDONLY);
    if (file >= 0)
        close(file);
    say("path", length);
    free(name);
}

static void links(int count)
{
    char name[32], target[32];
    for (int i = 1; i <= count; i++) {
        snprintf(name, sizeof name, "link%d", i);
        snprintf(target, sizeof target, i == 1 ? "file" : "link%d", i - 1);
        unlink(name);
        symlink(target, name);
    }
    errno = 0;
    const int file = open(name, O_RDONLY);
    if (file >= 0)
        close(file);
    say("links", count);
}

static void parts(int count)
{
    struct iovec *all = calloc((size_t)count, sizeof *all);
    const int null = open("null", O_WRONLY | O_CREAT, 0600);
    errno = 0;
    writev(null, all, count);
    say("parts", count);
    free(all);
}

static void polled(unsigned count)
{
    struct pollfd *all = malloc(count * sizeof *all);
    for (unsigned i = 0; i < count; i++)
        all[i] = (struct pollfd){-1, 0, 0};
    errno = 0;
    poll(all, count, 0);
    say("polled", count);
    free(all);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : "";
    errno = 0;
    if (!strcmp(what, "files")) {
        int last = 2;
        for (int fd; (fd = open("/", O_RDONLY)) >= 0;)
            last = fd;
        say("files", last + 1);
        polled((unsigned)last + 1);
        polled((unsigned)last + 2);
    } else if (!strcmp(what, "distinct")) { /* the host has to have each of them open */
        char name[32];
        int count = 0;
        do
            snprintf(name, sizeof name, "distinct%d", count++);
        while (open(name, O_WRONLY | O_CREAT, 0600) >= 0);
        say("distinct", count - 1);
        close(3);
        errno = 0;
        open(name, O_WRONLY | O_CREAT, 0600);
        say("after close", count);
    } else if (!strcmp(what, "highest")) {
        dup2(0, argc > 2 ? atoi(argv[2]) : 3);
    } else if (!strcmp(what, "names")) {
        path(4095);
        path(4096);
        close(open("file", O_CREAT, 0600));
        links(40);
        links(41);
        parts(1024);
        parts(1025);
    } else if (!strcmp(what, "locks")) {
        const int file = open("file", O_RDWR | O_CREAT, 0600);
        int count = 0;
        for (struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1}; fcntl(file, F_SETLK, &lock) == 0; lock.l_start += 2)
            count++;
        say("locks", count);
    } else if (!strcmp(what, "memory")) {
        size_t bytes = 0;
        while (malloc(64 << 10))
            bytes += 64 << 10;
        say("memory", (long long)bytes);
    } else if (!strcmp(what, "round")) { /* all PEs at once, as much as each has */
        const size_t bytes = 900 << 10;
        char *buffer = calloc(bytes, 1);
        const int file = open("zeros", O_RDWR | O_CREAT, 0600);
        for (int i = 0; i < 3; i++) {
            pwrite(file, buffer, bytes, 0);
            pread(file, buffer, bytes, 0);
        }
    } else if (!strcmp(what, "messages")) { /* which nobody receives */
        static char message[4096];
        MPI_Request request;
        MPI_Init(&argc, &argv);
        for (int i = 0; i < (argc > 2 ? atoi(argv[2]) : 100); i++)
            MPI_Isend(message, sizeof message, MPI_BYTE, IPROC ^ 1, 0, MPI_COMM_WORLD, &request);
        puts("sent");
        fflush(stdout);
        _exit(0);
    } else {
        for (;;) {
        }
    }
    return 0;
}
