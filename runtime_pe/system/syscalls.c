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
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

#include "calls.h"
#include "mappings.h"
#include "shared.h"

/* In threads/create.c, and there only if the program creates threads: with them exit() ends but one. */
extern void __mog_begin_threads(void) __attribute__((weak));

void _exit(int status) {
    if (__mog_write_mappings) __mog_write_mappings();
    for (;;) linux_call(__mog_begin_threads ? LINUX_exit_group : LINUX_exit, status, 0, 0, 0);
}

/* ---- files ---- */

int read(int fd, void *buffer, size_t bytes) {
    CANCELLATION_POINT();
    return CALL3(read, fd, buffer, bytes);
}

/* In signals.c, and there only if the program has anything to do with signals. */
extern void __mog_broken_pipe(void) __attribute__((weak));

int write(int fd, const void *buffer, size_t bytes) {
    CANCELLATION_POINT();
    int result = CALL3(write, fd, buffer, bytes);
    tell_mappings(fd, buffer, result, -1);
    if (result < 0 && errno == EPIPE && __mog_broken_pipe) {
        __mog_broken_pipe();
        errno = EPIPE;
    }
    return result;
}

int close(int fd) {
    CANCELLATION_POINT();
    const struct shared_calls *shared = shared_calls_of(fd);
    return shared ? shared->close(fd) : CALL1(close, fd);
}
off_t lseek(int fd, off_t offset, int whence) { return CALL3(lseek, fd, offset, whence); }
int dup(int fd) { return CALL1(dup, fd); }
int dup3(int fd, int new_fd, int flags) { return CALL3(dup3, fd, new_fd, linux_open_flags(flags)); }
int dup2(int fd, int new_fd) { return CALL2(dup2, fd, new_fd); }
int ftruncate(int fd, off_t bytes) {
    const struct shared_calls *shared = shared_calls_of(fd);
    return shared ? shared->truncate(fd, bytes) : CALL2(ftruncate, fd, bytes);
}
int fsync(int fd) {
    CANCELLATION_POINT();
    return CALL1(fsync, fd);
}
int fdatasync(int fd) { return CALL1(fdatasync, fd); }
int fchmod(int fd, mode_t mode) { return CALL2(fchmod, fd, mode); }
int fchown(int fd, uid_t owner, gid_t group) { return CALL3(fchown, fd, owner, group); }
void sync(void) { CALL0(sync); }

int open(const char *path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    int mode = flags & O_CREAT ? va_arg(arguments, int) : 0;
    va_end(arguments);
    CANCELLATION_POINT();
    return CALL3(open, path, linux_open_flags(flags), mode);
}

/* Record locks: newlib has other numbers for the commands (7, 8, 9) and the kinds (1, 2, 3), and another structure. */
static int record_lock(int fd, int command, struct flock *lock) {
    struct linux_flock raw = {(short)(lock->l_type - F_RDLCK), lock->l_whence, (int)lock->l_start, (int)lock->l_len, 0, 0, {0}};
    int result = CALL3(fcntl, fd, command == F_GETLK ? LINUX_F_GETLK : command == F_SETLK ? LINUX_F_SETLK : LINUX_F_SETLKW, &raw);
    if (command == F_GETLK && result == 0) {
        lock->l_type = (short)(raw.type + F_RDLCK);
        lock->l_whence = raw.whence;
        lock->l_start = raw.start;
        lock->l_len = raw.length;
        lock->l_pid = (short)raw.pid;
    }
    return result;
}

/* Only the commands whose argument has a form that is known here. */
int fcntl(int fd, int command, ...) {
    va_list arguments;
    va_start(arguments, command);
    int argument = va_arg(arguments, int);
    va_end(arguments);
    switch (command) {
        case F_DUPFD:
        case F_DUPFD_CLOEXEC:
        case F_GETFD:
        case F_SETFD: return CALL3(fcntl, fd, command == F_DUPFD_CLOEXEC ? LINUX_F_DUPFD_CLOEXEC : command, argument);
        case F_GETFL: {
            int flags = CALL3(fcntl, fd, F_GETFL, 0);
            return flags < 0 ? flags : newlib_open_flags(flags);
        }
        case F_SETFL: return CALL3(fcntl, fd, F_SETFL, linux_open_flags(argument));
        case F_GETLK:
        case F_SETLK:
        case F_SETLKW: return record_lock(fd, command, (struct flock *)argument);
        default: errno = EINVAL; return -1;
    }
}

int flock(int fd, int operation) { return CALL2(flock, fd, operation); }

/* ---- time ---- */

/* newlib numbers the clocks otherwise than Linux; CLOCK_REALTIME_COARSE and its like have no counterpart. Returns -1. */
static int linux_clock(clockid_t clock) {
    switch (clock) {
        case CLOCK_REALTIME: return LINUX_CLOCK_REALTIME;
        case CLOCK_MONOTONIC: return LINUX_CLOCK_MONOTONIC;
        case CLOCK_PROCESS_CPUTIME_ID: return LINUX_CLOCK_PROCESS_CPUTIME_ID;
        case CLOCK_THREAD_CPUTIME_ID: return LINUX_CLOCK_THREAD_CPUTIME_ID;
        default: errno = EINVAL; return -1;
    }
}

static int call_clock(int number, clockid_t clock, struct timespec *time) {
    struct linux_timespec raw;
    int id = linux_clock(clock);
    if (id < 0) return -1;
    int result = linux_result(linux_call(number, id, (int)&raw, 0, 0));
    if (result == 0 && time) {
        time->tv_sec = raw.sec;
        time->tv_nsec = raw.nsec;
    }
    return result;
}

int clock_gettime(clockid_t clock, struct timespec *time) { return call_clock(LINUX_clock_gettime, clock, time); }
int clock_getres(clockid_t clock, struct timespec *time) { return call_clock(LINUX_clock_getres, clock, time); }

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
    struct linux_timeval raw;
    int result = CALL2(gettimeofday, &raw, zone);
    if (result == 0 && time) {
        time->tv_sec = raw.sec;
        time->tv_usec = raw.usec;
    }
    return result;
}

/* In alarm.c, and there only if the program sets an alarm. */
extern int __mog_sleep_until_alarm(struct linux_timespec *) __attribute__((weak));
extern void __mog_ring(void) __attribute__((weak));
/* In threads/news.c, and there only if the program sends signals or cancels threads; and whether it creates some. */
extern int __mog_sleep_on(const struct timespec *, struct timespec *) __attribute__((weak));
extern unsigned __mog_count_threads(unsigned) __attribute__((weak));

int nanosleep(const struct timespec *wanted, struct timespec *rest) {
    if (__mog_sleep_on && __mog_count_threads) return __mog_sleep_on(wanted, rest);
    struct linux_timespec from = {(int)wanted->tv_sec, (int)wanted->tv_nsec}, to = {0, 0};
    int rings = __mog_sleep_until_alarm && __mog_sleep_until_alarm(&from);
    int result = CALL2(nanosleep, &from, &to);
    if (rings && result == 0) {
        to.sec = (int)wanted->tv_sec - from.sec;
        to.nsec = (int)wanted->tv_nsec - from.nsec;
        if (to.nsec < 0) {
            to.nsec += 1000000000;
            --to.sec;
        }
        __mog_ring();
        errno = EINTR;
        result = -1;
    }
    if (result < 0 && rest) {
        rest->tv_sec = to.sec;
        rest->tv_nsec = to.nsec;
    }
    return result;
}

/* Returns an error, as POSIX has it. Times that are absolute are told from now on. */
int clock_nanosleep(clockid_t clock, int flags, const struct timespec *wanted, struct timespec *rest) {
    struct timespec now = {0, 0}, until = *wanted;
    if (flags & TIMER_ABSTIME) {
        if (clock_gettime(clock, &now) < 0) return errno;
        until.tv_sec -= now.tv_sec;
        until.tv_nsec -= now.tv_nsec;
        if (until.tv_nsec < 0) {
            until.tv_nsec += 1000000000;
            --until.tv_sec;
        }
        if (until.tv_sec < 0) return 0;
    }
    return nanosleep(&until, flags & TIMER_ABSTIME ? NULL : rest) < 0 ? errno : 0;
}

int usleep(useconds_t microseconds) {
    struct timespec time = {microseconds / 1000000, (long)(microseconds % 1000000) * 1000};
    return nanosleep(&time, NULL);
}

unsigned sleep(unsigned seconds) {
    struct timespec time = {seconds, 0}, rest = {0, 0};
    return nanosleep(&time, &rest) < 0 ? (unsigned)rest.tv_sec : 0;
}

LINUX_SAME_SIZE(struct tms, linux_tms);
LINUX_SAME_PLACE(struct tms, tms_stime, linux_tms, stime);

/* Both count in 1/100 s; newlib's clock_t is unsigned. */
clock_t times(struct tms *times) { return (clock_t)CALL1(times, times); }

/* ---- processes ---- */

pid_t getpid(void) { return CALL0(getpid); }
pid_t gettid(void) { return CALL0(gettid); }
pid_t getpgrp(void) { return CALL0(getpgrp); }
pid_t getppid(void) { return CALL0(getppid); }
uid_t getuid(void) { return (uid_t)CALL0(getuid); }
uid_t geteuid(void) { return (uid_t)CALL0(geteuid); }
gid_t getgid(void) { return (gid_t)CALL0(getgid); }
gid_t getegid(void) { return (gid_t)CALL0(getegid); }
int sched_yield(void) { return CALL0(sched_yield); }
ssize_t getrandom(void *buffer, size_t bytes, unsigned flags) { return CALL3(getrandom, buffer, bytes, flags); }

int getentropy(void *buffer, size_t bytes) {
    if (bytes > 256) {
        errno = EIO;
        return -1;
    }
    return CALL3(getrandom, buffer, bytes, 0) < 0 ? -1 : 0;
}
