/* What many blocks cost: 40,000 are given, freed in the order in which they came, and every other one of as many, which leaves holes. */
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 40000 };
static void *blocks[COUNT];

static void fill(void)
{
    for (int i = 0; i < COUNT; i++)
        if (!blocks[i] && !(blocks[i] = malloc(16 + i * 7 % 48)))
            abort();
}

int main(void)
{
    for (int step = 1; step <= 2; step++) {
        fill();
        for (int i = 0; i < COUNT; i += step) {
            free(blocks[i]);
            blocks[i] = NULL;
        }
    }
    fill();
    puts("done");
    return 0;
}
