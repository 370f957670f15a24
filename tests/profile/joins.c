/* joins.c: the first thread waits for another one, which computes; then it sleeps. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

__attribute__((noipa)) static unsigned compute(unsigned n)
{
    unsigned x = n;
    for (unsigned i = 0; i < n; i++)
        x = x * 1664525u + 1013904223u;
    return x;
}

__attribute__((noipa)) static void wait_for_thread(pthread_t thread) { pthread_join(thread, NULL); }

static void *other(void *n)
{
    compute((unsigned)atoi(n));
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    pthread_create(&thread, NULL, other, argv[argc - 1]);
    wait_for_thread(thread);
    usleep(300000); /* a wait in a system call */
    return 0;
}
