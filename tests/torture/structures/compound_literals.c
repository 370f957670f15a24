/* Compound literals: their lifetime is the block's, they can be changed, and have an address. */
#include <stdio.h>

struct pair { int a, b; };
static int *global = (int[]){3, 1, 4};

static int sum(const struct pair *p, int n) {
    int total = 0;
    for (int i = 0; i < n; i++) total += p[i].a * p[i].b;
    return total;
}

int main(void) {
    printf("%d\n", sum((struct pair[]){{1, 2}, {.b = 3, .a = 4}, {5}}, 3));
    int *p = (int[3]){7};
    p[1] = p[0]++;
    printf("%d %d %d %d\n", p[0], p[1], p[2], global[2]);
    struct pair x = (struct pair){p[0], global[1]};
    x = (struct pair){x.b, x.a};
    printf("%d %d\n", x.a, x.b);
    int previous = 0;
    for (int i = 0; i < 3; i++) {
        int *q = (int[]){i, previous};
        previous += ++*q + q[1];
    }
    printf("%d %s\n", previous, (char[]){"text"} + 1);
    return 0;
}
