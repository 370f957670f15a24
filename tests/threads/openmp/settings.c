/* settings.c: what OMP_* variables say (settings.env), as functions tell it and as regions, loops and tasks follow it. */
#include <omp.h>
#include <stdio.h>

static int size_of_team(void) {
    int size = 0;
#pragma omp parallel
#pragma omp single
    size = omp_get_num_threads();
    return size;
}

int main(void) {
    omp_sched_t kind;
    int chunk, sizes[3] = {0}, owners[30], sum = 0, cancelled = 0;
    omp_get_schedule(&kind, &chunk);
    printf("schedule %d %d\n", kind & 7, chunk);
    printf("threads %d dynamic %d nested %d levels %d limit %d\n", omp_get_max_threads(), omp_get_dynamic(), omp_get_nested(), omp_get_max_active_levels(),
           omp_get_thread_limit());
    printf("cancellation %d priority %d device %d\n", omp_get_cancellation(), omp_get_max_task_priority(), omp_get_default_device());
    printf("teams %d limit %d\n", omp_get_max_teams(), omp_get_teams_thread_limit());
    /* OMP_NUM_THREADS has a number for each level. */
#pragma omp parallel
#pragma omp single
    {
        sizes[0] = omp_get_num_threads();
        printf("most in the region %d\n", omp_get_max_threads());
#pragma omp parallel
#pragma omp single
        {
            sizes[1] = omp_get_num_threads();
            sizes[2] = size_of_team();
        }
    }
    printf("teams of %d, %d, %d\n", sizes[0], sizes[1], sizes[2]);
    /* OMP_THREAD_LIMIT */
    int most = 0;
#pragma omp parallel num_threads(50)
#pragma omp single
    most = omp_get_num_threads();
    printf("not more than the limit: %d\n", most <= omp_get_thread_limit() && most >= 1);
    /* OMP_SCHEDULE */
#pragma omp parallel for schedule(runtime) num_threads(3)
    for (int i = 0; i < 30; ++i) owners[i] = omp_get_thread_num();
    printf("owners");
    for (int i = 0; i < 30; ++i) printf(" %d", owners[i]);
    printf("\n");
    /* OMP_CANCELLATION */
#pragma omp parallel num_threads(2) shared(cancelled)
    {
#pragma omp cancel parallel
        cancelled = 1;
    }
    printf("not cancelled %d\n", cancelled);
    /* OMP_MAX_TASK_PRIORITY and OMP_STACKSIZE: tasks with priorities and with much on their stack are all done. */
#pragma omp parallel num_threads(2) shared(sum)
#pragma omp single
    for (int i = 0; i < 30; ++i)
#pragma omp task priority(i) shared(sum) firstprivate(i)
    {
        volatile char room[60000];
        room[59999 - i] = (char)i;
#pragma omp atomic
        sum += room[59999 - i];
    }
    printf("tasks %d\n", sum);
    return 0;
}
