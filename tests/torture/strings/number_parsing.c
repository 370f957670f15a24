/* strtol and its kin: bases, signs, prefixes, what is left over, overflow and errno. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    static const char *v[] = {"0", "  -42xyz", "0x1F", "077", "+9", "2147483648", "-2147483649", "99999999999999999999", "zz", "", "-", "1e5", "0b11"};
    static const int bases[] = {0, 10, 16, 8, 2, 36};
    for (int i = 0; i < 13; i++)
        for (int j = 0; j < 6; j++) {
            char *end;
            errno = 0;
            long a = strtol(v[i], &end, bases[j]);
            int e = errno == ERANGE;
            errno = 0;
            unsigned long long b = strtoull(v[i], NULL, bases[j]);
            printf("%ld %d %td %llu %d\n", a, e, end - v[i], b, errno == ERANGE);
        }
    printf("%d %ld %lld\n", atoi(" 12abc"), atol("-7"), atoll("8589934592"));
    return 0;
}
