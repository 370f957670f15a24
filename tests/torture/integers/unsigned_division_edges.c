/* divu and its remainder with operands above 2^31. */
#include <stdio.h>

int main(void) {
    static volatile unsigned v[] = {1, 2, 3, 7, 10, 65535, 65536, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff};
    unsigned sum = 0;
    for (int i = 0; i < 12; i++)
        for (int j = 0; j < 12; j++) {
            unsigned q = v[i] / v[j], r = v[i] % v[j];
            sum = sum * 33 + q * 7 + r;
            if (q * v[j] + r != v[i] || r >= v[j]) printf("wrong: %u %u\n", v[i], v[j]);
        }
    printf("%u\n", sum);
    return 0;
}
