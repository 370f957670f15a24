/* Functions with contexts: composed, stored, called later. */
#include <stdio.h>
#include <stdlib.h>

struct closure { int (*f)(struct closure *, int); int a; struct closure *g, *h; };
static int call(struct closure *c, int x) { return c->f(c, x); }
static int add(struct closure *c, int x) { return x + c->a; }
static int scale(struct closure *c, int x) { return x * c->a; }
static int compose(struct closure *c, int x) { return call(c->g, call(c->h, x)); }
static struct closure *make(int (*f)(struct closure *, int), int a, struct closure *g, struct closure *h) {
    struct closure *c = malloc(sizeof *c);
    *c = (struct closure){f, a, g, h};
    return c;
}

int main(void) {
    struct closure *c = make(add, 3, NULL, NULL);
    for (int i = 1; i < 8; i++) c = make(compose, 0, i & 1 ? make(scale, i, NULL, NULL) : make(add, -i, NULL, NULL), c);
    for (int x = -2; x < 3; x++) printf("%d ", call(c, x));
    puts("");
    return 0;
}
