/* semaphores.c: semaphores, with names and without. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static sem_t items, room, mutex;
static int buffer[5], in, out;
static long sum;

static void *produce(void *argument) {
    for (int i = 1; i <= 1000; ++i) {
        sem_wait(&room);
        sem_wait(&mutex);
        buffer[in++ % 5] = i;
        sem_post(&mutex);
        sem_post(&items);
    }
    return argument;
}
static void *consume(void *argument) {
    for (int i = 1; i <= 1000; ++i) {
        sem_wait(&items);
        sem_wait(&mutex);
        sum += buffer[out++ % 5];
        sem_post(&mutex);
        sem_post(&room);
    }
    return argument;
}
static void *posts_late(void *argument) {
    usleep(10000);
    sem_post(argument);
    return NULL;
}
static int inside;
static atomic_int most;
static void *at_most_three(void *argument) {
    for (int i = 0; i < 20; ++i) {
        sem_wait(argument);
        const int now = __atomic_add_fetch(&inside, 1, __ATOMIC_SEQ_CST);
        for (int before = most; now > before && !atomic_compare_exchange_weak(&most, &before, now);) continue;
        if (i % 5 == 0) usleep(100);
        __atomic_sub_fetch(&inside, 1, __ATOMIC_SEQ_CST);
        sem_post(argument);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[8];
    int value;
    printf("init %d %d %d", sem_init(&items, 0, 0), sem_init(&room, 0, 5), sem_init(&mutex, 0, 1));
    printf(" %d %s\n", sem_init(&(sem_t){0}, 0, 0x80000000u), strerror(errno));
    for (int i = 0; i < 6; ++i) pthread_create(&threads[i], NULL, i % 2 ? produce : consume, NULL);
    for (int i = 0; i < 6; ++i) pthread_join(threads[i], NULL);
    sem_getvalue(&room, &value);
    printf("sum %ld room %d\n", sum, value);

    printf("try %d", sem_trywait(&items));
    printf(" %s", strerror(errno));
    struct timespec soon;
    clock_gettime(CLOCK_REALTIME, &soon);
    soon.tv_nsec += 3000000;
    if (soon.tv_nsec >= 1000000000) soon.tv_nsec -= 1000000000, ++soon.tv_sec;
    printf(" timed %d", sem_timedwait(&items, &soon));
    printf(" %s", strerror(errno));
    pthread_create(&threads[0], NULL, posts_late, &items);
    soon.tv_sec += 60;
    printf(" timed %d\n", sem_timedwait(&items, &soon));
    pthread_join(threads[0], NULL);

    sem_t three;
    sem_init(&three, 0, 3);
    for (int i = 0; i < 8; ++i) pthread_create(&threads[i], NULL, at_most_three, &three);
    for (int i = 0; i < 8; ++i) pthread_join(threads[i], NULL);
    printf("most %d\n", most >= 1 && most <= 3);

    sem_init(&three, 0, 0x7fffffff);
    printf("post %d", sem_post(&three));
    printf(" %s destroy %d\n", strerror(errno), sem_destroy(&three));
    return 0;
}
