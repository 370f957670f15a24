/* Lvalue and rvalue references, moves, forwarding, lifetime of temporaries. */
#include <stdio.h>

namespace {
template <typename T> struct remove_ref { using type = T; };
template <typename T> struct remove_ref<T &> { using type = T; };
template <typename T> struct remove_ref<T &&> { using type = T; };
template <typename T> typename remove_ref<T>::type &&move(T &&t) { return static_cast<typename remove_ref<T>::type &&>(t); }
template <typename T> T &&forward(typename remove_ref<T>::type &t) { return static_cast<T &&>(t); }
struct owner {
    int *p;
    explicit owner(int v) : p(new int(v)) {}
    owner(owner &&o) : p(o.p) { o.p = nullptr; }
    owner &operator=(owner &&o) { int *t = p; p = o.p, o.p = t; return *this; }
    ~owner() { delete p; }
};
int kind(int &) { return 1; }
int kind(const int &) { return 2; }
int kind(int &&) { return 3; }
template <typename T> int pass(T &&t) { return kind(forward<T>(t)); }
}

int main() {
    owner a(5), b(move(a));
    bool empty = a.p == nullptr;
    a = owner(9);
    int i = 0;
    const int c = 1;
    const int &longer = i + 41;
    printf("%d %d %d %d%d%d %d\n", *b.p, *a.p, empty, pass(i), pass(c), pass(3), longer);
    return 0;
}
