/* litmus.c [ROUNDS]: what the memory model of C11 forbids does not happen, in as many rounds of each test. Threads go through an array of
 * places side by side, and wait a while at each, so that they meet at many of them. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 4, PLACES = 1024, FIRST_PATIENCE = 40000, PATIENCE = 4000 };

static struct place {
    atomic_uint x;
    unsigned apart[15]; /* another line of a cache */
    atomic_uint y;
    _Atomic uint8_t bytes[4];
    _Atomic uint16_t halves[2];
    unsigned further[13];
} places[PLACES];
static unsigned seen[PLACES][4]; /* by thread, or by test */
static atomic_uint counter;
static _Atomic uint8_t byte_counter[4];
static _Atomic uint64_t wide_counter;
static pthread_barrier_t barrier;
static unsigned rounds = PLACES;

#define LOAD(place, order) atomic_load_explicit(place, memory_order_##order)
#define STORE(place, value, order) atomic_store_explicit(place, value, memory_order_##order)

/* Each test: what the threads do at a place, and whether what was seen is forbidden. */
typedef void threads_part(struct place *p, unsigned *r, int thread);
typedef int is_forbidden(struct place *p, const unsigned *r);

static void store_buffering(struct place *p, unsigned *r, int thread) {
    STORE(thread ? &p->y : &p->x, 1, seq_cst);
    r[thread] = LOAD(thread ? &p->x : &p->y, seq_cst);
}
static void store_buffering_fences(struct place *p, unsigned *r, int thread) {
    STORE(thread ? &p->y : &p->x, 1, relaxed);
    atomic_thread_fence(memory_order_seq_cst);
    r[thread] = LOAD(thread ? &p->x : &p->y, relaxed);
}
static void store_buffering_exchange(struct place *p, unsigned *r, int thread) {
    atomic_exchange(thread ? &p->y : &p->x, 1);
    r[thread] = LOAD(thread ? &p->x : &p->y, seq_cst);
}
static void store_buffering_add(struct place *p, unsigned *r, int thread) {
    atomic_fetch_add(thread ? &p->y : &p->x, 1);
    r[thread] = LOAD(thread ? &p->x : &p->y, seq_cst);
}
static void store_buffering_bytes(struct place *p, unsigned *r, int thread) {
    atomic_fetch_or(&p->bytes[thread], 1);
    r[thread] = LOAD(&p->bytes[!thread], seq_cst);
}
/* The fence for loads alone that MIPS has, which is none for a store before it: */
#define SYNC_ACQUIRE() __asm__ volatile(".set push\n\t.set mips32r2\n\tsync 0x11\n\t.set pop" ::: "memory")
static void store_buffering_both_fences(struct place *p, unsigned *r, int thread) {
    STORE(thread ? &p->y : &p->x, 1, relaxed);
    SYNC_ACQUIRE();
    atomic_thread_fence(memory_order_seq_cst);
    r[thread] = LOAD(thread ? &p->x : &p->y, relaxed);
}
static int both_zero(struct place *p, const unsigned *r) { return (void)p, r[0] == 0 && r[1] == 0; }

static void message(struct place *p, unsigned *r, int thread) {
    if (thread == 0) {
        STORE(&p->x, 1, relaxed);
        STORE(&p->y, 1, release);
    } else {
        r[0] = LOAD(&p->y, acquire);
        r[1] = LOAD(&p->x, relaxed);
    }
}
static void message_fences(struct place *p, unsigned *r, int thread) {
    if (thread == 0) {
        STORE(&p->x, 1, relaxed);
        atomic_thread_fence(memory_order_release);
        STORE(&p->y, 1, relaxed);
    } else {
        r[0] = LOAD(&p->y, relaxed);
        atomic_thread_fence(memory_order_acquire);
        r[1] = LOAD(&p->x, relaxed);
    }
}
static void message_sync_acquire(struct place *p, unsigned *r, int thread) {
    if (thread == 0) {
        STORE(&p->x, 1, relaxed);
        STORE(&p->y, 1, release);
    } else {
        r[0] = LOAD(&p->y, relaxed);
        SYNC_ACQUIRE();
        r[1] = LOAD(&p->x, relaxed);
    }
}
static void message_add(struct place *p, unsigned *r, int thread) {
    if (thread == 0) {
        STORE(&p->x, 1, relaxed);
        atomic_fetch_add_explicit(&p->y, 1, memory_order_release);
    } else {
        r[0] = atomic_fetch_add_explicit(&p->y, 0, memory_order_acquire);
        r[1] = LOAD(&p->x, relaxed);
    }
}
static int flag_without_data(struct place *p, const unsigned *r) { return (void)p, r[0] == 1 && r[1] == 0; }

static void load_buffering(struct place *p, unsigned *r, int thread) {
    r[thread] = LOAD(thread ? &p->y : &p->x, acquire);
    STORE(thread ? &p->x : &p->y, 1, release);
}
static int both_one(struct place *p, const unsigned *r) { return (void)p, r[0] == 1 && r[1] == 1; }

static void two_plus_two(struct place *p, unsigned *r, int thread) {
    (void)r;
    STORE(thread ? &p->y : &p->x, 1, seq_cst);
    STORE(thread ? &p->x : &p->y, 2, seq_cst);
}
static int first_ones_last(struct place *p, const unsigned *r) { return (void)r, p->x == 1 && p->y == 1; }

static void independent_reads(struct place *p, unsigned *r, int thread) {
    switch (thread) {
        case 0: STORE(&p->x, 1, seq_cst); break;
        case 1: STORE(&p->y, 1, seq_cst); break;
        case 2: r[0] = LOAD(&p->x, seq_cst), r[1] = LOAD(&p->y, seq_cst); break;
        case 3: r[2] = LOAD(&p->y, seq_cst), r[3] = LOAD(&p->x, seq_cst); break;
    }
}
static int two_orders(struct place *p, const unsigned *r) { return (void)p, r[0] == 1 && r[1] == 0 && r[2] == 1 && r[3] == 0; }

static void coherence(struct place *p, unsigned *r, int thread) {
    if (thread == 0) {
        STORE(&p->x, 1, relaxed);
        STORE(&p->x, 2, relaxed);
    } else {
        r[0] = LOAD(&p->x, relaxed);
        r[1] = LOAD(&p->x, relaxed);
    }
}
static int back_in_time(struct place *p, const unsigned *r) { return p->x != 2 || r[0] > r[1]; }

static void byte_neighbours(struct place *p, unsigned *r, int thread) { (void)r, STORE(&p->bytes[thread], (uint8_t)(thread + 1), relaxed); }
static int byte_lost(struct place *p, const unsigned *r) {
    return (void)r, p->bytes[0] != 1 || p->bytes[1] != 2 || p->bytes[2] != 3 || p->bytes[3] != 4;
}
static void half_neighbours(struct place *p, unsigned *r, int thread) { (void)r, STORE(&p->halves[thread], (uint16_t)0x8181, relaxed); }
static int half_lost(struct place *p, const unsigned *r) { return (void)r, p->halves[0] != 0x8181 || p->halves[1] != 0x8181; }

static void counters(struct place *p, unsigned *r, int thread) {
    (void)r;
    atomic_fetch_add(&counter, 1);
    atomic_fetch_sub_explicit(&counter, 3, memory_order_relaxed);
    atomic_fetch_add(&byte_counter[thread], 1);
    atomic_fetch_add(&byte_counter[!thread], 1);
    atomic_fetch_add(&wide_counter, 0x100000001);
    atomic_fetch_xor(&p->x, 1u << thread);
    atomic_fetch_or(&p->y, 1u << thread);
    atomic_fetch_and(&p->y, ~(1u << (thread + 8)));
}
static int miscounted(struct place *p, const unsigned *r) { return (void)r, p->x != 3 || p->y != 3; }

static const struct {
    const char *name;
    int threads;
    threads_part *part;
    is_forbidden *forbidden;
} tests[] = {
    {"SB", 2, store_buffering, both_zero},
    {"SB, fences", 2, store_buffering_fences, both_zero},
    {"SB, fence behind sync_acquire", 2, store_buffering_both_fences, both_zero},
    {"SB, exchanges", 2, store_buffering_exchange, both_zero},
    {"SB, additions", 2, store_buffering_add, both_zero},
    {"SB, bytes", 2, store_buffering_bytes, both_zero},
    {"MP", 2, message, flag_without_data},
    {"MP, fences", 2, message_fences, flag_without_data},
    {"MP, sync_acquire", 2, message_sync_acquire, flag_without_data},
    {"MP, additions", 2, message_add, flag_without_data},
    {"LB", 2, load_buffering, both_one},
    {"2+2W", 2, two_plus_two, first_ones_last},
    {"IRIW", 4, independent_reads, two_orders},
    {"CoRR", 2, coherence, back_in_time},
    {"bytes", 4, byte_neighbours, byte_lost},
    {"halves", 2, half_neighbours, half_lost},
    {"counters", 2, counters, miscounted},
};
enum { TESTS = sizeof tests / sizeof tests[0] };
static unsigned found[TESTS];

/* Where each thread is. */
static struct {
    atomic_uint at;
    unsigned apart[15];
} progress[THREADS];

static int all_are_at(int count, unsigned at) {
    int there = 0;
    for (int thread = 0; thread < count; ++thread) there += (int)(LOAD(&progress[thread].at, relaxed) - at) >= 0;
    return there == count;
}

/* Waits a while for all to come as far: whether they have. Others may not be running, and the first time they may have to wake up. Orders
 * nothing. */
static int meet(int thread, int count, unsigned at, int first) {
    STORE(&progress[thread].at, at, relaxed);
    for (int i = first ? FIRST_PATIENCE : PATIENCE; i > 0; --i)
        if (all_are_at(count, at)) return 1;
    return 0;
}

static void *run(void *argument) {
    const int thread = (int)(long)argument;
    unsigned at = 0;
    for (int test = 0; test < TESTS; ++test) {
        for (unsigned done = 0; done < rounds; done += PLACES) {
            if (thread == 0) {
                for (int i = 0; i < PLACES; ++i) {
                    places[i] = (struct place){0};
                    for (int k = 0; k < 4; ++k) seen[i][k] = 0;
                }
            }
            pthread_barrier_wait(&barrier);
            int together = 1;
            for (int i = 0; thread < tests[test].threads && i < PLACES; ++i) {
                together = together && meet(thread, tests[test].threads, at + (unsigned)i, i == 0);
                tests[test].part(&places[i], seen[i], thread);
            }
            at += PLACES;
            pthread_barrier_wait(&barrier);
            if (thread == 0)
                for (int i = 0; i < PLACES; ++i) found[test] += (unsigned)tests[test].forbidden(&places[i], seen[i]);
        }
    }
    return NULL;
}

int main(int argc, char **argv) {
    pthread_t threads[THREADS];
    if (argc > 1) rounds = (unsigned)strtoul(argv[1], NULL, 0);
    rounds = (rounds + PLACES - 1) / PLACES * PLACES;
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (long i = 0; i < THREADS; ++i) pthread_create(&threads[i], NULL, run, (void *)i);
    for (int i = 0; i < THREADS; ++i) pthread_join(threads[i], NULL);
    unsigned sum = 0;
    for (int test = 0; test < TESTS; ++test) {
        printf("%s: %u forbidden\n", tests[test].name, found[test]);
        sum += found[test];
    }
    const int counted = counter == 0u - 4 * rounds && byte_counter[0] == (uint8_t)(2 * rounds) &&
                        byte_counter[1] == (uint8_t)(2 * rounds) && wide_counter == 2 * rounds * 0x100000001ull;
    printf("counters are %s\n", counted ? "right" : "wrong");
    return sum != 0 || !counted;
}
