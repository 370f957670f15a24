/* neighbours.c: threads that write parts of one word side by side: bytes, halves, and what MIPS's swl and swr write of a word. None may
 * touch its neighbours, and halves are written at once. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>

enum { PARTS = 8, ROUNDS = 100000 };

static union {
    volatile uint8_t bytes[8];
    volatile uint16_t halves[4];
    volatile uint32_t words[2];
} shared __attribute__((aligned(8)));
static pthread_barrier_t barrier;
static atomic_int begun;

static void store_left(volatile uint8_t *last, uint32_t value) { __asm__ volatile("swl %1, %0" : "=m"(*last) : "r"(value) : "memory"); }
static void store_right(volatile uint8_t *first, uint32_t value) { __asm__ volatile("swr %1, %0" : "=m"(*first) : "r"(value) : "memory"); }
struct unaligned {
    uint32_t value;
} __attribute__((packed));

/* What each thread has there of the word or the two words, and how it writes it. What it finds is what it wrote last, if nobody else has
 * written there. */
static int is_byte(int at, uint32_t value) { return shared.bytes[at] == (uint8_t)value; }

static int bytes(int part, uint32_t last, uint32_t value) {
    const int good = is_byte(part, last);
    shared.bytes[part] = (uint8_t)value;
    return good;
}
static int halves(int part, uint32_t last, uint32_t value) {
    const int good = shared.halves[part] == (uint16_t)last;
    shared.halves[part] = (uint16_t)value;
    return good;
}
static int left_and_byte(int part, uint32_t last, uint32_t value) { /* bytes 0 to 2 by swl; 3 */
    if (part != 0) return bytes(3, last, value);
    const int good = is_byte(0, last >> 8) && is_byte(1, last >> 16) && is_byte(2, last >> 24);
    store_left(&shared.bytes[2], value);
    return good;
}
static int right_and_byte(int part, uint32_t last, uint32_t value) { /* bytes 5 to 7 by swr; 4 */
    if (part != 0) return bytes(4, last, value);
    const int good = is_byte(5, last) && is_byte(6, last >> 8) && is_byte(7, last >> 16);
    store_right(&shared.bytes[5], value);
    return good;
}
static int left_and_right(int part, uint32_t last, uint32_t value) { /* bytes 0 and 1 by swl; 2 and 3 by swr */
    if (part == 0) {
        const int good = shared.halves[0] == last >> 16;
        store_left(&shared.bytes[1], value);
        return good;
    }
    const int good = shared.halves[1] == (uint16_t)last;
    store_right(&shared.bytes[2], value);
    return good;
}
static int unaligned_and_bytes(int part, uint32_t last, uint32_t value) { /* bytes 1 to 4; 0, 5 */
    if (part != 0) return bytes(part == 1 ? 0 : 5, last, value);
    volatile struct unaligned *place = (volatile struct unaligned *)&shared.bytes[1];
    const int good = place->value == last;
    place->value = value;
    return good;
}
/* One writes two bytes that are the same, and another one finds them so. */
static int at_once(int part, uint32_t last, uint32_t value) {
    const uint16_t half = shared.halves[1];
    if (part == 0) shared.halves[1] = (uint16_t)((value & 0xff) * 0x0101);
    return (void)last, (half >> 8) == (half & 0xff);
}

static const struct {
    const char *name;
    int threads;
    int (*once)(int part, uint32_t last, uint32_t value);
} tests[] = {
    {"bytes", PARTS, bytes},
    {"halves", PARTS / 2, halves},
    {"swl and a byte", 2, left_and_byte},
    {"swr and a byte", 2, right_and_byte},
    {"swl and swr", 2, left_and_right},
    {"unaligned and bytes", 3, unaligned_and_bytes},
    {"halves at once", 2, at_once},
};
enum { TESTS = sizeof tests / sizeof tests[0] };
static long wrong[TESTS][PARTS];

static void *run(void *argument) {
    const int part = (int)(long)argument;
    for (int test = 0; test < TESTS; ++test) {
        if (part == 0) shared.words[0] = shared.words[1] = begun = 0;
        pthread_barrier_wait(&barrier);
        /* Those that take part begin together. */
        if (part < tests[test].threads)
            for (++begun; begun < tests[test].threads;) sched_yield();
        uint32_t last = 0;
        for (uint32_t i = 1; part < tests[test].threads && i <= ROUNDS; ++i) {
            const uint32_t value = i * 0x01030507u + (uint32_t)part;
            wrong[test][part] += !tests[test].once(part, last, value);
            last = value;
        }
        pthread_barrier_wait(&barrier);
    }
    return NULL;
}

int main(void) {
    pthread_t threads[PARTS];
    pthread_barrier_init(&barrier, NULL, PARTS);
    for (long i = 0; i < PARTS; ++i) pthread_create(&threads[i], NULL, run, (void *)i);
    for (int i = 0; i < PARTS; ++i) pthread_join(threads[i], NULL);
    for (int test = 0; test < TESTS; ++test) {
        long sum = 0;
        for (int part = 0; part < PARTS; ++part) sum += wrong[test][part];
        printf("%s: %ld wrong\n", tests[test].name, sum);
    }
    return 0;
}
