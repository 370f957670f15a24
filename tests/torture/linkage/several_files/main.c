/* A program of several files: the same static name in each, a function pointer table across files, tentative definitions. */
#include <stdio.h>
#include "shared.h"

static int hidden(void) { return 1; }
int (*const table[])(void) = {hidden, second_file, third_file};
int shared_count = 5;

int main(void) {
    for (int i = 0; i < 3; i++) printf("%d ", table[i]());
    printf("%d %s %d\n", shared_count, second_name, call_back(hidden));
    return shared_count;
}
