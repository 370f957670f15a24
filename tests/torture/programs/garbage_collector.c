/* Mark and sweep over cells of a heap of one's own, with cycles. */
#include <stdio.h>

static struct cell { struct cell *car, *cdr; unsigned char marked, used; int value; } heap[200];
static int allocated, collected;
static struct cell *roots[4];
static void mark(struct cell *c) {
    while (c && !c->marked) {
        c->marked = 1;
        mark(c->car);
        c = c->cdr;
    }
}
static struct cell *cons(struct cell *a, struct cell *d, int value) {
    for (int turn = 0; turn < 2; turn++) {
        for (int i = 0; i < 200; i++) if (!heap[i].used) {
            heap[i] = (struct cell){a, d, 0, 1, value};
            allocated++;
            return &heap[i];
        }
        roots[2] = a, roots[3] = d;
        for (int i = 0; i < 4; i++) mark(roots[i]);
        for (int i = 0; i < 200; i++) if (heap[i].marked) heap[i].marked = 0; else heap[i].used = 0, collected++;
    }
    return NULL;
}

int main(void) {
    for (int i = 0; i < 3000; i++) {
        roots[0] = cons(NULL, i % 50 ? roots[0] : NULL, i);
        if (i % 70 == 0) roots[1] = cons(roots[0], roots[1], -i), roots[1]->car->car = roots[1];
        if (i % 350 == 0) roots[1] = NULL;
    }
    int sum = 0;
    for (struct cell *c = roots[0]; c; c = c->cdr) sum += c->value;
    printf("%d %d %d\n", allocated, collected, sum);
    return 0;
}
