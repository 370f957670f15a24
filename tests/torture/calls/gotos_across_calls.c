/* An explicit stack instead of recursion: Hanoi's towers, both ways. */
#include <stdio.h>

static unsigned moves;
static void hanoi(int n, int from, int to) {
    if (n == 0) return;
    hanoi(n - 1, from, 6 - from - to);
    moves = moves * 7 + from * 3 + to;
    hanoi(n - 1, 6 - from - to, to);
}
static unsigned iterative(int n) {
    struct { int n, from, to, stage; } stack[32], *top = stack;
    unsigned sum = 0;
    *top = (typeof(*top)){n, 1, 3, 0};
    while (top >= stack) {
        int f = top->from, t = top->to, o = 6 - f - t, k = top->n;
        if (k == 0 || top->stage == 2) { top--; continue; }
        if (top->stage == 1) sum = sum * 7 + f * 3 + t;
        int second = top->stage++;
        *++top = (typeof(*top)){k - 1, second ? o : f, second ? t : o, 0};
    }
    return sum;
}

int main(void) {
    hanoi(7, 1, 3);
    printf("%u %u\n", moves, iterative(7));
    return moves != iterative(7);
}
