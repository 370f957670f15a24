/* <float.h>: the limits behave as they say. */
#include <float.h>
#include <stdio.h>

int main(void) {
    volatile double e = DBL_EPSILON, m = DBL_MAX, d = DBL_MIN;
    volatile float fe = FLT_EPSILON, fm = FLT_MAX;
    printf("%d %d %d\n", 1 + e > 1, 1 + e / 2 > 1, m * 2 > m);
    printf("%a %a %a %a %a\n", e, m, d, (double)fe, (double)fm);
    printf("%d %d %d %d %d %d\n", FLT_RADIX, DBL_MANT_DIG, DBL_DIG, FLT_DIG, DBL_MAX_10_EXP, DBL_MIN_EXP);
    return FLT_EVAL_METHOD + FLT_ROUNDS;
}
