/* once_keys.c: what is done once, whoever comes first; values of threads, and what becomes of them. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int made;
static void make(void) {
    usleep(5000);
    ++made;
}
static void *needs_it(void *argument) {
    pthread_once(&once, make);
    return (void *)(long)(made == 1 && argument == NULL);
}

static pthread_key_t keys[3];
static int destroyed[3], again;
static void destroy_first(void *value) { __atomic_fetch_add(&destroyed[0], *(int *)value, __ATOMIC_SEQ_CST), free(value); }
static void destroy_second(void *value) {
    /* Sets it anew, some times: it is called again. */
    __atomic_fetch_add(&destroyed[1], 1, __ATOMIC_SEQ_CST);
    if ((long)value < 3) pthread_setspecific(keys[1], (void *)((long)value + 1));
    if (pthread_getspecific(keys[0])) __atomic_fetch_add(&again, 0, __ATOMIC_SEQ_CST);
}
static void *keeps(void *argument) {
    int *number = malloc(sizeof *number);
    *number = (int)(long)argument;
    pthread_setspecific(keys[0], number);
    pthread_setspecific(keys[1], (void *)1L);
    pthread_setspecific(keys[2], argument); /* without a destructor */
    if (pthread_getspecific(keys[0]) != number || pthread_getspecific(keys[2]) != argument) return "values are mixed up";
    if ((long)argument % 2) pthread_exit(NULL);
    return NULL;
}

int main(void) {
    pthread_t threads[10];
    void *result;
    int good = 0;
    for (int i = 0; i < 10; ++i) pthread_create(&threads[i], NULL, needs_it, NULL);
    for (int i = 0; i < 10; ++i) {
        pthread_join(threads[i], &result);
        good += result != NULL;
    }
    printf("once %d made %d\n", good, made);

    pthread_key_create(&keys[0], destroy_first);
    pthread_key_create(&keys[1], destroy_second);
    pthread_key_create(&keys[2], NULL);
    for (long i = 0; i < 10; ++i) pthread_create(&threads[i], NULL, keeps, (void *)i);
    for (int i = 0; i < 10; ++i) {
        pthread_join(threads[i], &result);
        if (result) puts(result);
    }
    printf("destroyed %d %d\n", destroyed[0], destroyed[1]);
    printf("main %d %d\n", pthread_getspecific(keys[0]) == NULL, pthread_setspecific(keys[0], &good));
    printf("delete %d %s", pthread_key_delete(keys[0]), strerror(pthread_setspecific(keys[0], &good)));
    pthread_key_t key;
    pthread_key_create(&key, NULL);
    printf(" new %d", pthread_getspecific(key) == NULL);
    int many = 0;
    pthread_key_t more;
    while (many < 2000 && pthread_key_create(&more, NULL) == 0) ++many;
    printf(" many %d %d\n", many >= 100, many < 2000);
    return 0;
}
