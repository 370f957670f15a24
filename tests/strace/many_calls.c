/* many_calls.c: a call of every kind, some of them wrong, for --strace. What differs from run to run is not printed. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

static char bytes[64] = "0123456789\tabc\n\001\0019\377\"\\ more than strace shows";

int main(void) {
    char buffer[64];
    struct stat status;
    int ends[2], n, fd = open("file", O_RDWR | O_CREAT | O_EXCL | O_APPEND, 0640);
    write(fd, bytes, 47);
    write(fd, NULL, 0);
    lseek(fd, 10, SEEK_SET);
    read(fd, buffer, 5);
    read(fd, buffer, 0);
    pread(fd, buffer, 4, 3);
    pwrite(fd, "xy", 2, 1);
    struct iovec parts[] = {{buffer, 2}, {buffer + 8, 6}};
    lseek(fd, -1, SEEK_SET);
    lseek(fd, 0, SEEK_SET);
    readv(fd, parts, 2);
    writev(fd, parts, 2);
    fstat(fd, &status);
    stat("none", &status);
    stat("file", &status);
    fcntl(fd, F_GETFL);
    fcntl(fd, F_SETFL, O_NONBLOCK);
    fcntl(fd, F_GETFD);
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    fcntl(fd, F_GETFD);
    fcntl(fd, F_DUPFD, 10);
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 3, .l_len = 4};
    fcntl(fd, F_SETLK, &lock);
    flock(fd, LOCK_EX | LOCK_NB);
    ioctl(fd, FIONREAD, &n);
    ftruncate(fd, 12);
    truncate("file", 5);
    fchmod(fd, 0600);
    fsync(fd);
    dup2(fd, 20);
    dup2(77, 20);
    dup3(fd, 21, O_CLOEXEC);
    close(20);
    close(20);
    pipe2(ends, O_NONBLOCK);
    read(ends[0], buffer, 8);
    struct pollfd polls[] = {{ends[0], POLLIN, 0}, {ends[1], POLLOUT, 0}};
    poll(polls, 1, 0);
    poll(polls, 2, 100);
    link("file", "other");
    symlink("file", "link");
    readlink("link", buffer, sizeof buffer);
    readlink("file", buffer, sizeof buffer);
    rename("other", "renamed");
    access("file", R_OK | W_OK);
    access("none", F_OK);
    chmod("file", 0644);
    mkdir("folder", 0755);
    mkfifo("fifo", 0600);
    chdir("folder");
    chdir("..");
    int folder = open("folder", O_RDONLY | O_DIRECTORY);
    close(openat(folder, "inside", O_WRONLY | O_CREAT, 0666));
    unlinkat(folder, "inside", 0);
    unlinkat(AT_FDCWD, "folder", AT_REMOVEDIR);
    rmdir("folder");
    umask(027);
    umask(022);
    struct timespec little = {0, 1000};
    nanosleep(&little, NULL);
    struct timeval times[2] = {{1000000000, 5}, {1000000001, 6}};
    utimes("file", times);
    unlink("none");
    mkdir("a very long name that strace does not cut because it is a path", 0777);
    open((char *)16, O_RDONLY);
    write(1, (char *)16, 3);
    kill(123456, 0);
    _exit(7);
}
