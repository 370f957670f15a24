/* Chains of ?: as decision tables, with calls and assignments in them. */
#include <stdio.h>

static int seen;
static int mark(int bit) { seen |= 1 << bit; return bit; }

int main(void) {
    for (int y = 1896; y < 2105; y += 13) {
        int leap = y % 400 == 0 ? 1 : y % 100 == 0 ? 0 : y % 4 == 0 ? 1 : 0;
        const char *century = y < 1900 ? "19th" : y < 2000 ? "20th" : "21st";
        int x = leap ? mark(y % 7) : y & 1 ? mark(8) + mark(9) : (seen ^= 1, -1);
        printf("%d %s %d; ", leap, century, x);
    }
    printf("%x\n", seen);
    return 0;
}
