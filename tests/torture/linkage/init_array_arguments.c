/* Functions in .init_array and .preinit_array by hand, beside constructors. */
#include <stdio.h>

static int runs;
static void early(void) { runs = runs * 10 + 1; }
static void late(void) { runs = runs * 10 + 2; }
static void (*const pre)(void) __attribute__((used, section(".preinit_array"))) = early;
static void (*const init)(void) __attribute__((used, section(".init_array"))) = late;

int main(void) {
    printf("%d\n", runs);
    return 0;
}
