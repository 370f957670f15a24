/* pi_monte_carlo: the part of random points in a square that lie in the circle inside gives pi.
 *
 *     mogrun -n 4096 ./pi_monte_carlo 100000 |
 *         awk '{ inside += $3; points += $5 } END { printf "pi is about %.6f\n", 4 * inside / points }'
 *
 * Every PE throws its own points: the argument says how many. One PE alone prints its estimate.
 */
#include <mog.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* SplitMix64: any start gives a good stream, so the PE's number can be the seed. */
static uint64_t state;
static uint64_t next_random(void) {
    uint64_t x = state += 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
    x = (x ^ x >> 27) * 0x94d049bb133111ebu;
    return x ^ x >> 31;
}

int main(int argc, char **argv) {
    long points = argc > 1 ? atol(argv[1]) : 10000, inside = 0;
    if (points < 1) {
        if (mog_rank() == 0) fprintf(stderr, "usage: pi_monte_carlo [POINTS]\n");
        return 2;
    }
    state = (uint64_t)mog_rank() << 32;
    for (long i = 0; i < points; i++) {
        uint64_t r = next_random();
        float x = (float)(r & 0xffffff) / 16777216.0f, y = (float)(r >> 24 & 0xffffff) / 16777216.0f;
        if (x * x + y * y < 1.0f) inside++;
    }
    if (mog_size() == 1) printf("pi is about %.6f\n", 4.0 * (double)inside / (double)points);
    else printf("PE %d: %ld of %ld\n", mog_rank(), inside, points);
    return 0;
}
