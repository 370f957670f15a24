/* ends.c: PEs that end in different ways and at different times: their statuses and messages are kept until the end of the run. */
#include <mog.h>
#include <stdio.h>
#include <stdlib.h>

static void work(int times) {
    volatile unsigned x = 1;
    for (int i = 0; i < 1000 * times; i++) x = x * 5 + i;
}

int main(void) {
    volatile int *nothing = 0;
    printf("PE %d\n", IPROC);
    work(IPROC);
    if (IPROC % 5 == 1) return *nothing;
    if (IPROC % 5 == 2) __builtin_trap();
    if (IPROC % 5 == 3) exit(3);
    if (IPROC % 5 == 4) malloc(1 << 28);
    work(20);
    printf("PE %d ends\n", IPROC);
    return 0;
}
