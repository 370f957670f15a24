/* statfs.c: file systems, in POSIX's words and in Linux's. */
#include <errno.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>

#include "runtime_pe/system/calls.h"

static int statfs_of(int result, const struct linux_statfs64 *raw, struct statfs *to) {
    if (result < 0) return result;
    *to = (struct statfs){raw->type,
                          raw->bsize,
                          raw->frsize,
                          (fsblkcnt_t)raw->blocks,
                          (fsblkcnt_t)raw->bfree,
                          (fsfilcnt_t)raw->files,
                          (fsfilcnt_t)raw->ffree,
                          (fsblkcnt_t)raw->bavail,
                          {{(int)raw->fsid[0], (int)raw->fsid[1]}},
                          raw->namelen,
                          raw->flags};
    return 0;
}
int statfs(const char *path, struct statfs *to) {
    struct linux_statfs64 raw;
    return statfs_of(CALL3(statfs64, path, sizeof raw, &raw), &raw, to);
}
int fstatfs(int fd, struct statfs *to) {
    struct linux_statfs64 raw;
    return statfs_of(CALL3(fstatfs64, fd, sizeof raw, &raw), &raw, to);
}

/* ST_VALID, by which Linux says that f_flags mean something. */
enum { FLAGS_ARE_VALID = 0x20 };
static int statvfs_of(int result, const struct statfs *raw, struct statvfs *to) {
    if (result < 0) return result;
    *to = (struct statvfs){raw->f_bsize,
                           raw->f_frsize ? raw->f_frsize : raw->f_bsize,
                           raw->f_blocks,
                           raw->f_bfree,
                           raw->f_bavail,
                           raw->f_files,
                           raw->f_ffree,
                           raw->f_ffree,
                           (unsigned long)raw->f_fsid.__val[0],
                           raw->f_flags & ~(unsigned long)FLAGS_ARE_VALID,
                           raw->f_namelen};
    return 0;
}
int statvfs(const char *restrict path, struct statvfs *restrict to) {
    struct statfs raw;
    return statvfs_of(statfs(path, &raw), &raw, to);
}
int fstatvfs(int fd, struct statvfs *to) {
    struct statfs raw;
    return statvfs_of(fstatfs(fd, &raw), &raw, to);
}
