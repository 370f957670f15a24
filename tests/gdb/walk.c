/* What debuggers show: calls, structures, arrays, loops, a condition that differs from PE to PE. */
#include <mog.h>
#include <stdio.h>

struct point {
    int x, y;
    double weights[3];
};

static struct point origin = {1, 2, {0.5, 1.5, 2.5}};
static int squares[5];
int counter;

__attribute__((noinline)) static int fill(struct point *at, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        squares[i] = i * i + at->x;
        sum += squares[i];
        counter++;
    }
    return sum;
}

__attribute__((noinline)) static int twice(int value)
{
    int result = fill(&origin, 3) + value;
    result *= 2;
    return result;
}

int main(void)
{
    int first = fill(&origin, 5);
    int second = twice(IPROC);
    if (second > 100) puts("changed");
    printf("PE %d: %d %d\n", IPROC, first, second);
    return 0;
}
