/* Weak definitions, weak references that nobody defines, and weak aliases. */
#include <stdio.h>

__attribute__((weak)) int fallback(int x) { return x + 1; }
extern int absent(int) __attribute__((weak));
extern int missing_data __attribute__((weak));
static int real_one(int x) { return x * 5; }
extern int other(int) __attribute__((weak, alias("real_one")));

int main(void) {
    printf("%d %d %d %d\n", fallback(1), absent == 0, &missing_data == 0, other(3));
    return absent ? absent(1) : 9;
}
