/* Data of many sizes, zero and not, near and far: more than 64 KiB, so that addresses need both halves. */
#include <stdio.h>

static unsigned char zeros[70000];
static short table[20000] = {[0] = 1, [19999] = -5};
static const int constants[9000] = {[8999] = 77, [4321] = 12};
static int after = 99;

int main(void) {
    unsigned sum = 0;
    for (int i = 0; i < 70000; i += 997) zeros[i] = i;
    for (int i = 0; i < 70000; i++) sum = sum * 3 + zeros[i];
    for (int i = 0; i < 20000; i++) sum += table[i] * i;
    for (int i = 0; i < 9000; i++) sum ^= constants[i] << (i & 15);
    printf("%u %d\n", sum, after);
    return 0;
}
