# C++ without its library: classes, virtual functions, templates, statics that are destroyed at exit, new and delete.
mipsel-linux-gnu-g++ --version >/dev/null 2>&1 || skip "no mipsel-linux-gnu-g++"
cat >x.cpp <<'EOF'
#include <stdio.h>
struct Shape {
    virtual ~Shape() { puts("gone"); }
    virtual int area() const = 0;
};
template <int N> struct Square : Shape {
    int area() const override { return N * N; }
};
static Square<2> small;
int main() {
    static Square<3> middle;
    Shape *large = new Square<4>;
    printf("%d %d %d\n", small.area(), middle.area(), large->area());
    delete large;
    auto next = [](int x) { return x + 1; };
    return next(4);
}
EOF
echo 'int c_function(void) { return 0; }' >y.c
mogcc -Wall -Werror x.cpp y.c
status 5 ./a.out
same "$(tr '\n' ' ' <out)" "4 9 16 gone gone gone "
