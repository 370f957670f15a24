/* machine.c: what sysinfo() says of memory; qemu-mipsel is no oracle for it, whose answers lack the upper half of 4 GiB and more. */
#include <stdio.h>
#include <sys/sysinfo.h>

int main(void) {
    struct sysinfo facts;
    printf("%d", sysinfo(&facts));
    printf(" %d %d\n", facts.totalram > 0, facts.totalram >= facts.freeram);
    return 0;
}
