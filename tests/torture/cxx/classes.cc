/* Constructors, destructors, copies and assignments, in the order the language demands. */
#include <stdio.h>

namespace {
struct noisy {
    int id;
    explicit noisy(int i) : id(i) { printf("+%d ", id); }
    noisy(const noisy &o) : id(o.id * 10) { printf("c%d ", id); }
    noisy &operator=(const noisy &o) { id = o.id + 1; printf("=%d ", id); return *this; }
    ~noisy() { printf("-%d ", id); }
};
struct both : noisy {
    noisy a, b;
    both() : noisy(1), a(2), b(3) {}
};
noisy make(int i) { noisy n(i); return n; }
}

int main() {
    {
        both x;
        noisy y = make(7), z = y;
        z = x.a;
        noisy *p = new noisy(9);
        noisy array[2] = {noisy(4), noisy(5)};
        delete p;
    }
    puts("");
    return 0;
}
