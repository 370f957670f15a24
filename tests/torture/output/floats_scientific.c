/* %e and %E, from the smallest to the largest. */
#include <float.h>
#include <stdio.h>

int main(void) {
    static const double v[] = {0, 1, 9.995, 0.0009995, DBL_MAX, DBL_MIN, 5e-324, 123456789, 1e100, -1.5e-10};
    for (int i = 0; i < 10; i++) printf("%e %.0e %.3E %15.2e|%-15.4e|%+.1e %#.0e %020.3e\n", v[i], v[i], v[i], v[i], v[i], v[i], v[i], v[i]);
    printf("%.30e\n", 0.1);
    return 0;
}
