/* master_worker.c: rank 0 gives out tasks of very different length, each to whoever is free; workers ask by sending their last result. How
 * long is the way of a number to 1, if even ones are halved, and odd ones become 3n + 1? A task is a range of numbers.
 *
 *     mogmpicc master_worker.c -o master_worker && mogrun -n 64 ./master_worker 20000
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { RESULT, TASK, END };
enum { CHUNK = 50 }; /* numbers of a task */
struct best {
    int steps, number;
};

static struct best search(int begin, int end)
{
    struct best best = {-1, 0};
    for (int i = begin; i < end; i++) {
        int steps = 0;
        for (unsigned long long n = (unsigned)i; n != 1; n = n % 2 ? 3 * n + 1 : n / 2)
            steps++;
        if (steps > best.steps)
            best = (struct best){steps, i};
    }
    return best;
}

static void keep_better(struct best *best, struct best other)
{
    if (other.steps > best->steps || (other.steps == best->steps && other.number < best->number))
        *best = other;
}

static struct best give_out(int limit, int workers)
{
    struct best best = {-1, 0}, result;
    MPI_Status status;
    for (int next = 1; workers > 0;) {
        MPI_Recv(&result, 1, MPI_2INT, MPI_ANY_SOURCE, RESULT, MPI_COMM_WORLD, &status);
        keep_better(&best, result);
        if (next < limit) {
            MPI_Send(&next, 1, MPI_INT, status.MPI_SOURCE, TASK, MPI_COMM_WORLD);
            next += CHUNK;
        } else {
            MPI_Send(&next, 0, MPI_INT, status.MPI_SOURCE, END, MPI_COMM_WORLD);
            workers--;
        }
    }
    return best;
}

static void work(int limit)
{
    struct best result = {-1, 0}; /* the first one only asks */
    for (;;) {
        int begin;
        MPI_Status status;
        MPI_Send(&result, 1, MPI_2INT, 0, RESULT, MPI_COMM_WORLD);
        MPI_Recv(&begin, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        if (status.MPI_TAG == END)
            return;
        result = search(begin, begin + CHUNK < limit ? begin + CHUNK : limit);
    }
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int limit = argc > 1 ? atoi(argv[1]) : 20000;
    if (rank == 0) {
        const struct best best = size > 1 ? give_out(limit, size - 1) : search(1, limit);
        printf("below %d, %d takes longest: %d steps\n", limit, best.number, best.steps);
    } else {
        work(limit);
    }
    MPI_Finalize();
    return 0;
}
