/* keys.c: a thread's own values. A thread has room for them once it sets one; the main thread's is there. */
#include <stdlib.h>

#include "thread.h"

static void no_destructor(void *value) { (void)value; }

/* Null: the key is free. */
static void (*destructors[PTHREAD_KEYS_MAX])(void *);
static const void *main_values[PTHREAD_KEYS_MAX];
/* Every thread's, to forget a key's values. */
static const void **threads_values;
__LOCK_INIT(static, keys_lock)

/* A thread's values begin with the next thread's. */
enum { NEXT, FIRST };

int pthread_key_create(pthread_key_t *key, void (*destructor)(void *)) {
    int error = EAGAIN;
    __lock_acquire(keys_lock);
    for (pthread_key_t free = 0; error && free < PTHREAD_KEYS_MAX; ++free)
        if (!destructors[free]) {
            ATOMIC_STORE(&destructors[free], destructor ? destructor : no_destructor);
            *key = free;
            error = 0;
        }
    __lock_release(keys_lock);
    return error;
}

static int exists(pthread_key_t key) { return key < PTHREAD_KEYS_MAX && ATOMIC_LOAD(&destructors[key]); }

/* Whoever creates it anew shall find null. */
int pthread_key_delete(pthread_key_t key) {
    if (!exists(key)) return EINVAL;
    __lock_acquire(keys_lock);
    main_values[key] = NULL;
    for (const void **values = threads_values; values; values = (const void **)values[NEXT]) values[FIRST + key] = NULL;
    ATOMIC_STORE(&destructors[key], NULL);
    __lock_release(keys_lock);
    return 0;
}

static const void **own_values(int makes) {
    struct thread *self = &__mog_self;
    if (self->values) return self->values;
    if (self->id == 1) return self->values = main_values;
    if (!makes) return NULL;
    const void **values = calloc(FIRST + PTHREAD_KEYS_MAX, sizeof *values);
    if (!values) return NULL;
    __lock_acquire(keys_lock);
    values[NEXT] = threads_values;
    threads_values = values;
    __lock_release(keys_lock);
    return self->values = values + FIRST;
}

void *pthread_getspecific(pthread_key_t key) {
    const void **values = key < PTHREAD_KEYS_MAX ? own_values(0) : NULL;
    return values ? (void *)values[key] : NULL;
}

int pthread_setspecific(pthread_key_t key, const void *value) {
    if (!exists(key)) return EINVAL;
    const void **values = own_values(1);
    if (!values) return ENOMEM;
    values[key] = value;
    return 0;
}

void __mog_run_destructors(struct thread *self) {
    const void **values = self->values;
    for (int again = 1, round = 0; values && again && round < PTHREAD_DESTRUCTOR_ITERATIONS; ++round) {
        again = 0;
        for (pthread_key_t key = 0; key < PTHREAD_KEYS_MAX; ++key) {
            void *value = (void *)values[key];
            void (*destructor)(void *) = ATOMIC_LOAD(&destructors[key]);
            if (!value || !destructor) continue;
            values[key] = NULL;
            again = 1;
            destructor(value);
        }
    }
    if (!values || values == main_values) return;
    __lock_acquire(keys_lock);
    const void **link = (const void **)&threads_values;
    while (*link != values - FIRST) link = (const void **)*link + NEXT;
    *link = values[NEXT - FIRST];
    __lock_release(keys_lock);
    self->values = NULL;
    free(values - FIRST);
}
