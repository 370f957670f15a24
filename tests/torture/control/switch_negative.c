/* A jump table that begins below zero. */
#include <stdio.h>

static __attribute__((noinline)) const char *f(signed char x) {
    switch (x) {
    case -8: return "minus eight";
    case -7: return "minus seven";
    case -6: return "minus six";
    case -5: return "minus five";
    case -3: return "minus three";
    case -2: return "minus two";
    case -1: return "minus one";
    case 0: return "zero";
    case 1: return "one";
    case 2: return "two";
    }
    return "other";
}

int main(void) {
    for (volatile int i = -10; i < 5; i++) puts(f(i));
    puts(f(-128));
    return 0;
}
