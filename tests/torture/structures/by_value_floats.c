/* Structures of floats and doubles, alone and mixed with integers, as arguments and results: o32's odd rules. */
#include <stdio.h>

struct f1 { float a; };
struct f2 { float a, b; };
struct d1 { double a; };
struct d2 { double a, b; };
struct fd { float a; double b; };
struct id { int a; double b; };
struct f3 { float a, b, c; };

static __attribute__((noinline)) struct f1 g1(struct f1 x, float y) { return (struct f1){x.a * y}; }
static __attribute__((noinline)) struct f2 g2(float y, struct f2 x) { return (struct f2){x.b + y, x.a}; }
static __attribute__((noinline)) struct d1 g3(double y, struct d1 x) { return (struct d1){x.a - y}; }
static __attribute__((noinline)) struct d2 g4(struct d2 x, struct d1 y) { return (struct d2){x.b, x.a / y.a}; }
static __attribute__((noinline)) struct fd g5(int k, struct fd x) { return (struct fd){x.b, x.a * k}; }
static __attribute__((noinline)) struct id g6(struct id x, struct f3 y) { return (struct id){x.b, x.a + y.c}; }
static __attribute__((noinline)) struct f3 g7(struct f3 x) { return (struct f3){x.c, x.a, x.b}; }

int main(void) {
    struct f1 a = g1((struct f1){1.5f}, 3);
    struct f2 b = g2(0.25f, (struct f2){1, 2});
    struct d1 c = g3(0.125, (struct d1){9});
    struct d2 d = g4((struct d2){1, 2}, (struct d1){3});
    struct fd e = g5(7, (struct fd){0.5f, 0.75});
    struct id f = g6((struct id){5, -2.5}, (struct f3){1, 2, 3});
    struct f3 g = g7(g7((struct f3){1, 2, 3}));
    printf("%g %g %g %g %.17g %.17g %g %g %d %g %g %g %g\n", a.a, b.a, b.b, c.a, d.a, d.b, e.a, e.b, f.a, f.b, g.a, g.b, g.c);
    return 0;
}
