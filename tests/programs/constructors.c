/* Constructors and destructors run before and after main, by priority; static initialisers are in place before them. */
#include <stdio.h>
#include <stdlib.h>

static int order[8], count;
static int initialised = 12;
static const int *const pointer = &initialised;
static int zero;

__attribute__((constructor(200))) static void later(void) { order[count++] = 200; }
__attribute__((constructor(150))) static void earlier(void) { order[count++] = 150 + *pointer + zero; }
__attribute__((constructor)) static void last(void) { order[count++] = 999; printf("printing before main\n"); }
__attribute__((destructor)) static void after(void) { printf("after main, count %d\n", count); }
static void at_end(void) { printf("atexit, before destructors\n"); count = 77; }

int main(void) {
    atexit(at_end);
    for (int i = 0; i < count; i++) printf("%d ", order[i]);
    printf("\n");
    return 0;
}
