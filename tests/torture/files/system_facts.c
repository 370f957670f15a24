/* uname, getpid, sysconf, isatty, getuid: what a MIPS Linux system says. */
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

int main(void) {
    struct utsname u;
    printf("%d %s\n", uname(&u), u.sysname);
    printf("%d %d %d\n", getpid() > 0, getpid() == getpid(), sysconf(_SC_PAGESIZE) >= 4096);
    printf("%d %d\n", isatty(0), isatty(99));
    printf("%d\n", getuid() == geteuid());
    return 0;
}
