/* Aliases of functions and data, also through assembler names. */
#include <stdio.h>

int original(int x) { return x + 7; }
int copy(int) __attribute__((alias("original")));
int value = 41;
extern int same_value __attribute__((alias("value")));
static int renamed(int x) __asm__("a_name_of_its_own");
static __attribute__((noinline)) int renamed(int x) { return x - 1; }

int main(void) {
    same_value++;
    printf("%d %d %d %d\n", copy(1), copy == original, value, renamed(10));
    return 0;
}
