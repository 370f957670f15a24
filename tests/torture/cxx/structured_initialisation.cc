/* Aggregates, designated initialisers, default members, bindings, unions with constructors, bit fields with defaults. */
#include <stdio.h>

namespace {
struct options { int level = 2; bool fast = false; const char *name = "none"; unsigned bits : 3 = 5; };
union value { int i; double d; value(int x) : i(x) {} value(double x) : d(x) {} };
struct point { double x, y; };
point middle(point a, point b) { return {(a.x + b.x) / 2, (a.y + b.y) / 2}; }
}

int main() {
    options o{.fast = true, .name = "given"};
    auto [level, fast, name, bits] = o;
    value v(2.5), w(7);
    auto &&[x, y] = middle({1, 2}, {4, 6});
    printf("%d %d %s %u %g %d %g %g\n", level, fast, name, (unsigned)bits, v.d, w.i, x, y);
    return 0;
}
