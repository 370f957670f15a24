/* A transparent union as parameter takes any of its members. */
#include <stdio.h>

union handle { int *i; float *f; const char *s; } __attribute__((transparent_union));
static __attribute__((noinline)) int first_byte(union handle h) { return *(const unsigned char *)h.s; }

int main(void) {
    int i = 0x41;
    float f = 2.0000005f;
    printf("%d %d %d\n", first_byte(&i), first_byte(&f), first_byte("z"));
    return 0;
}
