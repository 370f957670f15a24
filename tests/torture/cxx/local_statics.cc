/* Statics in functions: initialised once, at first use, also in templates and by recursion-free guards. */
#include <stdio.h>

namespace {
int made;
struct thing { int v; explicit thing(int x) : v(x) { made++; } };
thing &get(int x) { static thing t(x); return t; }
template <typename T> int &counter() { static int n = sizeof(T); return n; }
struct lazy { static lazy &one() { static lazy l; return l; } int v = 5; };
}

int main() {
    get(7).v++;
    get(100).v++;
    counter<char>() += 10;
    counter<double>() += 100;
    lazy::one().v = get(1).v + lazy::one().v;
    printf("%d %d %d %d %d\n", get(3).v, made, counter<char>(), counter<double>(), lazy::one().v);
    return 0;
}
