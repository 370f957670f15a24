/* The planets in double precision: same order of operations everywhere, so the same bits. */
#include <math.h>
#include <stdio.h>

#include "testing.h"

typedef struct { double x, y, z, vx, vy, vz, mass; } Body;

#define SOLAR_MASS (4 * 3.141592653589793 * 3.141592653589793)
#define YEAR 365.24

static Body bodies[] = {
    {0, 0, 0, 0, 0, 0, SOLAR_MASS},
    {4.84143144246472090, -1.16032004402742839, -0.103622044471123109, 0.00166007664274403694 * YEAR, 0.00769901118419740425 * YEAR, -0.0000690460016972063023 * YEAR, 0.000954791938424326609 * SOLAR_MASS},
    {8.34336671824457987, 4.12479856412430479, -0.403523417114321381, -0.00276742510726411 * YEAR, 0.00499852801234917238 * YEAR, 0.0000230417297573763929 * YEAR, 0.000285885980666130812 * SOLAR_MASS},
    {12.8943695621391310, -15.1111514016986312, -0.223307578892655734, 0.00296460137564761618 * YEAR, 0.00237847173959480950 * YEAR, -0.0000296589568540237556 * YEAR, 0.0000436624404335156298 * SOLAR_MASS},
    {15.3796971148509165, -25.9193146099879641, 0.179258772950371181, 0.00268067772490389322 * YEAR, 0.00162824170038242295 * YEAR, -0.0000951592254519715870 * YEAR, 0.0000515138902046611451 * SOLAR_MASS},
};
enum { COUNT = sizeof bodies / sizeof *bodies };

static double energy(void) {
    double e = 0;
    for (int i = 0; i < COUNT; i++) {
        Body *b = &bodies[i];
        e += 0.5 * b->mass * (b->vx * b->vx + b->vy * b->vy + b->vz * b->vz);
        for (int j = i + 1; j < COUNT; j++) {
            double dx = b->x - bodies[j].x, dy = b->y - bodies[j].y, dz = b->z - bodies[j].z;
            e -= b->mass * bodies[j].mass / sqrt(dx * dx + dy * dy + dz * dz);
        }
    }
    return e;
}

static void advance(double dt) {
    for (int i = 0; i < COUNT; i++) {
        Body *b = &bodies[i];
        for (int j = i + 1; j < COUNT; j++) {
            Body *c = &bodies[j];
            double dx = b->x - c->x, dy = b->y - c->y, dz = b->z - c->z, square = dx * dx + dy * dy + dz * dz, magnitude = dt / (square * sqrt(square));
            b->vx -= dx * c->mass * magnitude; b->vy -= dy * c->mass * magnitude; b->vz -= dz * c->mass * magnitude;
            c->vx += dx * b->mass * magnitude; c->vy += dy * b->mass * magnitude; c->vz += dz * b->mass * magnitude;
        }
    }
    for (int i = 0; i < COUNT; i++) { Body *b = &bodies[i]; b->x += dt * b->vx; b->y += dt * b->vy; b->z += dt * b->vz; }
}

int main(void) {
    double px = 0, py = 0, pz = 0;
    for (int i = 0; i < COUNT; i++) { px += bodies[i].vx * bodies[i].mass; py += bodies[i].vy * bodies[i].mass; pz += bodies[i].vz * bodies[i].mass; }
    bodies[0].vx = -px / SOLAR_MASS; bodies[0].vy = -py / SOLAR_MASS; bodies[0].vz = -pz / SOLAR_MASS;
    printf("%.17g\n", energy());
    for (int step = 1; step <= 100; step++) {
        advance(0.01);
        if (step % 25 == 0) printf("%.17g %016llx\n", energy(), (unsigned long long)bits_of_double(bodies[1].x));
    }
    return 0;
}
