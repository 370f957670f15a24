/* A read through a null pointer: SIGSEGV. */
#include <stdio.h>

struct s { int a, b; };

int main(void) {
    struct s *volatile p = NULL;
    puts("before");
    fflush(stdout);
    return p->b;
}
