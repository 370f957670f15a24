/* Recursion: direct, double, mutual, deep, and through an array that every level holds on its stack. */
#include <stdio.h>

#include "testing.h"

static unsigned ackermann(unsigned m, unsigned n) {
    if (m == 0) return n + 1;
    if (n == 0) return ackermann(m - 1, 1);
    return ackermann(m - 1, ackermann(m, n - 1));
}

static unsigned moves;
static uint32_t move_sum = HASH_START;

static void hanoi(int discs, int from, int to, int over) {
    if (discs == 0) return;
    hanoi(discs - 1, from, over, to);
    moves++;
    move_sum = hash_u32(move_sum, (uint32_t)(discs << 8 | from << 4 | to));
    hanoi(discs - 1, over, to, from);
}

static int is_odd(unsigned n);
static int is_even(unsigned n) { return n == 0 ? 1 : is_odd(n - 1); }
static int is_odd(unsigned n) { return n == 0 ? 0 : is_even(n - 1); }

static int tak(int x, int y, int z) { return y >= x ? z : tak(tak(x - 1, y, z), tak(y - 1, z, x), tak(z - 1, x, y)); }

static int male(int n);
static int female(int n) { return n == 0 ? 1 : n - male(female(n - 1)); }
static int male(int n) { return n == 0 ? 0 : n - female(male(n - 1)); }

static unsigned fibonacci(unsigned n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

static unsigned long long sum_to(unsigned n) { return n == 0 ? 0 : n + sum_to(n - 1); }

/* Every level keeps the whole permutation so far: a wrong stack pointer shows at once. */
static uint32_t permute(const char *letters, int count, const char *prefix, int done) {
    char mine[8];
    memcpy(mine, prefix, 8);
    if (done == count) return hash_bytes(HASH_START, mine, (size_t)count);
    uint32_t sum = 0;
    for (int i = 0; i < count; i++) {
        if (memchr(prefix, letters[i], (size_t)done)) continue;
        mine[done] = letters[i];
        sum = sum * 31 + permute(letters, count, mine, done + 1);
    }
    return sum;
}

int main(void) {
    for (unsigned m = 0; m <= 2; m++)
        for (unsigned n = 0; n < 5; n++) printf("ackermann(%u,%u) = %u\n", m, n, ackermann(m, n));
    printf("ackermann(3,3) = %u\n", ackermann(3, 3));
    for (int discs = 1; discs <= 10; discs += 3) {
        moves = 0;
        hanoi(discs, 1, 3, 2);
        printf("hanoi %d: %u moves, %08x\n", discs, moves, move_sum);
    }
    printf("even(500) %d odd(500) %d even(77) %d odd(77) %d\n", is_even(500), is_odd(500), is_even(77), is_odd(77));
    printf("tak(10,6,3) = %d\n", tak(10, 6, 3));
    for (int n = 0; n < 12; n++) printf("%d/%d ", female(n), male(n));
    printf("\nfibonacci(16) = %u\n", fibonacci(16));
    printf("sum_to(400) = %llu\n", sum_to(400));
    char none[8] = "";
    printf("permutations of 5: %08x\n", permute("abcde", 5, none, 0));
    return 0;
}
