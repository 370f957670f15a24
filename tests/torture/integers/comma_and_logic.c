/* Short circuits and sequence points: what is evaluated, in what order. */
#include <stdio.h>

static char trace[64];
static int at;
static int see(char name, int value) { trace[at++] = name; return value; }

int main(void) {
    int r = 0;
    r += see('a', 0) && see('b', 1);
    r += see('c', 1) || see('d', 1);
    r += (see('e', 5), see('f', 7));
    r += see('g', 0) || see('h', 2) && see('i', 0);
    r += !see('j', 0) ? see('k', 3) : see('l', 4);
    r += see('m', 1) & see('n', 0);
    printf("%d %zu\n", r, sizeof trace);
    for (char *p = trace; *p; p++)
        if (*p != 'm' && *p != 'n') putchar(*p);
    puts("");
    return r;
}
