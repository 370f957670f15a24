/* Bodies that attract each other: forces by a loop over all of them, energy by a reducer. */
#include <cilk/cilk.h>
#include <cilk/reducer_opadd.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 512 };
typedef struct {
    double x, y, z;
} vector;
static vector places[MOST], speeds[MOST], forces[MOST];
static int count;

static vector force_on(int i) {
    vector sum = {0, 0, 0};
    for (int k = 0; k < count; ++k) {
        const vector d = {places[k].x - places[i].x, places[k].y - places[i].y, places[k].z - places[i].z};
        const double square = d.x * d.x + d.y * d.y + d.z * d.z + 0.01, factor = 1 / (square * sqrt(square));
        sum.x += d.x * factor, sum.y += d.y * factor, sum.z += d.z * factor;
    }
    return sum;
}

int main(int argc, char **argv) {
    count = argc > 1 ? atoi(argv[1]) : 40;
    const int steps = argc > 2 ? atoi(argv[2]) : 5;
    for (int i = 0; i < count; ++i) places[i] = (vector){i % 7, i % 11 * 0.5, i % 13 * 0.25 + i * 0.01};
    for (int step = 0; step < steps; ++step) {
        cilk_for (int i = 0; i < count; ++i) forces[i] = cilk_spawn force_on(i);
        cilk_for (int i = 0; i < count; ++i) {
            vector *const speed = &speeds[i], *const place = &places[i];
            speed->x += forces[i].x * 0.01, speed->y += forces[i].y * 0.01, speed->z += forces[i].z * 0.01;
            place->x += speed->x * 0.01, place->y += speed->y * 0.01, place->z += speed->z * 0.01;
        }
    }
    /* In units that sum up the same in any order. */
    CILK_C_REDUCER_OPADD(energy, longlong, 0);
    CILK_C_REGISTER_REDUCER(energy);
    cilk_for (int i = 0; i < count; ++i) {
        const double square = speeds[i].x * speeds[i].x + speeds[i].y * speeds[i].y + speeds[i].z * speeds[i].z;
        REDUCER_VIEW(energy) += (long long)(square * 1e12);
    }
    CILK_C_UNREGISTER_REDUCER(energy);
    printf("%d bodies, %d steps: %.12f %.12f, %lld\n", count, steps, places[0].x, places[count - 1].z, energy.value);
    return 0;
}
