/* Threads of a PE, which share its memory. */
#include <mog.h>
#include <pthread.h>
#include <stdio.h>

static int shares[3];

static void *work(void *argument)
{
    int number = *(int *)argument;
    shares[number] = 10 * number;
    return argument;
}

int main(void)
{
    pthread_t threads[2];
    int numbers[2] = {1, 2};
    for (int i = 0; i < 2; i++) {
        pthread_create(&threads[i], NULL, work, &numbers[i]);
        pthread_join(threads[i], NULL);
    }
    printf("%d\n", shares[1] + shares[2]);
    return 0;
}
