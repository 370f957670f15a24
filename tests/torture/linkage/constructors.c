/* Constructors run before main by priority; without one, after those with. */
#include <stdio.h>

static char order[8];
static int used;
__attribute__((constructor)) static void last(void) { order[used++] = 'c'; }
__attribute__((constructor(300))) static void second(void) { order[used++] = 'b'; }
__attribute__((constructor(200))) static void first(void) { order[used++] = 'a'; }

int main(void) {
    puts(order);
    return used;
}
