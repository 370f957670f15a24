/* extern "C", C callbacks into C++, qsort with a lambda, va_list in C++. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

extern "C" {
typedef int (*visitor)(int, void *);
static int each(int n, visitor f, void *context) { int s = 0; for (int i = 0; i < n; i++) s += f(i, context); return s; }
}

namespace {
struct state { int calls = 0; static int visit(int i, void *self) { return static_cast<state *>(self)->calls += i; } };
int total(int n, ...) {
    va_list list;
    va_start(list, n);
    int s = 0;
    while (n--) s += va_arg(list, int);
    va_end(list);
    return s;
}
}

int main() {
    state s;
    int r = each(5, state::visit, &s);
    int v[] = {4, 1, 3};
    qsort(v, 3, sizeof *v, [](const void *a, const void *b) { return *(const int *)b - *(const int *)a; });
    printf("%d %d %d%d%d %d\n", r, s.calls, v[0], v[1], v[2], total(3, 10, 20, 30));
    return 0;
}
