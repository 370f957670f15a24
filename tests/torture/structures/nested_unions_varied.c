/* A value of a variant type, passed and returned by value. */
#include <stdio.h>

struct value { enum { INT, REAL, TEXT, PAIR } kind; union { int i; double r; const char *t; struct { short a, b; } p; } u; };

static struct value make_int(int i) { return (struct value){INT, {.i = i}}; }
static struct value make_real(double r) { return (struct value){REAL, {.r = r}}; }
static __attribute__((noinline)) struct value add(struct value a, struct value b) {
    if (a.kind == INT && b.kind == INT) return make_int(a.u.i + b.u.i);
    if (a.kind == PAIR) return (struct value){PAIR, {.p = {a.u.p.a + b.u.i, a.u.p.b - b.u.i}}};
    double x = a.kind == INT ? a.u.i : a.u.r, y = b.kind == INT ? b.u.i : b.u.r;
    return make_real(x + y);
}
static void show(struct value v) {
    switch (v.kind) {
    case INT: printf("%d\n", v.u.i); break;
    case REAL: printf("%g\n", v.u.r); break;
    case TEXT: puts(v.u.t); break;
    case PAIR: printf("%d,%d\n", v.u.p.a, v.u.p.b); break;
    }
}

int main(void) {
    show(add(make_int(2), make_int(3)));
    show(add(make_int(2), make_real(0.5)));
    show(add((struct value){PAIR, {.p = {7, 8}}}, make_int(100)));
    show((struct value){TEXT, {.t = "text"}});
    return sizeof(struct value);
}
