/* Lambdas: captures by value, reference and move, mutable, generic, recursive, as function pointers. */
#include <stdio.h>

namespace {
template <typename F> int apply(F f, int n) { int s = 0; for (int i = 0; i < n; i++) s += f(i); return s; }
auto adder(int by) { return [by](int x) { return x + by; }; }
}

int main() {
    int calls = 0, factor = 3;
    auto count = [&calls, factor](int x) { calls++; return x * factor; };
    auto next = [n = 10]() mutable { return n++; };
    auto twice = [](auto x) { return x + x; };
    auto self = [](auto &f, int n) -> int { return n < 2 ? n : f(f, n - 1) + f(f, n - 2); };
    int (*pointer)(int) = [](int x) { return -x; };
    printf("%d %d %d %d %g %d %d %d\n", apply(count, 5), calls, next() * 100, next(), twice(1.25), self(self, 12), pointer(4), adder(5)(6));
    return apply(adder(1), 4);
}
