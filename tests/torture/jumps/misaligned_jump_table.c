/* A function pointer out of data that is no code: SIGSEGV. */
#include <stdio.h>

static int data[4] = {1, 2, 3, 4};

int main(void) {
    void (*volatile f)(void) = (void (*)(void))0x20;
    puts("before");
    fflush(stdout);
    f();
    return data[0];
}
