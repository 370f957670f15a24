/* Several bases: adjusted this pointers, thunks, virtual bases, conversions between them. */
#include <stdio.h>

namespace {
struct a { int x = 1; virtual int f() { return x; } virtual ~a() {} };
struct b { int y = 2; virtual int g() { return y; } virtual ~b() {} };
struct c : a, b { int z = 3; int f() override { return z * 10; } int g() override { return z * 100 + y; } };
struct root { int r = 5; virtual int h() { return r; } };
struct left : virtual root { int h() override { return r + 1; } };
struct right : virtual root { int q = 9; };
struct bottom : left, right { };
}

int main() {
    c object;
    a *pa = &object;
    b *pb = &object;
    printf("%d %d %d %d\n", pa->f(), pb->g(), (void *)pa != (void *)pb, static_cast<c *>(pb) == &object);
    bottom d;
    d.r = 7;
    root *pr = &d;
    right &rr = d;
    printf("%d %d %d\n", pr->h(), rr.r, rr.h());
    b *null = static_cast<c *>(nullptr);
    return null == nullptr;
}
