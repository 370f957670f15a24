/* What comes from outside: time, random numbers, files, input, messages in the order of their coming, faults and signals. */
#include <fcntl.h>
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

static unsigned long hash = 5381;

static void mix(const void *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) hash = hash * 33 + ((const unsigned char *)bytes)[i];
}

static void look_at_the_world(void)
{
    struct timespec now;
    unsigned char noise[16];
    clock_gettime(CLOCK_REALTIME, &now);
    mix(&now, sizeof now);
    getrandom(noise, sizeof noise, 0);
    mix(noise, sizeof noise);
    pid_t self = getpid();
    mix(&self, sizeof self);
    char line[200];
    FILE *file = fopen("input.txt", "r");
    if (!file) exit(9);
    while (fgets(line, sizeof line, file)) mix(line, strlen(line));
    fclose(file);
}

static void tell(int rank, int size, double sum)
{
    printf("PE %d of %d: %lx, %.17g\n", rank, size, hash, sum);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    int rank, size, from[64];
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    look_at_the_world();
    double sum = 0;
    for (int round = 0; round < 20; round++) {
        if (rank == 0) {
            for (int i = 1; i < size; i++) {
                double value[4];
                MPI_Status status;
                MPI_Recv(value, 4, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
                from[i] = status.MPI_SOURCE;
                sum = sum * 1.25 + value[status.MPI_SOURCE % 4];
            }
            mix(from + 1, (size - 1) * sizeof from[0]);
        } else {
            double value[4] = {rank, rank / 3.0, round, hash % 1000};
            MPI_Send(value, 4, MPI_DOUBLE, 0, round, MPI_COMM_WORLD);
        }
        MPI_Bcast(&sum, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    }
    MPI_Win window;
    int *slots;
    MPI_Win_allocate(size * sizeof *slots, sizeof *slots, MPI_INFO_NULL, MPI_COMM_WORLD, &slots, &window);
    memset(slots, 0, size * sizeof *slots);
    MPI_Win_fence(0, window);
    for (int to = 0; to < size; to++) MPI_Put(&rank, 1, MPI_INT, to, rank, 1, MPI_INT, window);
    MPI_Win_fence(0, window);
    mix(slots, size * sizeof *slots);
    MPI_Win_free(&window);
    tell(rank, size, sum);
    char first[] = "in ", second[64];
    int length = snprintf(second, sizeof second, "two parts by %d\n", rank);
    struct iovec parts[] = {{first, 3}, {second, length}};
    writev(STDERR_FILENO, parts, 2);
    const int spins = argc > 1 && strcmp(argv[1], "spins") == 0, faults = argc > 1 && strcmp(argv[1], "faults") == 0;
    for (volatile int i = 0; spins && rank == 1;) i++;
    MPI_Finalize();
    if (faults && rank == 1) abort();
    if (faults && rank == 2) *(volatile int *)4 = 1;
    return rank == 3 ? 3 : 0;
}
