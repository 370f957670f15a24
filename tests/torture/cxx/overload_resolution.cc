/* Which overload is chosen: promotions, conversions, references, templates, defaults, ellipsis. */
#include <stdio.h>

namespace {
int f(int) { return 1; }
int f(long) { return 2; }
int f(double) { return 3; }
int f(const char *) { return 4; }
int f(bool) { return 5; }
int f(...) { return 6; }
template <typename T> int f(T *) { return 7; }
int g(int &&) { return 1; }
int g(const int &) { return 2; }
int h(int a, int b = 10, int c = 100) { return a + b + c; }
struct convertible { operator int() const { return 0; } };
enum plain { value };
enum class scoped { value };
}

int main() {
    short s = 1;
    int i = 2, *p = &i;
    printf("%d%d%d%d%d%d%d%d%d%d%d ", f('a'), f(s), f(1l), f(1.0f), f("x"), f(true), f(p), f(value), f(scoped::value), f(convertible()), f(nullptr));
    printf("%d%d%d %d %d\n", g(i), g(3), g(i + 1), h(1), h(1, 2));
    return 0;
}
