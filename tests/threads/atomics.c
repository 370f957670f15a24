/* atomics.c: atomic objects of all sizes, under contention; what C11's orders forbid; neighbours of bytes. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

/* GNU's libatomic has no functions of this kind for 8 bytes; MOG's library has. */
#ifndef __mog__
#define __sync_lock_test_and_set(place, value) __atomic_exchange_n((place), (value), __ATOMIC_ACQUIRE)
#define __sync_add_and_fetch(place, value) __atomic_add_fetch((place), (value), __ATOMIC_SEQ_CST)
#define __sync_bool_compare_and_swap(place, old, new)                                                   \
    ({                                                                                                  \
        __typeof__(*(place)) expected_ = (old);                                                         \
        __atomic_compare_exchange_n((place), &expected_, (new), 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
    })
#define __sync_val_compare_and_swap(place, old, new)                                                    \
    ({                                                                                                  \
        __typeof__(*(place)) expected_ = (old);                                                         \
        __atomic_compare_exchange_n((place), &expected_, (new), 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
        expected_;                                                                                      \
    })
#endif

enum { THREADS = 6, ROUNDS = 3000, LITMUS = 3000 };

static _Atomic uint8_t bytes[4];
static _Atomic uint16_t halves[2];
static _Atomic uint32_t word;
static _Atomic uint64_t wide;
static _Atomic(struct triple { int a, b, c; }) triple;
static atomic_flag flag = ATOMIC_FLAG_INIT;
static long guarded, old_style;
static uint64_t old_wide;
static volatile uint8_t neighbours[8];
static uint16_t half_neighbours[2];
static pthread_barrier_t barrier;

static void *counts(void *argument) {
    const int mine = (int)(long)argument;
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < ROUNDS; ++i) {
        ++bytes[mine % 4];
        atomic_fetch_add(&halves[mine % 2], 3);
        word += 0x10001;
        wide += 0x100000001;
        struct triple old = triple, new;
        do new = (struct triple){old.a + 1, old.b + 2, old.c + 3};
        while (!atomic_compare_exchange_weak(&triple, &old, new));
        while (atomic_flag_test_and_set_explicit(&flag, memory_order_acquire)) {
        }
        ++guarded;
        atomic_flag_clear_explicit(&flag, memory_order_release);
        __sync_fetch_and_add(&old_style, 2);
        __sync_add_and_fetch(&old_wide, 5);
        if (mine < 8) neighbours[mine] = (uint8_t)(i + mine);
        if (mine < 2) half_neighbours[mine] = (uint16_t)(i * 3 + mine);
        if (neighbours[mine] != (uint8_t)(i + mine)) return "a neighbour's byte was written";
    }
    return NULL;
}

/* Store buffering, message passing, load buffering, coherence: four words and who runs against whom. */
static atomic_int x, y;
static int r1, r2;
static int forbidden[3];
static void *first(void *argument) {
    for (int i = 0; i < LITMUS; ++i) {
        pthread_barrier_wait(&barrier);
        atomic_store(&x, 1);
        r1 = atomic_load(&y);
        pthread_barrier_wait(&barrier);
        pthread_barrier_wait(&barrier);
        atomic_store_explicit(&x, 1, memory_order_relaxed);
        atomic_store_explicit(&y, 1, memory_order_release);
        pthread_barrier_wait(&barrier);
        pthread_barrier_wait(&barrier);
        r1 = atomic_load_explicit(&x, memory_order_acquire);
        atomic_store_explicit(&y, 1, memory_order_release);
        pthread_barrier_wait(&barrier);
    }
    return argument;
}
static void *second(void *argument) {
    for (int i = 0; i < LITMUS; ++i) {
        x = y = 0;
        pthread_barrier_wait(&barrier);
        atomic_store(&y, 1);
        r2 = atomic_load(&x);
        pthread_barrier_wait(&barrier);
        forbidden[0] += r1 == 0 && r2 == 0;
        x = y = 0;
        pthread_barrier_wait(&barrier);
        r1 = atomic_load_explicit(&y, memory_order_acquire);
        r2 = atomic_load_explicit(&x, memory_order_relaxed);
        forbidden[1] += r1 == 1 && r2 == 0;
        pthread_barrier_wait(&barrier);
        x = y = 0;
        pthread_barrier_wait(&barrier);
        r2 = atomic_load_explicit(&y, memory_order_acquire);
        atomic_store_explicit(&x, 1, memory_order_release);
        pthread_barrier_wait(&barrier);
        forbidden[2] += r1 == 1 && r2 == 1;
    }
    return argument;
}

#define ALL(type, name)                                                                                                  \
    static void name(void) {                                                                                             \
        _Atomic type object = 100;                                                                                       \
        type expected = 7;                                                                                               \
        printf(#type " %llu", (unsigned long long)atomic_fetch_add(&object, 5));                                         \
        printf(" %llu", (unsigned long long)atomic_fetch_sub(&object, 3));                                               \
        printf(" %llu", (unsigned long long)atomic_fetch_and(&object, 0x3c));                                            \
        printf(" %llu", (unsigned long long)atomic_fetch_or(&object, 0x41));                                             \
        printf(" %llu", (unsigned long long)atomic_fetch_xor(&object, 0xff));                                            \
        printf(" %llu", (unsigned long long)atomic_exchange(&object, (type)-2));                                         \
        printf(" %d", atomic_compare_exchange_strong(&object, &expected, 9));                                            \
        printf(" %llu", (unsigned long long)expected);                                                                   \
        printf(" %d", atomic_compare_exchange_strong(&object, &expected, 9));                                            \
        type plain = 9;                                                                                                  \
        printf(" %llu", (unsigned long long)__atomic_nand_fetch(&plain, 12, __ATOMIC_SEQ_CST));                          \
        printf(" %llu", (unsigned long long)__sync_lock_test_and_set(&plain, 1));                                        \
        printf(" %d %d", __sync_bool_compare_and_swap(&plain, 1, 44), __sync_val_compare_and_swap(&plain, 1, 45) == 44); \
        printf(" %llu\n", (unsigned long long)object);                                                                   \
    }
ALL(uint8_t, of_8)
ALL(uint16_t, of_16)
ALL(uint32_t, of_32)
ALL(uint64_t, of_64)

int main(void) {
    pthread_t threads[THREADS];
    void *result;
    of_8();
    of_16();
    of_32();
    of_64();
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (long i = 0; i < THREADS; ++i) pthread_create(&threads[i], NULL, counts, (void *)i);
    for (int i = 0; i < THREADS; ++i) {
        pthread_join(threads[i], &result);
        if (result) puts(result);
    }
    printf("%d %d %d %d | %d %d | %#x | %#llx\n", bytes[0], bytes[1], bytes[2], bytes[3], halves[0], halves[1], word,
           (unsigned long long)wide);
    const struct triple end = triple;
    printf("triple %d %d %d guarded %ld old %ld %llu halves %d %d\n", end.a, end.b, end.c, guarded, old_style, (unsigned long long)old_wide,
           half_neighbours[0], half_neighbours[1]);
    pthread_barrier_destroy(&barrier);
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&threads[0], NULL, first, NULL);
    pthread_create(&threads[1], NULL, second, NULL);
    pthread_join(threads[0], NULL);
    pthread_join(threads[1], NULL);
    printf("forbidden %d %d %d\n", forbidden[0], forbidden[1], forbidden[2]);
    return 0;
}
