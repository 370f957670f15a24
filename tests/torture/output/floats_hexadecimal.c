/* %a: normal and denormal, precisions that round, zero. */
#include <stdio.h>

int main(void) {
    static const double v[] = {0, 1, -2, 0.1, 1e300, 0x1.fffffffffffffp1023, 123.456};
    for (int i = 0; i < 7; i++) printf("%a %A %.0a %.3a %20a|%-20.5a|%+a\n", v[i], v[i], v[i] == 0.1 ? 1.5 : 1, v[i], v[i], v[i], v[i]);
    return 0;
}
