/* Differences of labels in 16 and 8 bits. */
#include <stdio.h>

static __attribute__((noinline)) int run(const unsigned char *program) {
    static const short table[] = {&&a - &&base, &&b - &&base, &&c - &&base, &&end - &&base};
    int value = 5;
base:
    goto *(&&base + table[*program++]);
a: value += 3; goto base;
b: value = -value; goto base;
c: value ^= 0x55; goto base;
end: return value;
}

int main(void) {
    printf("%d %d\n", run((unsigned char[]){0, 1, 2, 0, 3}), run((unsigned char[]){2, 2, 1, 3}));
    return 0;
}
