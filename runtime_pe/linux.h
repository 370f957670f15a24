/* linux.h: the system-call interface of MIPS Linux (o32), which is what a PE speaks, and its way into newlib's types.
 *
 * The host serves the same calls with the same numbers and structures (runtime_host/guest_abi.cpp), so a program
 * behaves alike under MOG and under qemu-mipsel. Numbers, flags and structures: Linux, arch/mips/include/uapi/asm.
 */
#ifndef MOG_LINUX_H
#define MOG_LINUX_H

#define LINUX_EXIT 4001
#define LINUX_FORK 4002
#define LINUX_READ 4003
#define LINUX_WRITE 4004
#define LINUX_OPEN 4005
#define LINUX_CLOSE 4006
#define LINUX_LINK 4009
#define LINUX_UNLINK 4010
#define LINUX_EXECVE 4011
#define LINUX_LSEEK 4019
#define LINUX_GETPID 4020
#define LINUX_GETUID 4024
#define LINUX_ACCESS 4033
#define LINUX_KILL 4037
#define LINUX_RENAME 4038
#define LINUX_MKDIR 4039
#define LINUX_RMDIR 4040
#define LINUX_DUP 4041
#define LINUX_TIMES 4043
#define LINUX_BRK 4045
#define LINUX_GETGID 4047
#define LINUX_GETEUID 4049
#define LINUX_GETEGID 4050
#define LINUX_IOCTL 4054
#define LINUX_FCNTL 4055
#define LINUX_DUP2 4063
#define LINUX_GETPPID 4064
#define LINUX_GETTIMEOFDAY 4078
#define LINUX_READLINK 4085
#define LINUX_FTRUNCATE 4093
#define LINUX_WAIT4 4114
#define LINUX_FSYNC 4118
#define LINUX_SCHED_YIELD 4162
#define LINUX_NANOSLEEP 4166
#define LINUX_GETCWD 4203
#define LINUX_STAT64 4213
#define LINUX_LSTAT64 4214
#define LINUX_FSTAT64 4215
#define LINUX_CLOCK_GETTIME 4263
#define LINUX_CLOCK_GETRES 4264
#define LINUX_GETRANDOM 4353

/* One system call. Returns its result, or the negative of Linux's error number. */
static inline int linux_call(int number, int a0, int a1, int a2, int a3) {
    register int v0 __asm__("$2") = number;
    register int r4 __asm__("$4") = a0;
    register int r5 __asm__("$5") = a1;
    register int r6 __asm__("$6") = a2;
    register int r7 __asm__("$7") = a3;
    __asm__ volatile("syscall"
                     : "+r"(v0), "+r"(r7)
                     : "r"(r4), "r"(r5), "r"(r6)
                     : "$1", "$3", "$8", "$9", "$10", "$11", "$12", "$13", "$14", "$15", "$24", "$25", "hi", "lo", "memory");
    return r7 ? -v0 : v0;
}

/* The same as POSIX has it: -1 and newlib's errno on failure (convert.c). */
int linux_result(int result);

/* newlib's -> Linux's (convert.c). */
int linux_open_flags(int newlib_flags);
int newlib_open_flags(int linux_flags);
int linux_signal(int newlib_signal);

struct linux_timespec {
    int sec, nsec;
};

struct linux_stat64 {
    unsigned dev, pad0[3];
    unsigned long long ino;
    unsigned mode, nlink, uid, gid, rdev, pad1[3];
    long long size;
    int atime, atime_nsec, mtime, mtime_nsec, ctime, ctime_nsec;
    unsigned blksize, pad2;
    unsigned long long blocks;
};

#endif
