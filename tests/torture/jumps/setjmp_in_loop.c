/* A jump buffer that is used many times, and a jump out of a callback of qsort. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static jmp_buf out;
static int calls;
static int compare(const void *a, const void *b) {
    if (++calls == 5) longjmp(out, calls);
    return *(const int *)a - *(const int *)b;
}

int main(void) {
    volatile int total = 0;
    for (volatile int i = 0; i < 50; i++) {
        int v = setjmp(out);
        if (v < 4) longjmp(out, v + 1);
        total += v;
    }
    int data[] = {5, 3, 8, 1, 9, 2, 7};
    int v = setjmp(out);
    if (v == 0) qsort(data, 7, sizeof *data, compare);
    printf("%d %d\n", total, v);
    return 0;
}
