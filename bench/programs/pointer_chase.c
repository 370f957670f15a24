/* pointer_chase: memory-bound. 4096 nodes linked in one random cycle (Sattolo's algorithm), walked ten times around; each
 * PE has another cycle. 32 KiB per PE. */
#include "bench.h"

enum { nodes = 4096, steps = 10 * nodes };

struct node { struct node *next; unsigned value; };

FUNCTION unsigned work(unsigned rank)
{
    PRIVATE struct node ring[nodes];
    unsigned x = rank + 1, sum = 0;
    for (unsigned i = 0; i < nodes; i++) {
        ring[i].next = &ring[i];
        ring[i].value = i * 40503u;
    }
    for (unsigned i = nodes - 1; i > 0; i--) {
        const unsigned k = (next_random(&x) >> 4) % i;
        struct node *const other = ring[i].next;
        ring[i].next = ring[k].next;
        ring[k].next = other;
    }
    const struct node *at = ring;
    for (int i = 0; i < steps; i++) {
        sum = sum * 3 + at->value;
        at = at->next;
    }
    return sum;
}
