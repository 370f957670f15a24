/* Trees of spawns that are drawn from a number: calls and spawns, syncs here and there, loops in them, arguments of all sizes, results in the order
 * of the program. */
#include <cilk/cilk.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    uint32_t words[11];
} large;

static uint32_t mix(uint32_t a, uint32_t b) { return (a ^ (b + 0x9e3779b9u + (a << 6) + (a >> 2))) * 2654435761u; }
static uint32_t grow(uint32_t seed, int size);

static uint32_t of_large(large one, char letter, int size) {
    uint32_t sum = letter;
    for (int i = 0; i < 11; ++i) sum = mix(sum, one.words[i]);
    return mix(sum, grow(sum, size));
}
static double of_doubles(double a, short b, double c, int size) { return a * b + c + grow((uint32_t)b, size) % 1000; }
static void into(uint32_t *place, uint32_t seed, int size) { *place = grow(seed, size); }

/* Something of that size: each part gets a share of it. */
static uint32_t grow(uint32_t seed, int size) {
    if (size <= 1) return mix(seed, size);
    uint32_t results[8] = {0}, sum = seed;
    double number = 0;
    int left = size - 1, parts = 0;
    while (left > 0 && parts < 8) {
        seed = mix(seed, parts);
        const int share = 1 + (int)(seed >> 8) % left;
        left -= share;
        switch (seed % 7) {
            case 0: results[parts] = grow(seed, share); break;
            case 1: results[parts] = cilk_spawn grow(seed, share); break;
            case 2: cilk_spawn into(results + parts, seed, share); break;
            case 3: {
                large one;
                for (int i = 0; i < 11; ++i) one.words[i] = mix(seed, i);
                results[parts] = cilk_spawn of_large(one, (char)seed & 0x7f, share);
                break;
            }
            case 4:
                cilk_sync;
                number = cilk_spawn of_doubles(seed % 100 * 0.5, (short)(seed % 1000), 0.25, share);
                break;
            case 5: {
                const int each = (share + 3) / 4;
                uint32_t sums[4];
                cilk_for (int i = 0; i < 4; ++i) sums[i] = grow(mix(seed, i), each / 4);
                for (int i = 0; i < 4; ++i) results[parts] = mix(results[parts], sums[i]);
                break;
            }
            default:
                cilk_sync;
                results[parts] = grow(mix(seed, results[parts / 2]), share);
        }
        ++parts;
        if (seed % 11 == 0) return mix(seed, parts); /* syncs, too */
    }
    cilk_sync;
    for (int i = 0; i < parts; ++i) sum = mix(sum, results[i]);
    return mix(sum, (uint32_t)(number * 4));
}

int main(int argc, char **argv) {
    const uint32_t first = argc > 1 ? atoi(argv[1]) : 1, last = argc > 2 ? atoi(argv[2]) : 40;
    const int size = argc > 3 ? atoi(argv[3]) : 300;
    for (uint32_t seed = first; seed <= last; ++seed) printf("%u: %08lx\n", (unsigned)seed, (unsigned long)grow(seed, size));
    return 0;
}
