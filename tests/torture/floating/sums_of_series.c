/* Long sums, naive, Kahan's and pairwise: every rounding must be the same. */
#include <stdio.h>

static double pairwise(int from, int to) {
    if (to - from == 1) return 1.0 / from;
    int middle = (from + to) / 2;
    return pairwise(from, middle) + pairwise(middle, to);
}

int main(void) {
    double naive = 0, kahan = 0, c = 0;
    float f = 0;
    for (int i = 1; i <= 5000; i++) {
        double term = 1.0 / i, y = term - c, t = kahan + y;
        naive += term;
        c = (t - kahan) - y;
        kahan = t;
        f += 1.0f / (float)i;
    }
    printf("%a %a %a %a\n", naive, kahan, pairwise(1, 5001), f);
    return 0;
}
