/* syscalls.c: the functions through which newlib reaches the system, each one Linux system call.
 *
 * newlib is configured to want these plain names. Whatever has a different form in Linux (errors, flags, struct stat, 64-bit
 * time) is converted here, with convert.c's help; sbrk is in memory.c.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/times.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "linux.h"

#define CALL0(name) linux_result(linux_call(LINUX_##name, 0, 0, 0, 0))
#define CALL1(name, a) linux_result(linux_call(LINUX_##name, (int)(a), 0, 0, 0))
#define CALL2(name, a, b) linux_result(linux_call(LINUX_##name, (int)(a), (int)(b), 0, 0))
#define CALL3(name, a, b, c) linux_result(linux_call(LINUX_##name, (int)(a), (int)(b), (int)(c), 0))
#define CALL4(name, a, b, c, d) linux_result(linux_call(LINUX_##name, (int)(a), (int)(b), (int)(c), (int)(d)))

void _exit(int status) {
    for (;;)
        linux_call(LINUX_EXIT, status, 0, 0, 0);
}

/* ---- files ---- */

int read(int fd, void *buffer, size_t bytes) { return CALL3(READ, fd, buffer, bytes); }
int write(int fd, const void *buffer, size_t bytes) { return CALL3(WRITE, fd, buffer, bytes); }
int close(int fd) { return CALL1(CLOSE, fd); }
off_t lseek(int fd, off_t offset, int whence) { return CALL3(LSEEK, fd, offset, whence); }
int link(const char *path, const char *new_path) { return CALL2(LINK, path, new_path); }
int unlink(const char *path) { return CALL1(UNLINK, path); }
int rename(const char *path, const char *new_path) { return CALL2(RENAME, path, new_path); }
int mkdir(const char *path, mode_t mode) { return CALL2(MKDIR, path, mode); }
int rmdir(const char *path) { return CALL1(RMDIR, path); }
int access(const char *path, int mode) { return CALL2(ACCESS, path, mode); }
int dup(int fd) { return CALL1(DUP, fd); }
int dup2(int fd, int new_fd) { return CALL2(DUP2, fd, new_fd); }
int ftruncate(int fd, off_t bytes) { return CALL2(FTRUNCATE, fd, bytes); }
int fsync(int fd) { return CALL1(FSYNC, fd); }
ssize_t readlink(const char *restrict path, char *restrict buffer, size_t bytes) { return CALL3(READLINK, path, buffer, bytes); }

/* Linux returns a length; POSIX the buffer. */
char *getcwd(char *buffer, size_t bytes) { return CALL2(GETCWD, buffer, bytes) < 0 ? NULL : buffer; }

int open(const char *path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    int mode = flags & O_CREAT ? va_arg(arguments, int) : 0;
    va_end(arguments);
    return CALL3(OPEN, path, linux_open_flags(flags), mode);
}

/* Only the commands whose argument has the same form in both; locks have not. */
int fcntl(int fd, int command, ...) {
    va_list arguments;
    va_start(arguments, command);
    int argument = va_arg(arguments, int);
    va_end(arguments);
    switch (command) {
    case F_DUPFD:
    case F_GETFD:
    case F_SETFD:
        return CALL3(FCNTL, fd, command, argument);
    case F_GETFL: {
        int flags = CALL3(FCNTL, fd, F_GETFL, 0);
        return flags < 0 ? flags : newlib_open_flags(flags);
    }
    case F_SETFL:
        return CALL3(FCNTL, fd, F_SETFL, linux_open_flags(argument));
    default:
        errno = EINVAL;
        return -1;
    }
}

/* A terminal is what has terminal settings. */
int isatty(int fd) {
    enum { TCGETS = 0x540d };
    int settings[16];
    return CALL3(IOCTL, fd, TCGETS, settings) == 0;
}

static int convert_stat(int result, const struct linux_stat64 *from, struct stat *to) {
    if (result < 0)
        return result;
    memset(to, 0, sizeof *to);
    to->st_dev = (dev_t)from->dev;
    to->st_ino = (ino_t)from->ino;
    to->st_mode = from->mode;
    to->st_nlink = (nlink_t)from->nlink;
    to->st_uid = (uid_t)from->uid;
    to->st_gid = (gid_t)from->gid;
    to->st_rdev = (dev_t)from->rdev;
    to->st_size = (off_t)from->size;
    to->st_atim.tv_sec = from->atime;
    to->st_atim.tv_nsec = from->atime_nsec;
    to->st_mtim.tv_sec = from->mtime;
    to->st_mtim.tv_nsec = from->mtime_nsec;
    to->st_ctim.tv_sec = from->ctime;
    to->st_ctim.tv_nsec = from->ctime_nsec;
    to->st_blksize = (blksize_t)from->blksize;
    to->st_blocks = (blkcnt_t)from->blocks;
    return 0;
}

int fstat(int fd, struct stat *status) {
    struct linux_stat64 raw;
    return convert_stat(CALL2(FSTAT64, fd, &raw), &raw, status);
}

int stat(const char *path, struct stat *status) {
    struct linux_stat64 raw;
    return convert_stat(CALL2(STAT64, path, &raw), &raw, status);
}

int lstat(const char *path, struct stat *status) {
    struct linux_stat64 raw;
    return convert_stat(CALL2(LSTAT64, path, &raw), &raw, status);
}

/* ---- time ---- */

/* newlib numbers the clocks otherwise than Linux; CLOCK_REALTIME_COARSE and its like have no counterpart. Returns -1. */
static int linux_clock(clockid_t clock) {
    switch (clock) {
    case CLOCK_REALTIME: return 0;
    case CLOCK_MONOTONIC: return 1;
    case CLOCK_PROCESS_CPUTIME_ID: return 2;
    case CLOCK_THREAD_CPUTIME_ID: return 3;
    default: errno = EINVAL; return -1;
    }
}

static int call_clock(int number, clockid_t clock, struct timespec *time) {
    struct linux_timespec raw;
    int id = linux_clock(clock);
    if (id < 0)
        return -1;
    int result = linux_result(linux_call(number, id, (int)&raw, 0, 0));
    if (result == 0 && time) {
        time->tv_sec = raw.sec;
        time->tv_nsec = raw.nsec;
    }
    return result;
}

int clock_gettime(clockid_t clock, struct timespec *time) { return call_clock(LINUX_CLOCK_GETTIME, clock, time); }
int clock_getres(clockid_t clock, struct timespec *time) { return call_clock(LINUX_CLOCK_GETRES, clock, time); }

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    int raw[2];
    int result = CALL2(GETTIMEOFDAY, raw, zone);
    if (result == 0 && time) {
        time->tv_sec = raw[0];
        time->tv_usec = raw[1];
    }
    return result;
}

int nanosleep(const struct timespec *wanted, struct timespec *rest) {
    struct linux_timespec from = {(int)wanted->tv_sec, (int)wanted->tv_nsec}, to = {0, 0};
    int result = CALL2(NANOSLEEP, &from, &to);
    if (result < 0 && rest) {
        rest->tv_sec = to.sec;
        rest->tv_nsec = to.nsec;
    }
    return result;
}

int usleep(useconds_t microseconds) {
    struct timespec time = {microseconds / 1000000, (long)(microseconds % 1000000) * 1000};
    return nanosleep(&time, NULL);
}

unsigned sleep(unsigned seconds) {
    struct timespec time = {seconds, 0}, rest = {0, 0};
    return nanosleep(&time, &rest) < 0 ? (unsigned)rest.tv_sec : 0;
}

/* Both count in 1/100 s; newlib's clock_t is unsigned. */
clock_t times(struct tms *times) { return (clock_t)CALL1(TIMES, times); }

/* ---- processes ---- */

pid_t getpid(void) { return CALL0(GETPID); }
pid_t getppid(void) { return CALL0(GETPPID); }
uid_t getuid(void) { return (uid_t)CALL0(GETUID); }
uid_t geteuid(void) { return (uid_t)CALL0(GETEUID); }
gid_t getgid(void) { return (gid_t)CALL0(GETGID); }
gid_t getegid(void) { return (gid_t)CALL0(GETEGID); }
int sched_yield(void) { return CALL0(SCHED_YIELD); }
int kill(pid_t pid, int signal) { return CALL2(KILL, pid, linux_signal(signal)); }
pid_t fork(void) { return CALL0(FORK); }
pid_t wait(int *status) { return CALL4(WAIT4, -1, status, 0, 0); }

int execve(const char *path, char *const arguments[], char *const environment[]) {
    return CALL3(EXECVE, path, arguments, environment);
}

/* No signal reaches a program from outside (newlib delivers raise() itself), so there is nothing that a mask could hold
 * back: it is kept, for the program to ask for, and has no other effect. */
int sigprocmask(int how, const sigset_t *set, sigset_t *old) {
    static sigset_t mask;
    if (old)
        *old = mask;
    if (!set)
        return 0;
    switch (how) {
    case SIG_SETMASK: mask = *set; return 0;
    case SIG_BLOCK: mask |= *set; return 0;
    case SIG_UNBLOCK: mask &= ~*set; return 0;
    default: errno = EINVAL; return -1;
    }
}

int getentropy(void *buffer, size_t bytes) {
    if (bytes > 256) {
        errno = EIO;
        return -1;
    }
    return CALL3(GETRANDOM, buffer, bytes, 0) < 0 ? -1 : 0;
}
