/* Frames and objects larger than a 16-bit offset reaches: big locals, big structures by value, far members, far globals. */
#include <stdio.h>

#include "testing.h"

typedef struct { int first; char middle[40000]; int last; short tail[3]; } Far;
typedef struct { unsigned char bytes[3000]; int sum; } Big;

static Far far_global[3];
static unsigned char before[70000];
static int after = 5;

static Big fill(Big b, int seed) {
    for (int i = 0; i < 3000; i++) b.bytes[i] = (unsigned char)(b.bytes[i] + i * seed);
    b.sum = (int)(hash_bytes(HASH_START, b.bytes, sizeof b.bytes) & 0x7fffffff);
    return b;
}

static int reach(int depth) {
    int low[9000], high[9000];
    for (int i = 0; i < 9000; i += 100) {
        low[i] = i * depth;
        high[i] = -i - depth;
    }
    int below = depth ? reach(depth - 1) : 0;
    return below + low[8900] + high[8900] + low[0] + high[100];
}

int main(void) {
    printf("%d %d\n", reach(0), reach(6));
    Far far;
    far.first = 1;
    far.last = 2;
    far.tail[2] = -3;
    far.middle[39999] = 'x';
    far_global[2] = far;
    far_global[1].last = far_global[2].last + after;
    far_global[0].tail[1] = (short)(far_global[2].tail[2] * 7);
    before[69999] = 200;
    printf("%d %d %d %c %d\n", far_global[1].last, far_global[0].tail[1], far_global[2].first, far_global[2].middle[39999], before[69999] + after);
    Big b = {{1, 2, 3}, 0};
    Big c = fill(b, 3), d = fill(c, 5);
    printf("%d %d %d %d\n", b.sum, c.sum, d.sum, fill(fill(d, 1), 2).sum);
    volatile Far *where = far_global;
    for (int i = 0; i < 3; i++) where[i].last += where[(i + 1) % 3].first + i;
    printf("%d %d %d\n", far_global[0].last, far_global[1].last, far_global[2].last);
    return 0;
}
