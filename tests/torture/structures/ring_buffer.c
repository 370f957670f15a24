/* A ring buffer by index masks, of structures. */
#include <stdio.h>

struct event { unsigned time : 20, kind : 4; signed char value; };
static struct { struct event items[16]; unsigned head, tail; } ring;

int main(void) {
    unsigned sum = 0, dropped = 0;
    for (unsigned t = 0; t < 200; t++) {
        if (ring.head - ring.tail < 16) ring.items[ring.head++ & 15] = (struct event){t * 1000, t, t * 5};
        else dropped++;
        if (t % 3) {
            struct event e = ring.items[ring.tail++ & 15];
            sum = sum * 31 + e.time + e.kind * 7 + e.value;
        }
        if (t % 10 == 0 && ring.head - ring.tail < 14) ring.items[ring.head++ & 15] = ring.items[ring.tail & 15], ring.head++;
    }
    printf("%u %u %u\n", sum, dropped, ring.head - ring.tail);
    return 0;
}
