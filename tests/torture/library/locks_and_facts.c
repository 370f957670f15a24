/* lockf() of parts of a file, and what statvfs(), statfs() and sysinfo() say: what is the same wherever it is asked. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <sys/sysinfo.h>
#include <sys/vfs.h>
#include <unistd.h>

static void said(const char *what, int result) {
    printf("%s: %d", what, result);
    if (result < 0) printf(" %s", strerror(errno));
    puts("");
}

int main(void) {
    char name[] = "locked.XXXXXX";
    const int file = mkstemp(name), again = open(name, O_RDONLY);
    said("write", (int)write(file, "0123456789", 10));
    said("lock behind the position", lockf(file, F_LOCK, 5));
    said("lock before it", lockf(file, F_TLOCK, -3));
    said("test one's own", lockf(file, F_TEST, -10));
    said("unlock part", lockf(file, F_ULOCK, -1));
    said("to the end, which grows", lockf(file, F_TLOCK, 0));
    said("unlock", lockf(file, F_ULOCK, 0));
    said("before the beginning", lockf(file, F_LOCK, -11));
    said("no such command", lockf(file, 77, 1));
    said("for reading only", lockf(again, F_TLOCK, 1));
    said("no file", lockf(-1, F_TLOCK, 1));

    struct statvfs system;
    struct statfs linux_system;
    said("statvfs", statvfs(".", &system));
    printf("%d %d %d %d\n", system.f_blocks >= system.f_bfree, system.f_bfree >= system.f_bavail, system.f_namemax > 0, (int)system.f_bsize);
    said("statfs", statfs(".", &linux_system));
    printf("%d %d %d %d\n", linux_system.f_blocks == system.f_blocks, linux_system.f_bsize == (int)system.f_bsize,
           (unsigned long)linux_system.f_namelen == system.f_namemax, linux_system.f_type != 0);
    memset(&system, 0, sizeof system);
    said("fstatvfs", fstatvfs(file, &system));
    printf("%d\n", system.f_blocks == linux_system.f_blocks);
    said("statvfs of what is not there", statvfs("no/such/file", &system));
    said("fstatvfs of no file", fstatvfs(-1, &system));

    /* qemu-mipsel's answers lack the upper half of what is 4 GiB or more: how much there is and how much of it is free cannot be compared. */
    struct sysinfo facts;
    said("sysinfo", sysinfo(&facts));
    const unsigned long pages = facts.totalram / (unsigned long)getpagesize() * facts.mem_unit;
    printf("%d %d %d %d\n", facts.uptime > 0, pages == (unsigned long)get_phys_pages(), facts.mem_unit > 0, facts.procs > 0);
    close(file);
    unlink(name);
    return 0;
}
