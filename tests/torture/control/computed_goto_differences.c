/* Tables of differences of labels, as position-independent interpreters have them. */
#include <stdio.h>

static __attribute__((noinline)) int run(const char *program) {
    static const int table[] = {&&zero - &&zero, &&one - &&zero, &&two - &&zero, &&three - &&zero, &&stop - &&zero};
    int value = 1;
    for (;;) {
        goto *(&&zero + table[*program++ - '0']);
    zero: value = 1; continue;
    one: value++; continue;
    two: value *= 2; continue;
    three: value -= 7; continue;
    stop: return value;
    }
}

int main(void) {
    printf("%d %d %d\n", run("12224"), run("22301124"), run("3334"));
    return run("14");
}
