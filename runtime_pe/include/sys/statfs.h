/* sys/statfs.h: how large a file system is and how much of it is free, by the names of Linux. */
#ifndef _SYS_STATFS_H
#define _SYS_STATFS_H

#include <sys/cdefs.h>
#include <sys/types.h>

typedef struct {
    int __val[2];
} fsid_t;

struct statfs {
    unsigned long f_type, f_bsize, f_frsize;
    fsblkcnt_t f_blocks, f_bfree;
    fsfilcnt_t f_files, f_ffree;
    fsblkcnt_t f_bavail;
    fsid_t f_fsid;
    unsigned long f_namelen, f_flags;
};

__BEGIN_DECLS
int statfs(const char *, struct statfs *);
int fstatfs(int, struct statfs *);
__END_DECLS

#endif
