/* Threads, or with -DWINDOW PEs that all share memory, who look at what others write there without asking: what they see depends on how
 * they take turns, and on random numbers. */
#include <mog.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>

#ifdef WINDOW
MOG_SHARED volatile unsigned word;
#else
static volatile unsigned word;
#endif
/* Of look(), at least, and others by chance. */
#ifndef ROUNDS
#define ROUNDS 2000
#endif

static unsigned in_all;
static int *nowhere;
static int faults;
static unsigned looked[8]; /* by thread, or round: rounds of look() */

__attribute__((noinline)) void tell(int number, unsigned hash)
{
    in_all = in_all * 31 + hash;
    if (faults && number == 2) *nowhere = number;
}

static unsigned look(int number)
{
    unsigned noise, hash = 5381;
    getrandom(&noise, sizeof noise, 0);
    const unsigned rounds = ROUNDS + noise % (ROUNDS * 3 / 2);
    for (unsigned i = 0; i < rounds; i++) {
        hash = hash * 33 + word;
        word = word * 5 + noise; /* a round */
    }
    looked[number] = rounds;
    return hash;
}

#ifdef WINDOW
int main(void)
{
    for (int round = 0; round < 3; round++) tell(round, look(round));
    printf("PE %d: %x\n", IPROC, in_all);
    return IPROC == 2 ? 3 : 0;
}
#else
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *number)
{
    const unsigned hash = look((int)(size_t)number);
    pthread_mutex_lock(&lock);
    tell((int)(size_t)number, hash);
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t threads[4];
    faults = argc > 1 && IPROC == 1;
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < 4; i++) pthread_create(&threads[i], NULL, work, (void *)(4 * round + i));
        for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    }
    unsigned rounds = 0;
    for (int i = 0; i < 8; i++) rounds += looked[i];
    printf("PE %d: %x after %u rounds\n", IPROC, in_all, rounds);
    return IPROC == 2 ? 3 : 0;
}
#endif
