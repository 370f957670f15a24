/* Designated initialisers: out of order, ranges, nested, overridden, of unions. */
#include <stdio.h>

struct point { int x, y; };
struct shape { const char *name; struct point corner[3]; union { int i; float f; } u; };

static const int table[10] = {[2] = 5, 6, [7 ... 9] = 4, [0] = 1, [8] = 3};
static struct shape s = {.corner[1].y = 7, .corner[0] = {1, 2}, .name = "n", .u.f = 0.5f, .corner[2] = {.y = 9}};

int main(void) {
    for (int i = 0; i < 10; i++) printf("%d ", table[i]);
    printf("%s %d %d %d %d %d %d %g\n", s.name, s.corner[0].x, s.corner[0].y, s.corner[1].x, s.corner[1].y, s.corner[2].x, s.corner[2].y, s.u.f);
    int n = 4;
    struct shape local = {.corner = {[2] = {n, n + 1}}, .u = {.i = n * n}};
    printf("%d %d %d %d %d\n", local.name == 0, local.corner[0].x, local.corner[2].x, local.corner[2].y, local.u.i);
    char text[] = {[3] = 'd', [0] = 'a', 'b', 'c', [4] = 0};
    puts(text);
    return sizeof text;
}
