/* Templates: of functions and classes, specialised, with values, variadic, folded. */
#include <stdio.h>

namespace {
template <typename T> T larger(T a, T b) { return a < b ? b : a; }
template <> const char *larger(const char *a, const char *b) { return *a < *b ? b : a; }
template <typename T, int N> struct fixed {
    T v[N];
    constexpr int size() const { return N; }
    T &operator[](int i) { return v[i]; }
    T sum() const { T s{}; for (const T &x : v) s += x; return s; }
};
template <typename T> struct fixed<T, 0> { constexpr int size() const { return -1; } };
template <int N> struct factorial { static constexpr int value = N * factorial<N - 1>::value; };
template <> struct factorial<0> { static constexpr int value = 1; };
template <typename... T> auto total(T... v) { return (v + ... + 0); }
template <typename T, typename... R> int count(T, R... r) { if constexpr (sizeof...(r) == 0) return 1; else return 1 + count(r...); }
}

int main() {
    fixed<double, 3> d{{1.5, 2, 3}};
    d[1] *= 2;
    printf("%d %g %s %g %d %d\n", larger(3, 7), larger(2.5, 1.5), larger("a", "b"), d.sum(), d.size(), fixed<int, 0>().size());
    printf("%d %g %d\n", factorial<6>::value, total(1, 2.5, 3l), count('a', 1, "x", 2.0));
    return 0;
}
