/* 64-bit division, which is libgcc's, over edges. */
#include <stdio.h>

int main(void) {
    static volatile long long v[] = {-9223372036854775807ll - 1, -9223372036854775807ll, -5000000000ll, -7, -1, 1, 3, 10,
                                     4294967295ll, 4294967296ll, 4294967297ll, 1000000000000ll, 9223372036854775807ll};
    for (int i = 0; i < 13; i++)
        for (int j = 0; j < 13; j++) {
            if (i == 0 && v[j] == -1) continue;
            unsigned long long a = v[i], b = v[j];
            printf("%lld %lld %llu %llu\n", v[i] / v[j], v[i] % v[j], a / b, a % b);
        }
    return 0;
}
