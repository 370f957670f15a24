/* Pointers to members: data, functions, virtual ones, through bases. */
#include <stdio.h>

namespace {
struct base { int v = 3; virtual int f(int x) { return x + v; } int g(int x) { return x * v; } virtual ~base() {} };
struct other { int w = 8; virtual ~other() {} int h(int x) { return x - w; } };
struct derived : other, base { int f(int x) override { return x * 100 + v; } };
}

int main() {
    derived d;
    base plain;
    int (base::*f)(int) = &base::f;
    int (derived::*g)(int) = &base::g, (derived::*h)(int) = &derived::h;
    int base::*v = &base::v, derived::*w = &derived::v;
    d.*w = 4;
    printf("%d %d %d %d %d %d\n", (plain.*f)(1), (static_cast<base &>(d).*f)(1), (d.*g)(5), (d.*h)(10), plain.*v, d.*w);
    f = &base::g;
    return (plain.*f)(2) + (f == nullptr);
}
