/* Results that are used at once: members of calls, chained calls, conditional ones. */
#include <stdio.h>

struct vector { int x, y, z; };
static struct vector make(int n) { return (struct vector){n, n * n, n * n * n}; }
static struct vector cross(struct vector a, struct vector b) {
    return (struct vector){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

int main(void) {
    volatile int n = 3;
    printf("%d %d\n", make(n).z, cross(make(2), cross(make(3), make(n + 1))).y);
    struct vector v = n > 2 ? make(5) : cross(make(1), make(2));
    v = cross(v, v.x ? make(2) : v);
    printf("%d %d %d %d\n", v.x, v.y, v.z, (n ? make(7) : v).y);
    return 0;
}
