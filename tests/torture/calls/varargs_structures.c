/* Structures as variable arguments. */
#include <stdarg.h>
#include <stdio.h>

struct small { char a; };
struct three { char c[3]; };
struct pair { int a, b; };
struct mixed { double d; char c; };
struct big { int v[20]; };

static __attribute__((noinline)) double sum(int n, ...) {
    va_list list;
    va_start(list, n);
    double total = 0;
    for (int i = 0; i < n; i++) {
        total += va_arg(list, struct small).a;
        struct three t = va_arg(list, struct three);
        total += t.c[0] * 2 + t.c[2];
        struct pair p = va_arg(list, struct pair);
        total += p.a - p.b;
        struct mixed m = va_arg(list, struct mixed);
        total += m.d * m.c;
        total += va_arg(list, struct big).v[19];
    }
    va_end(list);
    return total;
}

int main(void) {
    struct big b = {{[19] = 1000}};
    printf("%g\n", sum(2, (struct small){1}, (struct three){{2, 3, 4}}, (struct pair){9, 5}, (struct mixed){0.5, 6}, b,
                       (struct small){-1}, (struct three){{-2, 3, 4}}, (struct pair){5, 9}, (struct mixed){1.5, 2}, b));
    return 0;
}
