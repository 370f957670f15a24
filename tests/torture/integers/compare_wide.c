/* 64-bit comparisons, signed and unsigned: six operators over edges of both words. */
#include <stdio.h>

int main(void) {
    static volatile long long v[] = {-9223372036854775807ll - 1, -4294967296ll, -4294967295ll, -1, 0, 1, 4294967295ll,
                                     4294967296ll, 9223372036854775807ll};
    for (int i = 0; i < 9; i++) {
        for (int j = 0; j < 9; j++) {
            long long a = v[i], b = v[j];
            unsigned long long ua = a, ub = b;
            int bits = (a < b) | (a <= b) << 1 | (a == b) << 2 | (a > b) << 3 | (ua < ub) << 4 | (ua >= ub) << 5;
            printf("%02x ", bits);
        }
        puts("");
    }
    return 0;
}
