/* abs, labs, llabs, div, ldiv, lldiv. */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    div_t d = div(-17, 5);
    ldiv_t l = ldiv(1000000007l, -13);
    lldiv_t ll = lldiv(-1000000000000ll, 7);
    printf("%d %d %ld %ld %lld %lld\n", d.quot, d.rem, l.quot, l.rem, ll.quot, ll.rem);
    printf("%d %ld %lld\n", abs(-5), labs(-2147483647l), llabs(-9223372036854775807ll));
    return 0;
}
