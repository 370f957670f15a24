/* descriptors.c: what can be asked and told about open files: fcntl, record locks, flock, ioctl, dup, vectors, and the errors
 * that Linux gives for each. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/times.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <mog.h>

static void tell(const char *what, long result) {
    if (result < 0)
        printf("%s: %s\n", what, strerror(errno));
    else
        printf("%s: %ld\n", what, result);
}

static int lock(int fd, int command, int type, int whence, long start, long length) {
    struct flock lock = {.l_type = type, .l_whence = whence, .l_start = start, .l_len = length};
    int result = fcntl(fd, command, &lock);
    if (command == F_GETLK && result == 0)
        printf("%s ", lock.l_type == F_UNLCK ? "free" : "locked");
    return result;
}

/* A file of this PE's own. */
static char name[20];

static long size_of(int fd) {
    struct stat status;
    return fstat(fd, &status) < 0 ? -1 : (long)status.st_size;
}

static void flags(void) {
    int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600), dup;
    tell("GETFD", fcntl(fd, F_GETFD));
    tell("SETFD", fcntl(fd, F_SETFD, FD_CLOEXEC));
    tell("GETFD", fcntl(fd, F_GETFD));
    dup = fcntl(fd, F_DUPFD, 20);
    tell("DUPFD from 20", dup);
    tell("its GETFD", fcntl(dup, F_GETFD));
    tell("DUPFD_CLOEXEC", dup = fcntl(fd, F_DUPFD_CLOEXEC, 20));
    tell("its GETFD", fcntl(dup, F_GETFD));
    tell("DUPFD from 100000", fcntl(fd, F_DUPFD, 100000));
    tell("DUPFD of a closed one", fcntl(99, F_DUPFD, 0));
    tell("a command that is none", fcntl(fd, 0x7777, 0));
    tell("dup2 to itself", dup2(fd, fd));
    tell("dup2 of a closed one", dup2(99, fd));
    tell("dup2 to -1", dup2(fd, -1));
    tell("dup2 to 100000", dup2(fd, 100000));
    tell("access mode", fcntl(fd, F_GETFL) & O_ACCMODE);
    tell("write", write(fd, "12345", 5));
    tell("seek", lseek(fd, 1, SEEK_SET));
    tell("SETFL O_APPEND", fcntl(fd, F_SETFL, O_APPEND));
    tell("appends", (fcntl(fd, F_GETFL) & O_APPEND) != 0);
    tell("appends, the dup", (fcntl(20, F_GETFL) & O_APPEND) != 0);
    tell("write", write(fd, "678", 3));
    tell("place", lseek(fd, 0, SEEK_CUR));
    tell("SETFL 0", fcntl(fd, F_SETFL, 0));
    tell("seek", lseek(fd, 0, SEEK_SET));
    tell("write", write(fd, "ab", 2));
    tell("size", size_of(fd));
    int ends[2];
    char byte;
    tell("pipe", pipe(ends));
    tell("SETFL O_NONBLOCK", fcntl(ends[0], F_SETFL, O_NONBLOCK));
    tell("nonblocking", (fcntl(ends[0], F_GETFL) & O_NONBLOCK) != 0);
    tell("nonblocking, the other end", (fcntl(ends[1], F_GETFL) & O_NONBLOCK) != 0);
    tell("read of nothing", read(ends[0], &byte, 1));
    tell("read of the wrong end", read(ends[1], &byte, 1));
    tell("write to the wrong end", write(ends[0], "x", 1));
    tell("close", close(ends[1]));
    tell("read at the end", read(ends[0], &byte, 1));
    tell("standard output appends?", fcntl(1, F_SETFL, fcntl(1, F_GETFL) | O_APPEND));
    for (int i = 3; i < 30; ++i)
        close(i);
}

static void locks(void) {
    int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0600), in, out;
    write(fd, "0123456789", 10);
    tell("write lock", lock(fd, F_SETLK, F_WRLCK, SEEK_SET, 2, 3));
    tell("asked by its owner", lock(fd, F_GETLK, F_WRLCK, SEEK_SET, 0, 0));
    tell("becomes a read lock", lock(fd, F_SETLKW, F_RDLCK, SEEK_SET, 3, 1));
    tell("from the end", lock(fd, F_SETLK, F_RDLCK, SEEK_END, -3, 3));
    tell("backwards", lock(fd, F_SETLK, F_RDLCK, SEEK_CUR, 0, -5));
    tell("before the beginning", lock(fd, F_SETLK, F_RDLCK, SEEK_SET, -1, 1));
    tell("backwards over the beginning", lock(fd, F_SETLK, F_RDLCK, SEEK_SET, 3, -5));
    tell("from nowhere", lock(fd, F_SETLK, F_RDLCK, 7, 0, 0));
    tell("of no kind", lock(fd, F_SETLK, 77, SEEK_SET, 0, 0));
    tell("unlock", lock(fd, F_SETLK, F_UNLCK, SEEK_SET, 0, 0));
    in = open(name, O_RDONLY), out = open(name, O_WRONLY);
    tell("write lock to read", lock(in, F_SETLK, F_WRLCK, SEEK_SET, 0, 0));
    tell("read lock to write", lock(out, F_SETLK, F_RDLCK, SEEK_SET, 0, 0));
    tell("read lock", lock(in, F_SETLK, F_RDLCK, SEEK_SET, 0, 0));
    tell("write lock of the same process", lock(out, F_SETLK, F_WRLCK, SEEK_SET, 0, 0));
    tell("of a closed one", lock(99, F_SETLK, F_RDLCK, SEEK_SET, 0, 0));
    tell("flock shared", flock(fd, LOCK_SH));
    tell("flock shared, another", flock(in, LOCK_SH | LOCK_NB));
    tell("flock exclusive, a third", flock(out, LOCK_EX | LOCK_NB));
    tell("flock none", flock(in, LOCK_UN));
    tell("flock exclusive", flock(fd, LOCK_EX | LOCK_NB));
    tell("flock of its dup", flock(dup(fd), LOCK_EX | LOCK_NB));
    tell("flock of another", flock(in, LOCK_SH | LOCK_NB));
    tell("flock of no kind", flock(in, 0x40));
    tell("flock of a closed one", flock(99, LOCK_SH));
    for (int i = 3; i < 30; ++i)
        close(i);
}

static void asking(void) {
    int fd = open(name, O_RDWR), ends[2], n = -1;
    struct winsize size;
    struct utsname system;
    tell("FIONREAD", ioctl(fd, FIONREAD, &n));
    tell("bytes", n);
    lseek(fd, 4, SEEK_SET);
    tell("FIONREAD", ioctl(fd, FIONREAD, &n));
    tell("bytes", n);
    pipe(ends);
    write(ends[1], "three", 3);
    tell("FIONREAD of a pipe", ioctl(ends[0], FIONREAD, &n));
    tell("bytes", n);
    tell("TIOCGWINSZ of a pipe", ioctl(ends[0], TIOCGWINSZ, &size));
    tell("TIOCGWINSZ of a closed one", ioctl(99, TIOCGWINSZ, &size));
    tell("isatty", isatty(fd));
    tell("isatty", isatty(99) ? 1 : -1);
    char a[3], b[5];
    struct iovec parts[] = {{a, 3}, {NULL, 0}, {b, 5}};
    lseek(fd, 0, SEEK_SET);
    tell("readv", readv(fd, parts, 3));
    printf("%.3s %.5s\n", a, b);
    tell("readv, the rest", readv(fd, parts, 3));
    tell("writev", writev(fd, parts, 3));
    tell("writev of none", writev(fd, parts, 0));
    tell("writev of -1", writev(fd, parts, -1));
    tell("readv of 5000", readv(fd, parts, 5000));
    tell("size", size_of(fd));
    tell("getrandom", getrandom(a, 3, 0));
    tell("getrandom with strange flags", getrandom(a, 3, 0x100));
    tell("uname", uname(&system));
    printf("%s %s\n", system.sysname, system.machine);
    tell("ticks in a second", sysconf(_SC_CLK_TCK));
    tell("page", sysconf(_SC_PAGESIZE));
    tell("seek to a strange place", lseek(fd, 0, 9));
    tell("seek before the beginning", lseek(fd, -1, SEEK_SET));
    tell("seek in a pipe", lseek(ends[0], 0, SEEK_SET));
    tell("close", close(fd));
    tell("close again", close(fd));
}

int main(void) {
    snprintf(name, sizeof name, "descriptors_%d", mog_rank());
    flags();
    locks();
    asking();
    return 0;
}
