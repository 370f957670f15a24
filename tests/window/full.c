/* full.c: PEs that take all of the window, reach behind it, or wait for each other for ever; the first argument says which. */
#include <errno.h>
#include <mog.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

MOG_SHARED char some[5000];
MOG_SHARED pthread_mutex_t mutex;

static void *pieces[100];
int main(int argc, char **argv)
{
    if (argc < 2) return printf("%d\n", some[0]), 0;
    switch (argv[1][0]) {
        case 'f': { /* full: what is given back can be had again */
            int count = 0;
            while (count < 100 && (pieces[count] = mog_shared_alloc(10000))) count++;
            printf("%d, errno %d\n", count, errno == ENOMEM);
            for (int i = 0; i < count; i++) mog_shared_free(pieces[i ^ 1] ? pieces[i ^ 1] : pieces[i]), pieces[i ^ 1] = NULL;
            return 0;
        }
        case 'b': /* behind */
            some[0] = 1;
            return ((volatile char *)some)[65 << 20];
        case 'm': /* misaligned */
            __asm__ volatile("lw %0, 2(%1)" : "=r"(argc) : "r"(&mutex));
            return argc;
        case 'd': /* a deadlock */
            if (IPROC == 0) pthread_mutex_lock(&mutex);
            if (IPROC == 0) return 0; /* and keeps it */
            while (!mutex.__word) sched_yield();
            pthread_mutex_lock(&mutex);
            return 1;
    }
    return 2;
}
