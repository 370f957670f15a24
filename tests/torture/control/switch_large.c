/* 200 cases in one switch, inside a loop: a small machine. */
#include <stdio.h>

#define C1(n) case n: sum = sum * 3 + n; break;
#define C2(n) case n: sum ^= n * 77777; break;
#define C3(n) case n: sum -= n << (n & 7); break;
#define C4(n) case n: sum = sum << 1 | sum >> 31; break;
#define FOUR(n) C1(n) C2(n + 1) C3(n + 2) C4(n + 3)
#define FORTY(n) FOUR(n) FOUR(n + 4) FOUR(n + 8) FOUR(n + 12) FOUR(n + 16) FOUR(n + 20) FOUR(n + 24) FOUR(n + 28) FOUR(n + 32) FOUR(n + 36)

int main(void) {
    unsigned sum = 1;
    for (unsigned i = 0, op = 7; i < 3000; i++, op = (op * 75 + 74) % 211)
        switch (op) {
            FORTY(0) FORTY(40) FORTY(80) FORTY(120) FORTY(160)
        default: sum++;
        }
    printf("%u\n", sum);
    return 0;
}
