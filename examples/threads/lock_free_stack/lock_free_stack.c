/* lock_free_stack: a stack that threads put nodes on and take nodes from without a lock, by compare-and-swap (Treiber's).
 *
 *     mogcc -O2 -pthread lock_free_stack.c -o lock_free_stack
 *     ./lock_free_stack                             8 threads, 2000 rounds each
 *     mogrun --threads 256 ./lock_free_stack 256 10000
 *
 * Nobody waits for anybody: if a compare-and-swap fails, another's has succeeded. What it compares is not only which node is on top, but also how
 * many changes there have been: between the look and the swap the node may have been taken and put back with another one below it, and the top would
 * look the same ("ABA"). Nodes have numbers, not addresses, so that both fit into a word.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { NODES = 1024, NODE_BITS = 11, MOST_THREADS = 1000 };
_Static_assert(NODES < 1 << NODE_BITS, "a node's number, and none, fit");

static struct {
    _Atomic uint32_t below; /* the number of the node below, 0: none */
    uint32_t value, users;
} nodes[NODES + 1];

/* The number of the top node, and above it the count of changes. */
typedef _Atomic uint32_t stack;
#define NODE(top) ((top) & ((1u << NODE_BITS) - 1))
#define CHANGED(top, node) ((((top) >> NODE_BITS) + 1) << NODE_BITS | (node))

static void push(stack *to, uint32_t node) {
    uint32_t top = atomic_load_explicit(to, memory_order_relaxed);
    do atomic_store_explicit(&nodes[node].below, NODE(top), memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(to, &top, CHANGED(top, node), memory_order_release, memory_order_relaxed));
}
/* 0: it is empty. */
static uint32_t pop(stack *from) {
    uint32_t top = atomic_load_explicit(from, memory_order_acquire), below;
    do {
        if (!NODE(top)) return 0;
        below = atomic_load_explicit(&nodes[NODE(top)].below, memory_order_relaxed); /* may be another's by now: then the swap fails */
    } while (!atomic_compare_exchange_weak_explicit(from, &top, CHANGED(top, below), memory_order_acquire, memory_order_acquire));
    return NODE(top);
}

static stack unused, used;
static int rounds;
static _Atomic int errors;

static void *work(void *argument) {
    uint32_t random = 2654435761u * ((uint32_t)(uintptr_t)argument + 1), taken = 0, put = 0;
    for (int i = 0; i < rounds; ++i) {
        random ^= random << 13, random ^= random >> 17, random ^= random << 5;
        stack *from = random & 64 ? &used : &unused, *to = random & 128 ? &used : &unused;
        const uint32_t node = pop(from);
        if (!node) continue;
        /* It is this thread's alone. */
        if (nodes[node].users++ != 0) ++errors;
        if (from == &used) taken += nodes[node].value;
        nodes[node].value = random;
        if (to == &used) put += random;
        nodes[node].users--;
        push(to, node);
    }
    return (void *)(uintptr_t)(put - taken);
}

int main(int argc, char **argv) {
    const int threads = argc > 1 ? atoi(argv[1]) : 8;
    rounds = argc > 2 ? atoi(argv[2]) : 2000;
    if (argc > 3 || threads < 1 || threads > MOST_THREADS || rounds < 0) {
        fprintf(stderr, "usage: lock_free_stack [THREADS [ROUNDS]], with up to %d threads\n", MOST_THREADS);
        return 2;
    }
    static pthread_t workers[MOST_THREADS];
    for (uint32_t node = 1; node <= NODES; ++node) push(&unused, node);
    for (int i = 0; i < threads; ++i)
        if (pthread_create(&workers[i], NULL, work, (void *)(uintptr_t)i)) return fprintf(stderr, "lock_free_stack: no more than %d threads\n", i), 1;
    uint32_t expected = 0, sum = 0;
    for (int i = 0; i < threads; ++i) {
        void *result;
        pthread_join(workers[i], &result);
        expected += (uint32_t)(uintptr_t)result;
    }
    /* Each node is on one of the stacks, once; and what lies on the one is what was put there and not taken. */
    static char seen[NODES + 1];
    int found = 0;
    for (uint32_t node; (node = pop(&used)); found += !seen[node]++) sum += nodes[node].value;
    for (uint32_t node; (node = pop(&unused));) found += !seen[node]++;
    printf("%d threads, %d rounds: %d of %d nodes, the sum is %s, %d nodes had two owners\n", threads, rounds, found, NODES, sum == expected ? "right" : "WRONG", errors);
    return found != NODES || sum != expected || errors;
}
