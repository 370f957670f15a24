/* Threads of a rank wait for messages from one that has ended by a fault, or that never come. */
#include <mpi.h>
#include <pthread.h>
#include <string.h>

static void *receive(void *tag)
{
    int value;
    MPI_Recv(&value, 1, MPI_INT, 1, (int)(long)tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return NULL;
}

int main(int argc, char **argv)
{
    int rank, provided;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1 && strcmp(argv[1], "fault") == 0)
        *(volatile int *)(long)provided = 1;
    if (rank == 1 && strcmp(argv[1], "probe") == 0)
        MPI_Probe(0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    pthread_create(&thread, NULL, receive, (void *)5L);
    receive((void *)6L);
    pthread_join(thread, NULL);
    MPI_Finalize();
    return 0;
}
