/* sample_sort.c: numbers that are spread over all ranks are sorted: samples of all give the borders, each rank gets what lies between two of
 * them, and sorts that. What comes from whom is not known before: MPI_Alltoall tells the counts, MPI_Alltoallv brings the numbers.
 *
 *     mogmpicc sample_sort.c -o sample_sort && mogrun -n 64 ./sample_sort 100000
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int by_value(const void *a, const void *b)
{
    const unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
    return (x > y) - (x < y);
}

/* Number `i` of those to be sorted, whoever asks: a mixed count. */
static unsigned number(unsigned i)
{
    i = (i ^ i >> 16) * 0x7feb352du;
    i = (i ^ i >> 15) * 0x846ca68bu;
    return i ^ i >> 16;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const long long n = argc > 1 ? atoi(argv[1]) : 100000;
    const long long begin = n * rank / size, end = n * (rank + 1) / size;
    const int count = (int)(end - begin);

    unsigned *own = malloc((size_t)(count + 1) * sizeof *own);
    for (int i = 0; i < count; i++)
        own[i] = number((unsigned)(begin + i));
    qsort(own, (size_t)count, sizeof *own, by_value);

    /* A sample of each rank, the middle of what it has; these, sorted, are the borders. */
    unsigned sample = count ? own[count / 2] : 0xffffffffu, *borders = malloc((size_t)size * sizeof *borders);
    sample = (unsigned)((unsigned long long)rank * 0xffffffffu / (unsigned)size) / 2 + sample / 2;
    MPI_Allgather(&sample, 1, MPI_UNSIGNED, borders, 1, MPI_UNSIGNED, MPI_COMM_WORLD);
    qsort(borders, (size_t)size, sizeof *borders, by_value);

    /* Rank r gets what is not less than border r and less than the next; the first and the last get the rest. */
    int *send_counts = calloc((size_t)size * 4, sizeof(int)), *send_places = send_counts + size;
    int *counts = send_places + size, *places = counts + size;
    for (int i = 0, to = 0; i < count; i++) {
        while (to + 1 < size && own[i] >= borders[to + 1])
            to++;
        send_counts[to]++;
    }
    MPI_Alltoall(send_counts, 1, MPI_INT, counts, 1, MPI_INT, MPI_COMM_WORLD);
    for (int i = 1; i < size; i++) {
        send_places[i] = send_places[i - 1] + send_counts[i - 1];
        places[i] = places[i - 1] + counts[i - 1];
    }
    const int got = places[size - 1] + counts[size - 1];
    unsigned *sorted = malloc((size_t)(got + 1) * sizeof *sorted);
    MPI_Alltoallv(own, send_counts, send_places, MPI_UNSIGNED, sorted, counts, places, MPI_UNSIGNED, MPI_COMM_WORLD);
    qsort(sorted, (size_t)got, sizeof *sorted, by_value);

    /* Where my numbers stand in the order of all, and whether the rank before me ends lower. */
    long long mine = got, before = 0, check = 0, all_checks;
    MPI_Exscan(&mine, &before, 1, MPI_LONG_LONG, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        before = 0;
    unsigned last = got ? sorted[got - 1] : 0, lower = 0;
    MPI_Exscan(&last, &lower, 1, MPI_UNSIGNED, MPI_MAX, MPI_COMM_WORLD);
    int ordered = rank == 0 || !got || lower <= sorted[0], all_ordered;
    for (int i = 0; i < got; i++) {
        ordered &= i == 0 || sorted[i - 1] <= sorted[i];
        check = (check + (before + i + 1) % 65521 * (sorted[i] % 65521)) % 65521; /* each number with its place */
    }
    MPI_Reduce(&ordered, &all_ordered, 1, MPI_INT, MPI_LAND, 0, MPI_COMM_WORLD);
    MPI_Reduce(&check, &all_checks, 1, MPI_LONG_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%lld numbers are %s, check %lld\n", n, all_ordered ? "in order" : "not in order", all_checks % 65521);
    free(own);
    free(borders);
    free(send_counts);
    free(sorted);
    MPI_Finalize();
    return 0;
}
