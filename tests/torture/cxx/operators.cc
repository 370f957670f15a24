/* Overloaded operators: arithmetic, comparison, call, index, conversion, increment, literals, comma of conversions. */
#include <stdio.h>

namespace {
struct ratio {
    int n, d;
    constexpr ratio(int a, int b = 1) : n(a), d(b) {}
    constexpr ratio operator+(ratio o) const { return {n * o.d + o.n * d, d * o.d}; }
    constexpr ratio operator-() const { return {-n, d}; }
    constexpr bool operator==(const ratio &o) const { return n * o.d == o.n * d; }
    explicit constexpr operator double() const { return double(n) / d; }
    ratio &operator++() { n += d; return *this; }
    ratio operator++(int) { ratio old = *this; ++*this; return old; }
    int operator()(int x) const { return x * n / d; }
    int operator[](int i) const { return i ? d : n; }
};
constexpr ratio operator""_r(unsigned long long v) { return {int(v)}; }
}

int main() {
    ratio a(1, 2), b = a + 3_r;
    constexpr ratio c = ratio(1, 3) + -ratio(1, 6);
    ratio old = b++;
    printf("%d/%d %d/%d %d/%d %g %d %d %d\n", b.n, b.d, old.n, old.d, c.n, c.d, double(c), a(9), b[1], ratio(2, 4) == a);
    return 0;
}
