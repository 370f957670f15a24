/* The curiously recurring template, policies, concepts, overloads by requires. */
#include <stdio.h>

namespace {
template <typename D> struct comparable {
    friend bool operator!=(const D &a, const D &b) { return !(a == b); }
    int twice() const { return static_cast<const D *>(this)->value() * 2; }
};
struct number : comparable<number> {
    int v;
    explicit number(int x) : v(x) {}
    int value() const { return v; }
    friend bool operator==(const number &a, const number &b) { return a.v == b.v; }
};
template <typename T> concept sized = requires(T t) { t.size(); };
template <sized T> int measure(const T &t) { return t.size(); }
template <typename T> int measure(const T &) { return -1; }
struct box { int size() const { return 12; } };
}

int main() {
    printf("%d %d %d %d\n", number(3) != number(4), number(21).twice(), measure(box()), measure(5));
    return 0;
}
