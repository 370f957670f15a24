/* structures.h: structures of Linux for MIPS o32 as they lie in a PE's memory, for C and C++. Compilers of both sides check that they see the
 * same bytes: sizes and places below each structure. Little-endian, as PEs are. */
#ifndef MOG_ABI_STRUCTURES_H
#define MOG_ABI_STRUCTURES_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define MOG_ABI_ASSERT static_assert
#else
#define MOG_ABI_ASSERT _Static_assert
#endif
#define MOG_ABI_SIZE(structure, bytes) MOG_ABI_ASSERT(sizeof(struct structure) == (bytes), #structure " has " #bytes " bytes")
#define MOG_ABI_PLACE(structure, member, place) \
    MOG_ABI_ASSERT(offsetof(struct structure, member) == (place), #structure "." #member " stands at " #place)
#if defined __BYTE_ORDER__ && __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "the host must have the byte order of PEs"
#endif

/* ---- time ---- */

struct linux_timespec {
    int32_t sec, nsec;
};
MOG_ABI_SIZE(linux_timespec, 8);
MOG_ABI_PLACE(linux_timespec, nsec, 4);

/* Of the calls whose names end in 64. */
struct linux_timespec64 {
    int64_t sec, nsec;
};
MOG_ABI_SIZE(linux_timespec64, 16);
MOG_ABI_PLACE(linux_timespec64, nsec, 8);

struct linux_timeval {
    int32_t sec, usec;
};
MOG_ABI_SIZE(linux_timeval, 8);
MOG_ABI_PLACE(linux_timeval, usec, 4);

/* In 1/100 s: of the process, and of its children. */
struct linux_tms {
    uint32_t utime, stime, cutime, cstime;
};
MOG_ABI_SIZE(linux_tms, 16);
MOG_ABI_PLACE(linux_tms, stime, 4);
MOG_ABI_PLACE(linux_tms, cstime, 12);

/* ---- files ---- */

struct linux_stat64 {
    uint32_t dev, pad0[3];
    uint64_t ino;
    uint32_t mode, nlink, uid, gid, rdev, pad1[3];
    int64_t size;
    int32_t atime, atime_nsec, mtime, mtime_nsec, ctime, ctime_nsec;
    uint32_t blksize, pad2;
    uint64_t blocks;
};
MOG_ABI_SIZE(linux_stat64, 104);
MOG_ABI_PLACE(linux_stat64, ino, 16);
MOG_ABI_PLACE(linux_stat64, mode, 24);
MOG_ABI_PLACE(linux_stat64, rdev, 40);
MOG_ABI_PLACE(linux_stat64, size, 56);
MOG_ABI_PLACE(linux_stat64, atime, 64);
MOG_ABI_PLACE(linux_stat64, ctime_nsec, 84);
MOG_ABI_PLACE(linux_stat64, blksize, 88);
MOG_ABI_PLACE(linux_stat64, blocks, 96);

struct linux_statfs64 {
    uint32_t type, bsize, frsize, pad;
    uint64_t blocks, bfree, files, ffree, bavail;
    uint32_t fsid[2], namelen, flags, spare[5], pad_end;
};
MOG_ABI_SIZE(linux_statfs64, 96);
MOG_ABI_PLACE(linux_statfs64, blocks, 16);
MOG_ABI_PLACE(linux_statfs64, fsid, 56);
MOG_ABI_PLACE(linux_statfs64, namelen, 64);
MOG_ABI_PLACE(linux_statfs64, flags, 68);

/* An entry of getdents64(): reclen bytes, with the name and its NUL, which follow `type`. */
struct linux_dirent64 {
    uint64_t ino;
    int64_t off;
    uint16_t reclen;
    uint8_t type;
#ifndef __cplusplus /* which has no arrays without a length */
    char name[];
#endif
};
MOG_ABI_PLACE(linux_dirent64, off, 8);
MOG_ABI_PLACE(linux_dirent64, reclen, 16);
MOG_ABI_PLACE(linux_dirent64, type, 18);

/* Of fcntl(), with LINUX_F_GETLK and so on, */
struct linux_flock {
    int16_t type, whence;
    int32_t start, length, sysid, pid, unused[4];
};
MOG_ABI_SIZE(linux_flock, 36);
MOG_ABI_PLACE(linux_flock, whence, 2);
MOG_ABI_PLACE(linux_flock, start, 4);
MOG_ABI_PLACE(linux_flock, length, 8);
MOG_ABI_PLACE(linux_flock, pid, 16);

/* and with LINUX_F_GETLK64 and so on. */
struct linux_flock64 {
    int16_t type, whence;
    int32_t pad;
    int64_t start, length;
    int32_t pid, pad_end;
};
MOG_ABI_SIZE(linux_flock64, 32);
MOG_ABI_PLACE(linux_flock64, start, 8);
MOG_ABI_PLACE(linux_flock64, length, 16);
MOG_ABI_PLACE(linux_flock64, pid, 24);

/* A piece of memory, of readv() and writev(). */
struct linux_iovec {
    uint32_t base, length;
};
MOG_ABI_SIZE(linux_iovec, 8);
MOG_ABI_PLACE(linux_iovec, length, 4);

struct linux_pollfd {
    int32_t fd;
    int16_t events, revents;
};
MOG_ABI_SIZE(linux_pollfd, 8);
MOG_ABI_PLACE(linux_pollfd, events, 4);
MOG_ABI_PLACE(linux_pollfd, revents, 6);

/* ---- terminals ---- */

struct linux_termios {
    uint32_t iflag, oflag, cflag, lflag;
    uint8_t line, cc[23];
};
MOG_ABI_SIZE(linux_termios, 40);
MOG_ABI_PLACE(linux_termios, lflag, 12);
MOG_ABI_PLACE(linux_termios, cc, 17);

struct linux_winsize {
    uint16_t row, col, xpixel, ypixel;
};
MOG_ABI_SIZE(linux_winsize, 8);
MOG_ABI_PLACE(linux_winsize, col, 2);

/* ---- the process and the system ---- */

struct linux_sigaction {
    uint32_t flags, handler, mask[4];
};
MOG_ABI_SIZE(linux_sigaction, 24);
MOG_ABI_PLACE(linux_sigaction, handler, 4);
MOG_ABI_PLACE(linux_sigaction, mask, 8);

struct linux_utsname {
    char sysname[65], nodename[65], release[65], version[65], machine[65], domainname[65];
};
MOG_ABI_SIZE(linux_utsname, 390);
MOG_ABI_PLACE(linux_utsname, nodename, 65);
MOG_ABI_PLACE(linux_utsname, domainname, 325);

struct linux_rusage {
    struct linux_timeval utime, stime;
    int32_t maxrss, ixrss, idrss, isrss, minflt, majflt, nswap, inblock, oublock, msgsnd, msgrcv, nsignals, nvcsw, nivcsw;
};
MOG_ABI_SIZE(linux_rusage, 72);
MOG_ABI_PLACE(linux_rusage, stime, 8);
MOG_ABI_PLACE(linux_rusage, maxrss, 16);
MOG_ABI_PLACE(linux_rusage, nivcsw, 68);

struct linux_rlimit {
    uint32_t cur, max;
};
MOG_ABI_SIZE(linux_rlimit, 8);
MOG_ABI_PLACE(linux_rlimit, max, 4);

#endif
