/* A weak function here, a strong one in the other file; a weak variable likewise. */
#include <stdio.h>

__attribute__((weak)) int choose(void) { return 1; }
__attribute__((weak)) int setting = 10;
int only_here(void);

int main(void) {
    printf("%d %d %d\n", choose(), setting, only_here());
    return 0;
}
