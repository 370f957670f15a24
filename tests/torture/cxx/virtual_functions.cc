/* Virtual functions through several levels, pure ones, calls from constructors, virtual destructors. */
#include <stdio.h>

namespace {
struct shape {
    shape() { printf("%d ", kind()); }
    virtual ~shape() { printf("~shape "); }
    virtual int kind() const { return 0; }
    virtual int area() const = 0;
};
struct rectangle : shape {
    int w, h;
    rectangle(int a, int b) : w(a), h(b) { printf("%d ", kind()); }
    ~rectangle() override { printf("~rectangle "); }
    int kind() const override { return 1; }
    int area() const override { return w * h; }
};
struct square final : rectangle {
    explicit square(int a) : rectangle(a, a) {}
    int kind() const override { return 2 + rectangle::kind(); }
};
}

int main() {
    shape *list[] = {new rectangle(2, 3), new square(4)};
    for (shape *s : list) printf("| %d %d ", s->kind(), s->area());
    for (shape *s : list) delete s;
    puts("");
    return 0;
}
