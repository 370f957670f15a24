/* random.c: rand(), random() and rand_r() give the numbers that glibc's do, so that programs which draw from a seed of theirs leave what
 * they leave on Linux; newlib has sequences of its own. A table of numbers, each the sum of two before it; where it is of two words only,
 * a congruential generator. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/lock.h>

/* How many numbers a generator of each type keeps, and how far behind the newest the other summand is. */
struct type {
    unsigned char count, apart;
};
static const struct type types[] = {{0, 0}, {7, 3}, {15, 1}, {31, 3}, {63, 1}};

enum { TYPES = sizeof types / sizeof *types, USUAL = 3, USUAL_COUNT = 31 };

/* The word before the numbers says, as glibc's does, which type they are of and which is the next, for setstate(). */
static int32_t usual[1 + USUAL_COUNT] = {USUAL};

static int32_t *numbers; /* NULL: nobody has drawn yet, which is as after srand(1) */
static unsigned type = USUAL, front, rear;

__LOCK_INIT(static, lock)

static int32_t next(void) {
    if (type == 0) return numbers[0] = (int32_t)(((uint32_t)numbers[0] * 1103515245u + 12345u) & 0x7fffffffu);
    const uint32_t sum = (uint32_t)numbers[front] + (uint32_t)numbers[rear];
    numbers[front] = (int32_t)sum;
    if (++front == types[type].count) front = 0;
    if (++rear == types[type].count) rear = 0;
    return (int32_t)(sum >> 1);
}

static void begin(unsigned seed) {
    numbers[0] = seed ? (int32_t)seed : 1;
    if (type == 0) return;
    for (unsigned i = 1; i < types[type].count; ++i) { /* 16807 times as much modulo 2^31 - 1, in 32 bits */
        const int32_t before = numbers[i - 1], high = before / 127773, low = before % 127773;
        numbers[i] = 16807 * low - 2836 * high;
        if (numbers[i] < 0) numbers[i] += 2147483647;
    }
    front = types[type].apart;
    rear = 0;
    for (unsigned i = 0; i < 10u * types[type].count; ++i) next();
}

static void have_numbers(void) {
    if (numbers) return;
    numbers = usual + 1;
    begin(1);
}

static void leave_state(void) { numbers[-1] = (int32_t)(type == 0 ? 0 : TYPES * rear + type); }

long random(void) {
    __lock_acquire(lock);
    have_numbers();
    const int32_t number = next();
    __lock_release(lock);
    return number;
}

int rand(void) { return (int)random(); }

void srandom(unsigned seed) {
    __lock_acquire(lock);
    if (!numbers) numbers = usual + 1;
    begin(seed);
    __lock_release(lock);
}

void srand(unsigned seed) { srandom(seed); }

char *initstate(unsigned seed, char *state, size_t bytes) {
    unsigned wanted = TYPES;
    while (wanted > 0 && bytes < (wanted > 1 ? 4u * (1 + types[wanted - 1].count) : 8u)) --wanted;
    if (wanted == 0) {
        errno = EINVAL;
        return NULL;
    }
    __lock_acquire(lock);
    have_numbers();
    leave_state();
    char *const before = (char *)(numbers - 1);
    type = wanted - 1;
    numbers = (int32_t *)(void *)state + 1;
    begin(seed);
    leave_state();
    __lock_release(lock);
    return before;
}

char *setstate(char *state) {
    char *before = NULL;
    __lock_acquire(lock);
    have_numbers();
    leave_state(); /* `state` may be the one that is used now */
    const int32_t word = *(int32_t *)(void *)state;
    const unsigned its_type = (unsigned)word % TYPES, its_rear = (unsigned)word / TYPES;
    if (its_type == 0 || its_rear < types[its_type].count) {
        before = (char *)(numbers - 1);
        numbers = (int32_t *)(void *)state + 1;
        type = its_type;
        rear = its_rear;
        front = type == 0 ? 0 : (rear + types[type].apart) % types[type].count;
    }
    __lock_release(lock);
    if (!before) errno = EINVAL;
    return before;
}

/* Three draws of a congruential generator: 11, 10 and 10 bits. */
int rand_r(unsigned *seed) {
    unsigned state = *seed, number = 0;
    for (int part = 0; part < 3; ++part) {
        state = state * 1103515245u + 12345u;
        number = (number << 10) ^ (state >> 16) % (part ? 1024u : 2048u);
    }
    *seed = state;
    return (int)number;
}
