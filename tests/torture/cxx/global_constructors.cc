/* Objects with constructors at file scope, in order, and destroyed after main, in the reverse one. */
#include <stdio.h>

namespace {
bool here;
int order;
struct item {
    int n;
    explicit item(int k) : n(order = order * 10 + k) {}
    ~item() { if (here) printf("~%d\n", n); }
};
item first(1), second(2);
int computed = second.n * 2;
struct { item inner{3}; int v = computed + 1; } nested;
__attribute__((init_priority(200))) item early(9);
}

int main() {
    here = true;
    printf("%d %d %d %d %d\n", early.n, first.n, second.n, computed, nested.v);
    static item local(4);
    return 3;
}
