/* lost_update.c: two threads raise a counter without a lock, UPDATES times each: an update is lost only where one thread's turn ends between the
 * other's load and store. */
#include <pthread.h>
#include <stdio.h>

enum { UPDATES = 60 };
static volatile int counter;

static void *raise_it(void *argument) {
    (void)argument;
    for (int i = 0; i < UPDATES; ++i) counter = counter + 1;
    return NULL;
}

int main(void) {
    pthread_t threads[2];
    for (int i = 0; i < 2; ++i) pthread_create(&threads[i], NULL, raise_it, NULL);
    for (int i = 0; i < 2; ++i) pthread_join(threads[i], NULL);
    printf("counter %d\n", counter);
    return counter == 2 * UPDATES ? 0 : 1;
}
