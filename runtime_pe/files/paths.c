/* paths.c: the calls that name files, and their *at forms. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>
#include <utime.h>

#include "runtime_pe/system/calls.h"
#include "runtime_pe/system/shared.h"

int link(const char *path, const char *new_path) { return CALL2(link, path, new_path); }
int symlink(const char *target, const char *path) { return CALL2(symlink, target, path); }
int unlink(const char *path) { return CALL1(unlink, path); }
int rename(const char *path, const char *new_path) { return CALL2(rename, path, new_path); }
int mkdir(const char *path, mode_t mode) { return CALL2(mkdir, path, mode); }
int rmdir(const char *path) { return CALL1(rmdir, path); }
int access(const char *path, int mode) { return CALL2(access, path, mode); }
int chmod(const char *path, mode_t mode) { return CALL2(chmod, path, mode); }
int chown(const char *path, uid_t owner, gid_t group) { return CALL3(chown, path, owner, group); }
int lchown(const char *path, uid_t owner, gid_t group) { return CALL3(lchown, path, owner, group); }
int truncate(const char *path, off_t bytes) { return CALL2(truncate, path, bytes); }
int chdir(const char *path) { return CALL1(chdir, path); }
int fchdir(int fd) { return CALL1(fchdir, fd); }
mode_t umask(mode_t mask) { return (mode_t)CALL1(umask, mask); }
int mknod(const char *path, mode_t mode, dev_t device) { return CALL3(mknod, path, mode, device); }
int mkfifo(const char *path, mode_t mode) { return mknod(path, (mode & 0777) | S_IFIFO, 0); }
int creat(const char *path, mode_t mode) { return open(path, O_CREAT | O_WRONLY | O_TRUNC, mode); }
ssize_t readlink(const char *restrict path, char *restrict buffer, size_t bytes) { return CALL3(readlink, path, buffer, bytes); }

/* Linux returns a length; POSIX the buffer, which it may have to make. */
char *getcwd(char *buffer, size_t bytes) {
    char *made = NULL;
    if (!buffer) {
        bytes = bytes ? bytes : PATH_MAX;
        buffer = made = malloc(bytes);
        if (!made) return NULL;
    } else if (!bytes) {
        errno = EINVAL;
        return NULL;
    }
    if (CALL2(getcwd, buffer, bytes) >= 0) return made ? realloc(made, strlen(made) + 1) : buffer;
    free(made);
    return NULL;
}

static int convert_stat(int result, const struct linux_stat64 *from, struct stat *to) {
    if (result < 0) return result;
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
    const struct shared_calls *shared = shared_calls_of(fd);
    if (shared) return shared->status(fd, status);
    struct linux_stat64 raw;
    return convert_stat(CALL2(fstat64, fd, &raw), &raw, status);
}

int stat(const char *path, struct stat *status) {
    struct linux_stat64 raw;
    return convert_stat(CALL2(stat64, path, &raw), &raw, status);
}

int lstat(const char *path, struct stat *status) {
    struct linux_stat64 raw;
    return convert_stat(CALL2(lstat64, path, &raw), &raw, status);
}

/* ---- relative to a directory ---- */

static int linux_at_flags(int flags) {
    return (flags & (AT_EACCESS | AT_REMOVEDIR) ? LINUX_AT_REMOVEDIR : 0) | (flags & AT_SYMLINK_NOFOLLOW ? LINUX_AT_SYMLINK_NOFOLLOW : 0) |
           (flags & AT_SYMLINK_FOLLOW ? LINUX_AT_SYMLINK_FOLLOW : 0) | (flags & AT_EMPTY_PATH ? LINUX_AT_EMPTY_PATH : 0);
}

static int linux_folder(int fd) { return fd == AT_FDCWD ? LINUX_AT_FDCWD : fd; }

int openat(int folder, const char *path, int flags, ...) {
    va_list arguments;
    va_start(arguments, flags);
    int mode = flags & O_CREAT ? va_arg(arguments, int) : 0;
    va_end(arguments);
    return CALL4(openat, linux_folder(folder), path, linux_open_flags(flags), mode);
}

int fstatat(int folder, const char *restrict path, struct stat *restrict status, int flags) {
    struct linux_stat64 raw;
    return convert_stat(CALL4(fstatat64, linux_folder(folder), path, &raw, linux_at_flags(flags)), &raw, status);
}

int mkdirat(int folder, const char *path, mode_t mode) { return CALL3(mkdirat, linux_folder(folder), path, mode); }
int unlinkat(int folder, const char *path, int flags) { return CALL3(unlinkat, linux_folder(folder), path, linux_at_flags(flags)); }
int renameat(int from, const char *path, int to, const char *new_path) {
    return CALL4(renameat, linux_folder(from), path, linux_folder(to), new_path);
}
int linkat(int from, const char *path, int to, const char *new_path, int flags) {
    return CALL6(linkat, linux_folder(from), path, linux_folder(to), new_path, linux_at_flags(flags), 0);
}
int symlinkat(const char *target, int folder, const char *path) { return CALL3(symlinkat, target, linux_folder(folder), path); }
ssize_t readlinkat(int folder, const char *restrict path, char *restrict buffer, size_t bytes) {
    return CALL4(readlinkat, linux_folder(folder), path, buffer, bytes);
}
int fchmodat(int folder, const char *path, mode_t mode, int flags) {
    if (flags) {
        errno = ENOTSUP;
        return -1;
    }
    return CALL3(fchmodat, linux_folder(folder), path, mode);
}
int fchownat(int folder, const char *path, uid_t owner, gid_t group, int flags) {
    return CALL6(fchownat, linux_folder(folder), path, owner, group, linux_at_flags(flags), 0);
}
int faccessat(int folder, const char *path, int mode, int flags) {
    if (flags & ~AT_EACCESS) {
        errno = EINVAL;
        return -1;
    }
    return CALL3(faccessat, linux_folder(folder), path, mode);
}

/* ---- times of files ---- */

int utimensat(int folder, const char *path, const struct timespec *times, int flags) {
    struct linux_timespec raw[2];
    for (int k = 0; times && k < 2; ++k) {
        raw[k].sec = (int)times[k].tv_sec;
        raw[k].nsec = times[k].tv_nsec == UTIME_NOW    ? LINUX_UTIME_NOW
                      : times[k].tv_nsec == UTIME_OMIT ? LINUX_UTIME_OMIT
                                                       : (int)times[k].tv_nsec;
    }
    return CALL4(utimensat, linux_folder(folder), path, times ? raw : NULL, linux_at_flags(flags));
}

int futimens(int fd, const struct timespec *times) { return utimensat(fd, "", times, AT_EMPTY_PATH); }

/* Microseconds, as the older calls have them. */
static int set_times(int folder, const char *path, const struct timeval *times, int flags) {
    struct timespec exact[2];
    for (int k = 0; times && k < 2; ++k) {
        if (times[k].tv_usec < 0 || times[k].tv_usec > 999999) {
            errno = EINVAL;
            return -1;
        }
        exact[k].tv_sec = times[k].tv_sec;
        exact[k].tv_nsec = times[k].tv_usec * 1000;
    }
    return utimensat(folder, path, times ? exact : NULL, flags);
}

int utimes(const char *path, const struct timeval *times) { return set_times(AT_FDCWD, path, times, 0); }
int lutimes(const char *path, const struct timeval *times) { return set_times(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW); }
int futimes(int fd, const struct timeval *times) { return set_times(fd, "", times, AT_EMPTY_PATH); }

int utime(const char *path, const struct utimbuf *times) {
    struct timespec exact[2] = {{0, 0}, {0, 0}};
    if (times) {
        exact[0].tv_sec = times->actime;
        exact[1].tv_sec = times->modtime;
    }
    return utimensat(AT_FDCWD, path, times ? exact : NULL, 0);
}
