/* system.c: what a program can ask about the system and about itself. */
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "calls.h"

LINUX_SAME_SIZE(struct utsname, linux_utsname);
LINUX_SAME_PLACE(struct utsname, machine, linux_utsname, machine);
LINUX_SAME_SIZE(struct rlimit, linux_rlimit);
LINUX_SAME_PLACE(struct rlimit, rlim_max, linux_rlimit, max);
_Static_assert(PATH_MAX == LINUX_PATH_MAX && IOV_MAX == LINUX_UIO_MAXIOV, "<limits.h> says what Linux does");

extern const uintptr_t __mog_limit; /* of the control block: bytes of DATA, or 0 outside of MOG */

int uname(struct utsname *names) { return CALL1(uname, names); }

int gethostname(char *name, size_t room) {
    struct utsname names;
    if (uname(&names) < 0) return -1;
    size_t bytes = strlen(names.nodename) + 1;
    memcpy(name, names.nodename, bytes < room ? bytes : room);
    if (bytes <= room) return 0;
    errno = ENAMETOOLONG;
    return -1;
}

int getrusage(int who, struct rusage *usage) {
    struct linux_rusage raw;
    if (CALL2(getrusage, who, &raw) < 0) return -1;
    usage->ru_utime.tv_sec = raw.utime.sec;
    usage->ru_utime.tv_usec = raw.utime.usec;
    usage->ru_stime.tv_sec = raw.stime.sec;
    usage->ru_stime.tv_usec = raw.stime.usec;
    memcpy(&usage->ru_maxrss, &raw.maxrss, sizeof raw - offsetof(struct linux_rusage, maxrss));
    return 0;
}

int getrlimit(int resource, struct rlimit *limit) { return CALL2(getrlimit, resource, limit); }

/* A PE's limits are the host's and mogrun's business; nothing is to be had beyond them. */
int setrlimit(int resource, const struct rlimit *wanted) {
    struct rlimit limit;
    if (getrlimit(resource, &limit) < 0) return -1;
    if (wanted->rlim_cur <= wanted->rlim_max && wanted->rlim_max <= limit.rlim_max) return 0;
    errno = wanted->rlim_cur > wanted->rlim_max ? EINVAL : EPERM;
    return -1;
}

/* How busy the host is is in its /proc, which is closed to PEs: -1 says that it cannot be learnt. */
int getloadavg(double *averages, int count) {
    (void)averages;
    (void)count;
    errno = ENOENT;
    return -1;
}

int getpagesize(void) { return 4096; }
int getdtablesize(void) { return (int)sysconf(_SC_OPEN_MAX); }

long sysconf(int name) {
    struct rlimit limit;
    switch (name) {
        case _SC_ARG_MAX: return 131072;
        case _SC_CLK_TCK: return LINUX_USER_HZ;
        case _SC_OPEN_MAX: return getrlimit(RLIMIT_NOFILE, &limit) < 0 ? 1024 : (long)limit.rlim_cur;
        case _SC_PAGESIZE: return getpagesize();
        case _SC_NPROCESSORS_CONF:
        case _SC_NPROCESSORS_ONLN: return __mog_processors();
        case _SC_PHYS_PAGES:
        case _SC_AVPHYS_PAGES: return getrlimit(RLIMIT_DATA, &limit) < 0 ? -1 : (long)(limit.rlim_cur / 4096);
        case _SC_VERSION: return 200809;
        case _SC_BC_BASE_MAX: return BC_BASE_MAX;
        case _SC_BC_DIM_MAX: return BC_DIM_MAX;
        case _SC_BC_SCALE_MAX: return BC_SCALE_MAX;
        case _SC_BC_STRING_MAX: return BC_STRING_MAX;
        case _SC_COLL_WEIGHTS_MAX: return COLL_WEIGHTS_MAX;
        case _SC_EXPR_NEST_MAX: return EXPR_NEST_MAX;
        case _SC_RE_DUP_MAX: return RE_DUP_MAX;
        case _SC_LINE_MAX: return LINE_MAX;
        case _SC_IOV_MAX: return IOV_MAX;
        case _SC_HOST_NAME_MAX: return HOST_NAME_MAX;
        case _SC_LOGIN_NAME_MAX: return LOGIN_NAME_MAX;
        case _SC_TTY_NAME_MAX: return TTY_NAME_MAX;
        case _SC_NGROUPS_MAX: return NGROUPS_MAX;
        case _SC_SYMLOOP_MAX: return SYMLOOP_MAX;
        case _SC_GETPW_R_SIZE_MAX: return 1024;
        case _SC_STREAM_MAX: /* memory for them is the limit */
        case _SC_TZNAME_MAX:
        case _SC_CHILD_MAX: return -1; /* no limit, or none that is known */
        case _SC_JOB_CONTROL:
        case _SC_SAVED_IDS:
        case _SC_FSYNC: return 200809;
        case _SC_THREADS:
        case _SC_THREAD_ATTR_STACKSIZE:
        case _SC_THREAD_ATTR_STACKADDR:
        case _SC_THREAD_SAFE_FUNCTIONS:
        case _SC_BARRIERS:
        case _SC_SPIN_LOCKS:
        case _SC_READER_WRITER_LOCKS:
        case _SC_SEMAPHORES:
        case _SC_TIMEOUTS: return 200809;
        case _SC_THREAD_KEYS_MAX: return PTHREAD_KEYS_MAX;
        case _SC_THREAD_DESTRUCTOR_ITERATIONS: return PTHREAD_DESTRUCTOR_ITERATIONS;
        case _SC_THREAD_STACK_MIN: return PTHREAD_STACK_MIN;
        case _SC_THREAD_THREADS_MAX: return -1;
        case _SC_SEM_VALUE_MAX: return SEM_VALUE_MAX;
        default: errno = EINVAL; return -1;
    }
}

/* Linux's limits, which are the same for every file as far as this goes. */
long fpathconf(int fd, int name) {
    (void)fd;
    switch (name) {
        case _PC_LINK_MAX: return 127;
        case _PC_NAME_MAX: return NAME_MAX;
        case _PC_PATH_MAX: return PATH_MAX;
        case _PC_PIPE_BUF: return PIPE_BUF;
        case _PC_MAX_CANON: return MAX_CANON;
        case _PC_MAX_INPUT: return MAX_INPUT;
        case _PC_VDISABLE: return _POSIX_VDISABLE;
        case _PC_CHOWN_RESTRICTED:
        case _PC_2_SYMLINKS:
        case _PC_NO_TRUNC: return 1;
        default: errno = EINVAL; return -1;
    }
}

long pathconf(const char *path, int name) { return access(path, F_OK) < 0 ? -1 : fpathconf(-1, name); }
