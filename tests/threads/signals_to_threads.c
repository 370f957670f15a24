/* signals_to_threads.c: a signal for one thread is taken by that thread, where it waits. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static sem_t ready;
static pthread_t taken_by;
static volatile sig_atomic_t taken;
static void take(int signal) {
    taken_by = pthread_self();
    taken = signal;
}

static int woken;
static void *sleeps(void *argument) {
    sem_post(&ready);
    struct timespec time = {100, 0}, rest;
    const int result = nanosleep(&time, &rest);
    __atomic_store_n(&woken, 1, __ATOMIC_RELEASE);
    return (void *)(long)(result == -1 && errno == EINTR && rest.tv_sec >= 50 && argument == NULL);
}
static void *blocks(void *argument) {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    sem_post(&ready);
    sem_wait(argument);
    const int before = taken;
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    return (void *)(long)(before == 0 && taken == SIGUSR2);
}
static void *waits_for_one(void *argument) {
    sigset_t set;
    int signal = 0;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR2);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    sem_post(&ready);
    const int error = sigwait(&set, &signal);
    return (void *)(long)(error == 0 && signal == SIGUSR2 && argument == NULL);
}
static void *suspends(void *argument) {
    sigset_t set, old;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    pthread_sigmask(SIG_BLOCK, &set, &old);
    sem_post(&ready);
    const int result = sigsuspend(&old);
    return (void *)(long)(result == -1 && errno == EINTR && argument == NULL);
}

/* A signal without a handler, which all threads block: that one gets it which it is sent to. */
static void *waits_without_handler(void *argument) {
    int signal = 0;
    const int error = sigwait(argument, &signal);
    return (void *)(long)(error == 0 && signal == SIGHUP);
}
static void *asks_what_is_blocked(void *argument) {
    sigset_t set;
    pthread_sigmask(SIG_BLOCK, NULL, &set);
    return (void *)(long)(sigismember(&set, SIGHUP) == 1 && sigismember(&set, SIGTERM) == 0 && argument == NULL);
}

/* Signals for the process, which the first thread blocks: a thread gets them that waits for them, or does not block them. */
static void *waits_with_end(void *argument) {
    siginfo_t info;
    const struct timespec time = {50, 0};
    sem_post(&ready);
    const int signal = sigtimedwait(argument, &info, &time);
    return (void *)(long)(signal == SIGUSR1 && info.si_signo == SIGUSR1 && info.si_code == SI_QUEUE && info.si_value.sival_int == 77);
}
static void *unblocks(void *argument) {
    sigset_t pending;
    sem_wait(&ready);
    sigpending(&pending);
    const int before = taken;
    pthread_sigmask(SIG_UNBLOCK, argument, NULL);
    return (void *)(long)(sigismember(&pending, SIGUSR1) == 1 && before == 0 && taken == SIGUSR1);
}
static void *sleeps_unblocked(void *argument) {
    pthread_sigmask(SIG_UNBLOCK, argument, NULL);
    return sleeps(NULL);
}
static pid_t number_of_thread;
static void *tells_number(void *argument) {
    __atomic_store_n(&number_of_thread, gettid(), __ATOMIC_RELEASE);
    return waits_without_handler(argument);
}
static void for_the_process(void) {
    pthread_t thread, other;
    void *result, *of_other;
    sigset_t set, pending;
    siginfo_t info;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    sigaddset(&set, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &set, NULL);
    for (int k = 0; k < 20; k++) {
        pthread_create(&thread, NULL, waits_without_handler, &set);
        if (k % 2) usleep(300);
        const int sent = kill(getpid(), SIGHUP);
        pthread_join(thread, &result);
        printf("%d %ld%c", sent, (long)result, k % 10 == 9 ? '\n' : ' ');
    }
    pthread_create(&thread, NULL, waits_with_end, &set);
    sem_wait(&ready);
    printf("queued %d", sigqueue(getpid(), SIGUSR1, (union sigval){.sival_int = 77}));
    pthread_join(thread, &result);
    printf(" result %ld\n", (long)result);

    woken = taken = 0;
    pthread_create(&other, NULL, waits_without_handler, &set); /* it gets SIGHUP at last: another thread's SIGUSR1 goes past it or to it */
    printf("to the waiting %d", kill(getpid(), SIGHUP));
    pthread_join(other, &of_other);
    pthread_create(&thread, NULL, sleeps_unblocked, &set);
    sem_wait(&ready);
    do kill(getpid(), SIGUSR1);
    while (usleep(3000), !__atomic_load_n(&woken, __ATOMIC_ACQUIRE));
    pthread_join(thread, &result);
    printf(" %ld, to the sleeping %ld %d there %d\n", (long)of_other, (long)result, taken == SIGUSR1, pthread_equal(taken_by, thread) != 0);
    sigtimedwait(&set, NULL, &(struct timespec){0, 0}); /* one may have been too many */

    taken = 0;
    pthread_create(&thread, NULL, unblocks, &set);
    kill(getpid(), SIGUSR1);
    sigpending(&pending);
    printf("pending %d %d", sigismember(&pending, SIGUSR1), sigismember(&pending, SIGHUP));
    sem_post(&ready);
    pthread_join(thread, &result);
    sigpending(&pending);
    printf(" unblocked elsewhere %ld, pending %d\n", (long)result, sigismember(&pending, SIGUSR1));

    pthread_create(&thread, NULL, tells_number, &set);
    while (!__atomic_load_n(&number_of_thread, __ATOMIC_ACQUIRE)) usleep(300);
    printf("tgkill %d", tgkill(getpid(), number_of_thread, SIGHUP));
    pthread_join(thread, &result);
    /* It has been joined when it is about to end, and under qemu is there for a moment more. */
    while (tgkill(getpid(), number_of_thread, 0) == 0) usleep(300);
    printf(" %ld %s\n", (long)result, strerror(errno));

    kill(getpid(), SIGHUP);
    printf("itself %d %d", sigwaitinfo(&set, &info) == SIGHUP, info.si_code == SI_USER && info.si_pid == getpid());
    const int none = sigtimedwait(&set, &info, &(struct timespec){0, 1000000});
    printf(" none %d %s\n", none, strerror(errno));
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

int main(void) {
    pthread_t thread;
    void *result;
    sem_t go;
    sem_init(&ready, 0, 0);
    sem_init(&go, 0, 0);
    struct sigaction action = {.sa_handler = take};
    sigaction(SIGUSR1, &action, NULL);
    sigaction(SIGUSR2, &action, NULL);

    pthread_create(&thread, NULL, sleeps, NULL);
    sem_wait(&ready);
    usleep(3000);
    printf("kill %d", pthread_kill(thread, SIGUSR1));
    while (usleep(3000), !__atomic_load_n(&woken, __ATOMIC_ACQUIRE)) pthread_kill(thread, SIGUSR1); /* the first may have come before it slept */
    pthread_join(thread, &result);
    printf(" result %ld taken %d there %d\n", (long)result, taken == SIGUSR1, pthread_equal(taken_by, thread) != 0);

    taken = 0;
    pthread_create(&thread, NULL, blocks, &go);
    sem_wait(&ready);
    printf("kill %d", pthread_kill(thread, SIGUSR2));
    usleep(3000);
    printf(" blocked %d", taken == 0);
    sem_post(&go);
    pthread_join(thread, &result);
    printf(" result %ld\n", (long)result);

    /* Whether these find the signal pending or wait for it, none is lost. */
    for (int k = 0; k < 20; k++) {
        taken = 0;
        pthread_create(&thread, NULL, k % 2 ? waits_for_one : suspends, NULL);
        sem_wait(&ready);
        if (k % 4 < 2) usleep(300);
        pthread_kill(thread, k % 2 ? SIGUSR2 : SIGUSR1);
        pthread_join(thread, &result);
        printf("%ld %d%c", (long)result, taken, k % 10 == 9 ? '\n' : ' ');
    }

    sigset_t hangup;
    sigemptyset(&hangup);
    sigaddset(&hangup, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &hangup, NULL);
    for (int k = 0; k < 4; k++) {
        pthread_create(&thread, NULL, waits_without_handler, &hangup);
        if (k % 2) usleep(3000);
        printf("kill %d", pthread_kill(thread, SIGHUP));
        pthread_join(thread, &result);
        printf(" result %ld\n", (long)result);
    }
    pthread_create(&thread, NULL, asks_what_is_blocked, NULL);
    pthread_join(thread, &result);
    sigpending(&hangup);
    printf("blocked as by the creator %ld, pending %d\n", (long)result, sigismember(&hangup, SIGHUP));

    taken = 0;
    printf("itself %d", pthread_kill(pthread_self(), SIGUSR1));
    printf(" %d %d %s\n", taken == SIGUSR1, pthread_kill(pthread_self(), 0), strerror(pthread_kill(pthread_self(), 1000)));
    for_the_process();
    return 0;
}
