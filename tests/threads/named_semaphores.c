/* named_semaphores.c: semaphores with names, for the threads of a process. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <string.h>

static void *opens(void *argument) {
    sem_t *semaphore = sem_open(argument, 0);
    if (semaphore == SEM_FAILED) return NULL;
    sem_wait(semaphore);
    sem_post(semaphore);
    sem_post(semaphore);
    sem_close(semaphore);
    return argument;
}

int main(void) {
    const char *name = "/mog-test-of-threads";
    int value;
    sem_unlink(name);
    printf("none %d", sem_open(name, 0) == SEM_FAILED);
    printf(" %s\n", strerror(errno));
    sem_t *semaphore = sem_open(name, O_CREAT, 0600, 1);
    printf("exclusive %d", sem_open(name, O_CREAT | O_EXCL, 0600, 1) == SEM_FAILED);
    printf(" %s\n", strerror(errno));
    pthread_t thread;
    void *result;
    pthread_create(&thread, NULL, opens, (void *)name);
    pthread_join(thread, &result);
    sem_getvalue(semaphore, &value);
    printf("value %d result %d\n", value, result == name);
    printf("same %d", sem_open(name, 0) == semaphore);
    printf(" close %d %d unlink %d", sem_close(semaphore), sem_close(semaphore), sem_unlink(name));
    printf(" %d", sem_unlink(name));
    printf(" %s\n", strerror(errno));
    return 0;
}
