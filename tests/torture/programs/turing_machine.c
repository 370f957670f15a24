/* A busy beaver with four states: 107 steps, 13 ones. */
#include <stdio.h>

int main(void) {
    static const struct { char write, move, next; } rule[4][2] = {
        {{1, 1, 1}, {1, -1, 1}}, {{1, -1, 0}, {0, -1, 2}}, {{1, 1, 4}, {1, -1, 3}}, {{1, 1, 3}, {0, 1, 0}}};
    static char tape[64];
    int at = 32, state = 0, steps = 0, ones = 0;
    while (state != 4) {
        int s = tape[at];
        tape[at] = rule[state][s].write;
        at += rule[state][s].move;
        state = rule[state][s].next;
        steps++;
    }
    for (int i = 0; i < 64; i++) ones += tape[i];
    printf("%d %d\n", steps, ones);
    return ones;
}
