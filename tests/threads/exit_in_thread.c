/* exit_in_thread.c: a thread ends the program, with all that is done at its end. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
static void goodbye(void) { puts("at exit"); }
static void *ends_all(void *argument) {
    printf("%s", (char *)argument); /* still in the buffer */
    exit(7);
}
static void *waits_forever(void *argument) {
    pthread_mutex_lock(&held);
    return argument;
}

int main(void) {
    pthread_t thread;
    atexit(goodbye);
    pthread_mutex_lock(&held);
    for (int i = 0; i < 3; ++i) pthread_create(&thread, NULL, waits_forever, NULL);
    pthread_create(&thread, NULL, ends_all, "in a thread\n");
    pthread_join(thread, NULL);
    puts("not reached");
    return 0;
}
