/* void expressions: in ?:, comma, statement expressions, returned. */
#include <stdio.h>

static int n;
static void bump(void) { n++; }
static void twice(void) { return bump(), bump(); }

int main(void) {
    volatile int yes = 1;
    yes ? bump() : twice();
    yes ? (void)0 : bump();
    (twice(), bump());
    ({ bump(); (void)n; });
    (void)(yes && (bump(), 0));
    printf("%d\n", n);
    return n;
}
