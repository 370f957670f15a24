/* Hints that change nothing: prefetch, assume_aligned, unreachable, clear_cache. */
#include <stdint.h>
#include <stdio.h>

int main(void) {
    static _Alignas(16) int v[64];
    int *p = __builtin_assume_aligned(v, 16);
    for (int i = 0; i < 64; i++) {
        __builtin_prefetch(&v[(i + 8) & 63], 1, 3);
        p[i] = i * i;
    }
    unsigned sum = 0;
    for (int i = 0; i < 64; i++) switch (i & 3) {
        case 0: sum += p[i]; break;
        case 1: sum ^= p[i]; break;
        case 2: sum -= p[i]; break;
        case 3: sum *= 3; break;
        default: __builtin_unreachable();
        }
    printf("%u\n", sum);
    return 0;
}
