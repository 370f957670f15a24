/* Vectors whose sums are computed in one loop, by types alone. */
#include <stdio.h>

namespace {
template <typename L, typename R> struct sum { const L &l; const R &r; double operator[](int i) const { return l[i] + r[i]; } };
template <typename L> struct scaled { const L &l; double k; double operator[](int i) const { return l[i] * k; } };
struct vector {
    double v[6] = {};
    double operator[](int i) const { return v[i]; }
    template <typename E> vector &operator=(const E &e) { for (int i = 0; i < 6; i++) v[i] = e[i]; return *this; }
};
template <typename L, typename R> sum<L, R> operator+(const L &l, const R &r) { return {l, r}; }
template <typename L> scaled<L> operator*(const L &l, double k) { return {l, k}; }
}

int main() {
    vector a, b, c;
    for (int i = 0; i < 6; i++) a.v[i] = i, b.v[i] = 1.0 / (i + 1);
    c = a + b * 3 + a * 0.1;
    c = c + c;
    for (double x : c.v) printf("%a ", x);
    puts("");
    return 0;
}
