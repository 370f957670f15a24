/* Trees of spawns and loops that are drawn from a number, and what they do to reducers that tell in which order it was done: one of the program, and one
 * of each call. */
#include <cilk/cilk.h>
#include <cilk/reducer_opadd.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* x -> a x + b */
typedef struct {
    uint32_t a, b;
} line;
static void same(void *view) { *(line *)view = (line){1, 0}; }
static void then(void *left, void *right) {
    line *first = left, *second = right;
    *first = (line){second->a * first->a, second->a * first->b + second->b};
}
typedef line cilk_reducer(same, then) reducer;

static reducer all = {1, 0};
CILK_C_REDUCER_OPADD(steps, ulong, 0);

static uint32_t mix(uint32_t a, uint32_t b) { return (a ^ (b + 0x9e3779b9u + (a << 6) + (a >> 2))) * 2654435761u; }
static void add(line *to, uint32_t value) {
    to->a *= 31;
    to->b = to->b * 31 + value;
}
static void note(uint32_t value) {
    add(&all, value);
    REDUCER_VIEW(steps) += value % 5;
}

static uint32_t grow(uint32_t seed, int size);
static void grow_into(line cilk_reducer(same, then) * to, uint32_t seed, int size) {
    const uint32_t value = grow(seed, size);
    add(&*to, value);
    if (size > 4) {
        cilk_spawn grow_into(to, mix(seed, 1), size / 3);
        add(&*to, mix(value, 1));
        grow_into(to, mix(seed, 2), size / 4);
    }
}

static uint32_t grow(uint32_t seed, int size) {
    line cilk_reducer(same, then) own = {seed, size};
    note(seed);
    for (int left = size - 1, part = 0; left > 0 && part < 5; ++part) {
        seed = mix(seed, part);
        const int share = 1 + (int)(seed >> 8) % left;
        left -= share;
        switch (seed % 6) {
            case 0: cilk_spawn grow(seed, share); break;
            case 1: note(grow(seed, share)); break;
            case 2:
                cilk_spawn note(seed);
                add(&own, seed);
                break;
            case 3:
                cilk_for (int i = 0; i < 6; ++i) {
                    add(&own, i);
                    if (seed & 64 << i) continue;
                    note(i);
                    cilk_spawn grow(mix(seed, i), share / 7);
                    note(mix(i, seed));
                }
                break;
            case 4: cilk_spawn grow_into(&own, seed, share / 3); break;
            default:
                cilk_sync;
                add(&own, own.a);
        }
        if (seed % 3) note(left);
    }
    cilk_sync;
    note(own.b);
    return own.a ^ own.b;
}

int main(int argc, char **argv) {
    const uint32_t first = argc > 1 ? atoi(argv[1]) : 1, last = argc > 2 ? atoi(argv[2]) : 30;
    const int size = argc > 3 ? atoi(argv[3]) : 200;
    CILK_C_REGISTER_REDUCER(steps);
    for (uint32_t seed = first; seed <= last; ++seed) {
        const uint32_t result = grow(seed, size);
        printf("%u: %08lx %08lx %08lx %lu\n", (unsigned)seed, (unsigned long)result, (unsigned long)all.a, (unsigned long)all.b, steps.value);
    }
    CILK_C_UNREGISTER_REDUCER(steps);
    return 0;
}
