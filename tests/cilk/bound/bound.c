/* How much stack does each worker use? `bound SEED SIZE` grows trees by calls and spawns, with frames of many sizes, and prints a sum of their
 * leaves, and for each worker the bytes between its highest and its lowest frame; and by how much the heap has grown since the first spawn. */
#include <cilk/cilk.h>
#include <cilk/cilk_api.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { MOST = 64 };
static struct {
    uintptr_t highest, lowest;
    char apart[56];
} seen[MOST];

static void look(void *frame) {
    const int worker = __cilkrts_get_worker_number();
    const uintptr_t at = (uintptr_t)frame;
    if (at > seen[worker].highest) seen[worker].highest = at;
    if (!seen[worker].lowest || at < seen[worker].lowest) seen[worker].lowest = at;
}

static uint32_t mix(uint32_t a, uint32_t b) { return (a ^ (b + 0x9e3779b9u + (a << 6) + (a >> 2))) * 2654435761u; }

/* Most of `size` goes to one of the two parts, so the tree is deep. */
static uint32_t grow(uint32_t seed, int size) {
    volatile char frame[8 + seed % 256];
    frame[0] = (char)seed;
    look((void *)frame);
    if (size < 2) return seed;
    const int small = 1 + (seed >> 8) % (1 + size / 16), large = size - 1 - small;
    uint32_t first, second = 0;
    if (seed & 1) {
        first = cilk_spawn grow(mix(seed, 1), large);
        second = grow(mix(seed, 2), small);
    } else if (seed & 2) {
        first = cilk_spawn grow(mix(seed, 1), small);
        second = grow(mix(seed, 2), large);
    } else {
        first = grow(mix(seed, 1), large);
        second = cilk_spawn grow(mix(seed, 2), small);
    }
    cilk_sync;
    return first + second + (unsigned char)frame[0];
}

/* Calls down to where a tree begins: who waits there, and took one of these meanwhile, would need as much once more. */
static uint32_t dig(uint32_t seed, int calls, int size) {
    volatile char frame[8 + seed % 256];
    frame[0] = (char)seed;
    look((void *)frame);
    return (calls ? dig(mix(seed, calls), calls - 1, size) : grow(seed, size)) + (unsigned char)frame[0];
}
static uint32_t all(uint32_t seed, int size) {
    enum { PARTS = 60 };
    uint32_t results[PARTS], sum = 0;
    for (int i = 0; i < PARTS; ++i) results[i] = cilk_spawn dig(mix(seed, i), 50, size / PARTS);
    cilk_sync;
    for (int i = 0; i < PARTS; ++i) sum = mix(sum, results[i]);
    return sum + grow(seed, size / 10);
}

static int empty(void) { return 0; }

int main(int argc, char **argv) {
    (void)argc;
    int zero = cilk_spawn empty();
    cilk_sync;
    char *const heap = sbrk(0);
    printf("%08lx %ld", (unsigned long)all(atoi(argv[1]), atoi(argv[2]) + zero), (long)((char *)sbrk(0) - heap));
    for (int i = 0; i < __cilkrts_get_nworkers(); ++i) printf(" %lu", (unsigned long)(seen[i].highest - seen[i].lowest));
    printf("\n");
    return 0;
}
