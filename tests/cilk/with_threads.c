/* Threads of the program's own that spawn, and what programs can ask of the runtime. */
#include <cilk/cilk.h>
#include <cilk/cilk_api.h>
#include <pthread.h>
#include <stdio.h>

static int fib(int n) {
    if (n < 2) return n;
    int x = cilk_spawn fib(n - 1);
    int y = fib(n - 2);
    cilk_sync;
    return x + y;
}

static void *thread(void *result) {
    int *const number = result;
    *number = cilk_spawn fib(*number);
    cilk_sync;
    return NULL;
}

static int is_worker(void) { return __cilkrts_get_worker_number() >= 0 && __cilkrts_get_worker_number() < __cilkrts_get_total_workers(); }

int main(void) {
    printf("%d %d %d\n", __cilkrts_set_param("nworkers", NULL), __cilkrts_get_nworkers() > 0, __cilkrts_get_worker_number());
    for (int round = 0; round < 3; ++round) {
        pthread_t threads[4];
        int results[4], wrong = 0;
        for (int i = 0; i < 4; ++i) {
            results[i] = 10 + i;
            if (pthread_create(&threads[i], NULL, thread, &results[i])) return 1;
        }
        int own = fib(14);
        for (int i = 0; i < 4; ++i) pthread_join(threads[i], NULL);
        printf("%d: %d %d %d %d\n", own, results[0], results[1], results[2], results[3]);
        cilk_for (int i = 0; i < 100; ++i)
            if (!is_worker()) wrong = 1;
        printf("%d %d\n", wrong, __cilkrts_get_worker_number());
        if (round == 1) __cilkrts_end_cilk();
    }
    return 0;
}
