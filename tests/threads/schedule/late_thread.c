/* late_thread.c: a thread sets a pointer that main uses without waiting for it, which goes well as long as the thread is quick. */
#include <pthread.h>
#include <stdio.h>

static int value = 5, *volatile pointer;

static void *set(void *argument) {
    (void)argument;
    pointer = &value;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, set, NULL);
    for (volatile int i = 0; i < 300; ++i) continue;
    printf("%d\n", *pointer);
    pthread_join(thread, NULL);
    return 0;
}
