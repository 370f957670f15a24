/* Switches that select constants may become tables of data instead of jumps. */
#include <stdio.h>

static __attribute__((noinline)) double weight(int c) {
    switch (c) {
    case 0: return 1.5;
    case 1: return -2.25;
    case 2: return 1e10;
    case 3: return 0;
    case 4: return 3;
    case 5: return 1e-10;
    }
    return -1;
}
static __attribute__((noinline)) const char *name(unsigned m) {
    switch (m) {
    case 1: return "January"; case 2: return "February"; case 3: return "March"; case 4: return "April";
    case 5: return "May"; case 6: return "June"; case 7: return "July"; case 8: return "August";
    default: return "?";
    }
}

int main(void) {
    for (volatile int i = -1; i < 10; i++) printf("%g %s\n", weight(i), name(i));
    return 0;
}
