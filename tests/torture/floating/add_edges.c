/* Addition and subtraction of doubles at the edges: cancellation, denormals, halves of the last place, infinities. */
#include <stdio.h>

static const char *bits(double d) {     /* not %a: libraries may write denormal numbers in several ways */
    static char text[8][20];
    static int next;
    union { double d; unsigned long long u; } u = {d};
    sprintf(text[++next & 7], "%016llx", u.u);
    return text[next & 7];
}

int main(void) {
    static volatile double v[] = {0.0, -0.0, 1, 1e-16, 1.1102230246251565e-16, 0x1p-1022, 0x1p-1074, 0x1.fffffffffffffp1023, 0x1p970, -1};
    for (int i = 0; i < 10; i++)
        for (int j = 0; j < 10; j++) printf("%s %s\n", bits(v[i] + v[j]), bits(v[i] - v[j]));
    return 0;
}
