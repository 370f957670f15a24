/* Structures as values: parameters in registers and on the stack, returned, nested, with arrays, floats, doubles, chars. */
#include <stdio.h>

#include "testing.h"

typedef struct { char c; } One;
typedef struct { short a, b; } Pair;
typedef struct { char a; short b; int c; } Mixed;
typedef struct { float x, y; } Point;
typedef struct { double re, im; } Wide;
typedef struct { float f; double d; char c; } Loose;
typedef struct { int n; long long big; } Big;
typedef struct { char text[11]; } Text;
typedef struct { int v[20]; } Block;
typedef struct { Pair p; Point q; struct { One o[3]; Mixed m; } inner; } Nested;
typedef union { int i; float f; char bytes[4]; } Either;

static One next_one(One o) { return (One){(char)(o.c + 1)}; }
static Pair swap(Pair p) { return (Pair){p.b, p.a}; }
static Mixed grow(Mixed m, int by) { m.a = (char)(m.a + by); m.b = (short)(m.b * by); m.c -= by; return m; }
static Point midpoint(Point a, Point b) { return (Point){(a.x + b.x) / 2, (a.y + b.y) / 2}; }
static Wide multiply(Wide a, Wide b) { return (Wide){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re}; }
static Loose loose(int before, Loose l, double after) { l.f += (float)before; l.d *= after; l.c++; return l; }
static Big big(int a, Big b, long long c) { b.n += a; b.big = b.big * c + a; return b; }
static Text reverse(Text t) {
    size_t n = strlen(t.text);
    for (size_t i = 0; i < n / 2; i++) { char c = t.text[i]; t.text[i] = t.text[n - 1 - i]; t.text[n - 1 - i] = c; }
    return t;
}
static Block prefix_sums(Block b) { for (int i = 1; i < 20; i++) b.v[i] += b.v[i - 1]; return b; }
static Nested change(Nested n, One o, Point p) {
    n.p = swap(n.p);
    n.q = midpoint(n.q, p);
    n.inner.o[1] = o;
    n.inner.m = grow(n.inner.m, 2);
    return n;
}
static Either pun(Either e) { e.i ^= 0x00800000; return e; }
/* Many arguments of all shapes: registers run out at different places. */
static int many(char a, Pair b, double c, Mixed d, float e, Block f, One g, Wide h, long long i, Text j) {
    return a + b.a * 2 + b.b * 3 + (int)c + d.a + d.b + d.c + (int)e + f.v[19] + g.c + (int)(h.re + h.im) + (int)(i >> 20) + j.text[0];
}
static Block recurse(Block b, int depth) {
    if (depth == 0) return b;
    b.v[depth] += depth;
    Block c = recurse(b, depth - 1);
    c.v[0] += b.v[depth];
    return c;
}

int main(void) {
    One o = {'x'};
    o = next_one(next_one(o));
    printf("one %c\n", o.c);
    Pair p = swap((Pair){-300, 12345});
    printf("pair %d %d\n", p.a, p.b);
    Mixed m = grow((Mixed){'a', -77, 1000000}, 3);
    printf("mixed %c %d %d\n", m.a, m.b, m.c);
    Point q = midpoint((Point){1.5f, -2.25f}, (Point){4.0f, 8.0f});
    printf("point %g %g\n", q.x, q.y);
    Wide w = {1, 0};
    for (int i = 0; i < 8; i++) w = multiply(w, (Wide){0.75, 0.5});
    printf("wide %.12g %.12g\n", w.re, w.im);
    Loose l = loose(5, (Loose){0.5f, 1.125, 'm'}, 3);
    printf("loose %g %g %c\n", l.f, l.d, l.c);
    Big b = big(7, (Big){1, 123456789012LL}, -3);
    printf("big %d %lld\n", b.n, b.big);
    Text t = reverse((Text){"abcdefghij"});
    printf("text %s\n", t.text);
    Block block;
    for (int i = 0; i < 20; i++) block.v[i] = i * i - 30;
    Block sums = prefix_sums(block);
    printf("block %d %d, untouched %d\n", sums.v[10], sums.v[19], block.v[19]);
    Nested n = {{1, 2}, {3, 4}, {{{'a'}, {'b'}, {'c'}}, {'z', 10, 20}}};
    Nested changed = change(n, o, q);
    printf("nested %d %d %g %g %c%c%c %d %d %d, untouched %d %c\n", changed.p.a, changed.p.b, changed.q.x, changed.q.y, changed.inner.o[0].c,
           changed.inner.o[1].c, changed.inner.o[2].c, changed.inner.m.a, changed.inner.m.b, changed.inner.m.c, n.p.a, n.inner.o[1].c);
    Either e = pun((Either){.f = 1.0f});
    printf("union %g %08x\n", e.f, (unsigned)e.i);
    printf("many %d\n", many('A', p, 100.9, m, 50.9f, sums, o, w, 0x123456789abLL, t));
    Block r = recurse(block, 15);
    uint32_t sum = HASH_START;
    for (int i = 0; i < 20; i++) sum = hash_u32(sum, (uint32_t)r.v[i]);
    printf("recursed %d %08x\n", r.v[0], sum);
    Block array[3] = {block, sums, r};
    array[0] = array[2];
    array[2] = prefix_sums(array[1]);
    printf("array %d %d %d\n", array[0].v[0], array[1].v[1], array[2].v[2]);
    Text (*volatile f)(Text) = reverse;
    printf("pointer %s, member of a result %c\n", f(f(t)).text, f(t).text[0]);
    return 0;
}
