/* nbody.c: bodies that attract each other. Each rank moves some of them; the places of all go round the ring of ranks, so that nobody needs
 * memory for all bodies. Forces are summed as integers, so that their order makes no difference.
 *
 *     mogmpicc nbody.c -o nbody -lm && mogrun -n 64 ./nbody 128 10
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct place {
    double x, y, z, mass;
};
struct motion {
    double vx, vy, vz;
};
/* Forces in units of 2 to the power of -40. */
struct force {
    long long x, y, z;
};
#define UNIT (1.0 / (1ll << 40))

static void attract(struct force *f, const struct place *own, int count, const struct place *others, int other_count)
{
    for (int i = 0; i < count; i++)
        for (int j = 0; j < other_count; j++) {
            const double dx = others[j].x - own[i].x, dy = others[j].y - own[i].y, dz = others[j].z - own[i].z;
            const double r2 = dx * dx + dy * dy + dz * dz + 0.01; /* bodies are soft: none is ever infinitely near, itself included */
            const double g = others[j].mass / (r2 * sqrt(r2));
            f[i].x += llrint(g * dx / UNIT);
            f[i].y += llrint(g * dy / UNIT);
            f[i].z += llrint(g * dz / UNIT);
        }
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Comm comm;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const int n = argc > 1 ? atoi(argv[1]) : 128, steps = argc > 2 ? atoi(argv[2]) : 5;
    /* Ranks without bodies are left out. */
    MPI_Comm_split(MPI_COMM_WORLD, rank < n ? 0 : MPI_UNDEFINED, rank, &comm);
    if (comm == MPI_COMM_NULL) {
        MPI_Finalize();
        return 0;
    }
    MPI_Comm_size(comm, &size);
    const int next = (rank + 1) % size, before = (rank + size - 1) % size, most = n / size + 1;
    const int first = (int)((long long)rank * n / size), count = (int)((long long)(rank + 1) * n / size) - first;

    struct place *own = malloc((size_t)most * 2 * sizeof *own), *guests = own + most;
    struct motion *motion = calloc((size_t)most, sizeof *motion);
    struct force *force = malloc((size_t)most * sizeof *force);
    for (int i = 0; i < count; i++) {
        const int k = first + i;
        own[i] = (struct place){k * 37 % 101 / 101.0, k * 53 % 103 / 103.0, k * 71 % 107 / 107.0, (1 + k % 3) / (double)n};
    }
    MPI_Datatype place;
    MPI_Type_contiguous(4, MPI_DOUBLE, &place);
    MPI_Type_commit(&place);

    for (int step = 0; step < steps; step++) {
        memset(force, 0, (size_t)most * sizeof *force);
        memcpy(guests, own, (size_t)count * sizeof *own);
        int guest_count = count;
        for (int k = 0; k < size; k++) {
            attract(force, own, count, guests, guest_count);
            const int owner = (rank - k - 1 + size) % size; /* of those that come */
            MPI_Sendrecv_replace(guests, most, place, next, 0, before, 0, comm, MPI_STATUS_IGNORE);
            guest_count = (int)((long long)(owner + 1) * n / size) - (int)((long long)owner * n / size);
        }
        for (int i = 0; i < count; i++) {
            const double dt = 0.01;
            motion[i].vx += force[i].x * UNIT * dt;
            motion[i].vy += force[i].y * UNIT * dt;
            motion[i].vz += force[i].z * UNIT * dt;
            own[i].x += motion[i].vx * dt;
            own[i].y += motion[i].vy * dt;
            own[i].z += motion[i].vz * dt;
        }
    }

    /* What does not change in all: the momentum, nearly nothing; what does: the energy of motion. */
    double parts[4] = {0}, all[4];
    for (int i = 0; i < count; i++) {
        const struct motion *v = motion + i;
        parts[0] += own[i].mass * v->vx;
        parts[1] += own[i].mass * v->vy;
        parts[2] += own[i].mass * v->vz;
        parts[3] += own[i].mass * (v->vx * v->vx + v->vy * v->vy + v->vz * v->vz) / 2;
    }
    MPI_Reduce(parts, all, 4, MPI_DOUBLE, MPI_SUM, 0, comm);
    if (rank == 0)
        printf("%d bodies, %d steps: energy of motion %.9f, momentum %s\n", n, steps, all[3],
               fabs(all[0]) + fabs(all[1]) + fabs(all[2]) < 1e-9 ? "kept" : "lost");
    MPI_Type_free(&place);
    MPI_Comm_free(&comm);
    free(own);
    free(motion);
    free(force);
    MPI_Finalize();
    return 0;
}
