/* nbody: convergent, floating point. Five bodies in double precision, another start for each PE. */
#include "bench.h"

struct body { double x, y, z, vx, vy, vz, mass; };

FUNCTION unsigned work(unsigned rank)
{
    struct body b[5];
    for (int i = 0; i < 5; i++) {
        b[i].x = i * 3.0 + rank * 0.001, b[i].y = 1.5 - i, b[i].z = 0.25 * i * i;
        b[i].vx = 0.01 * i, b[i].vy = 0.02, b[i].vz = -0.01 * i;
        b[i].mass = 1.0 / (i + 1);
    }
    for (int step = 0; step < 400; step++) {
        for (int i = 0; i < 5; i++) {
            for (int k = i + 1; k < 5; k++) {
                const double dx = b[i].x - b[k].x, dy = b[i].y - b[k].y, dz = b[i].z - b[k].z;
                const double d2 = dx * dx + dy * dy + dz * dz + 0.01;
                const double force = 0.001 / (d2 * sqrt(d2));
                b[i].vx -= dx * b[k].mass * force;
                b[i].vy -= dy * b[k].mass * force;
                b[i].vz -= dz * b[k].mass * force;
                b[k].vx += dx * b[i].mass * force;
                b[k].vy += dy * b[i].mass * force;
                b[k].vz += dz * b[i].mass * force;
            }
        }
        for (int i = 0; i < 5; i++) {
            b[i].x += 0.001 * b[i].vx;
            b[i].y += 0.001 * b[i].vy;
            b[i].z += 0.001 * b[i].vz;
        }
    }
    unsigned hash = 0;
    for (int i = 0; i < 5; i++) {
        unsigned word[2];
        memcpy(word, &b[i].x, sizeof word);
        hash = hash * 31 + word[0] + word[1];
    }
    return hash;
}
