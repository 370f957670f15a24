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
# g++'s library is there as far as it is in headers alone: one sentence says so where it ends, and not a wall of what follows from that.
for header in iostream sstream fstream iomanip regex locale complex thread mutex future condition_variable; do
    printf '#include <%s>\nint main() { std::cout << 1 << std::endl; std::thread t; std::mutex m; std::regex r("x"); }\n' $header >y.cpp
    status 1 mogcc -std=c++20 -c y.cpp
    [ "$(wc -l <err)" -lt 15 ] || fail "<$header>: $(wc -l <err) lines"
    grep -Eq 'error: #error "(PEs have of the C\+\+ library|there are no threads on a PE)' err || fail "<$header>: $(cat err)"
done
for header in algorithm array bit charconv compare coroutine limits numeric optional span string_view tuple type_traits utility functional vector random; do
    echo "#include <$header>"
done >z.cpp
mogcc -std=c++20 -c z.cpp
