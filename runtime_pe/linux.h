/* linux.h: the system-call interface of MIPS Linux (o32), which is what a PE speaks, and its way into newlib's types.
 *
 * The host serves the same calls with the same numbers and structures (runtime_host/linux/guest_abi.cpp), so a program
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
#define LINUX_CHDIR 4012
#define LINUX_MKNOD 4014
#define LINUX_CHMOD 4015
#define LINUX_LCHOWN 4016
#define LINUX_LSEEK 4019
#define LINUX_GETPID 4020
#define LINUX_GETUID 4024
#define LINUX_ALARM 4027
#define LINUX_PAUSE 4029
#define LINUX_ACCESS 4033
#define LINUX_SYNC 4036
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
#define LINUX_UMASK 4060
#define LINUX_DUP2 4063
#define LINUX_GETPPID 4064
#define LINUX_GETPGRP 4065
#define LINUX_GETRLIMIT 4076
#define LINUX_GETRUSAGE 4077
#define LINUX_GETTIMEOFDAY 4078
#define LINUX_SYMLINK 4083
#define LINUX_READLINK 4085
#define LINUX_TRUNCATE 4092
#define LINUX_FTRUNCATE 4093
#define LINUX_FCHMOD 4094
#define LINUX_FCHOWN 4095
#define LINUX_SETITIMER 4104
#define LINUX_WAIT4 4114
#define LINUX_FSYNC 4118
#define LINUX_CLONE 4120
#define LINUX_UNAME 4122
#define LINUX_FCHDIR 4133
#define LINUX_FLOCK 4143
#define LINUX_READV 4145
#define LINUX_WRITEV 4146
#define LINUX_FDATASYNC 4152
#define LINUX_SCHED_YIELD 4162
#define LINUX_NANOSLEEP 4166
#define LINUX_POLL 4188
#define LINUX_RT_SIGACTION 4194
#define LINUX_PREAD64 4200
#define LINUX_PWRITE64 4201
#define LINUX_CHOWN 4202
#define LINUX_GETCWD 4203
#define LINUX_STAT64 4213
#define LINUX_LSTAT64 4214
#define LINUX_FSTAT64 4215
#define LINUX_GETDENTS64 4219
#define LINUX_CLOCK_GETTIME 4263
#define LINUX_CLOCK_GETRES 4264
#define LINUX_SET_THREAD_AREA 4283
#define LINUX_OPENAT 4288
#define LINUX_MKDIRAT 4289
#define LINUX_FCHOWNAT 4291
#define LINUX_FSTATAT64 4293
#define LINUX_UNLINKAT 4294
#define LINUX_RENAMEAT 4295
#define LINUX_LINKAT 4296
#define LINUX_SYMLINKAT 4297
#define LINUX_READLINKAT 4298
#define LINUX_FCHMODAT 4299
#define LINUX_FACCESSAT 4300
#define LINUX_UTIMENSAT 4316
#define LINUX_DUP3 4327
#define LINUX_PIPE2 4328
#define LINUX_GETRANDOM 4353
/* Not Linux's, but MOG's own. */
#define LINUX_MOG_NATIVE 4498
#define LINUX_MOG_NATIVE_CALL 4499

#define LINUX_AT_FDCWD -100
#define LINUX_F_DUPFD_CLOEXEC 1030
#define LINUX_F_GETLK 14
#define LINUX_F_SETLK 6
#define LINUX_F_SETLKW 7
#define LINUX_UTIME_NOW 0x3fffffff
#define LINUX_UTIME_OMIT 0x3ffffffe

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

/* The same with two arguments more, which travel on the stack. */
static inline int linux_call6(int number, int a0, int a1, int a2, int a3, int a4, int a5) {
    register int v0 __asm__("$2") = number;
    register int r4 __asm__("$4") = a0;
    register int r5 __asm__("$5") = a1;
    register int r6 __asm__("$6") = a2;
    register int r7 __asm__("$7") = a3;
    register int r8 __asm__("$8") = a4;
    register int r9 __asm__("$9") = a5;
    __asm__ volatile("addiu $sp, $sp, -32\n\tsw $8, 16($sp)\n\tsw $9, 20($sp)\n\tsyscall\n\taddiu $sp, $sp, 32"
                     : "+r"(v0), "+r"(r7), "+r"(r8), "+r"(r9)
                     : "r"(r4), "r"(r5), "r"(r6)
                     : "$1", "$3", "$10", "$11", "$12", "$13", "$14", "$15", "$24", "$25", "hi", "lo", "memory");
    return r7 ? -v0 : v0;
}

/* The same as POSIX has it: -1 and newlib's errno on failure (convert.c). */
int linux_result(int result);

/* newlib's -> Linux's (convert.c). */
int linux_open_flags(int newlib_flags);
int newlib_open_flags(int linux_flags);

struct linux_timespec {
    int sec, nsec;
};

struct linux_flock {
    short type, whence; /* F_RDLCK 0, F_WRLCK 1, F_UNLCK 2 */
    int start, length, sysid, pid, unused[4];
};

struct linux_sigaction {
    unsigned flags, handler, mask[4];
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
