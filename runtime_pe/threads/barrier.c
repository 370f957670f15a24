/* barrier.c: one atomic operation for each thread that arrives, and a number of the round on which the others wait; one more when they
 * leave, so that the barrier may be given back as soon as they have. The system is called for those alone that sleep. */
#include "thread.h"

int pthread_barrierattr_init(pthread_barrierattr_t *attributes) { return attributes->__shared = PTHREAD_PROCESS_PRIVATE, 0; }
int pthread_barrierattr_destroy(pthread_barrierattr_t *attributes) { return (void)attributes, 0; }
int pthread_barrierattr_setpshared(pthread_barrierattr_t *attributes, int shared) {
    if (shared != PTHREAD_PROCESS_PRIVATE && shared != PTHREAD_PROCESS_SHARED) return EINVAL;
    attributes->__shared = shared;
    return 0;
}
int pthread_barrierattr_getpshared(const pthread_barrierattr_t *restrict attributes, int *restrict shared) {
    return *shared = attributes->__shared, 0;
}

/* __arrived has the number of the round above the count, so that each arrival knows both, also where more threads use the barrier than it
 * waits for. Who comes while a round is being ended comes again: its arrival is forgotten. */
enum { COUNT_BITS = 17, MOST = 65536 };
#define COUNT(word) ((word) & ((1u << COUNT_BITS) - 1))
#define ROUND(word) ((word) >> COUNT_BITS)
/* In __round, below its number: somebody may sleep. In __inside, above it: pthread_barrier_destroy() waits. */
#define SLEEPERS 1u
#define NEXT_ROUND 2u
#define DESTROYER 0x80000000u

int pthread_barrier_init(pthread_barrier_t *restrict barrier, const pthread_barrierattr_t *restrict attributes, unsigned count) {
    (void)attributes;
    if (!count || count > MOST) return EINVAL;
    *barrier = (pthread_barrier_t){.__wanted = count};
    return 0;
}

int pthread_barrier_destroy(pthread_barrier_t *barrier) {
    if (COUNT(ATOMIC_LOAD(&barrier->__arrived))) return EBUSY;
    for (unsigned inside; (inside = __atomic_or_fetch(&barrier->__inside, DESTROYER, __ATOMIC_ACQ_REL)) != DESTROYER;)
        __mog_wait_on(&barrier->__inside, inside, NULL);
    return 0;
}

static int sleep_until_next(pthread_barrier_t *barrier, unsigned round) {
    for (int spins = 0, error; ROUND(ATOMIC_LOOK(&barrier->__arrived)) == round;) {
        if (spins++ < SPINS) {
            relax();
            continue;
        }
        const unsigned seen = __atomic_or_fetch(&barrier->__round, SLEEPERS, __ATOMIC_SEQ_CST);
        if (ROUND(ATOMIC_LOAD(&barrier->__arrived)) != round) break;
        if ((error = __mog_wait_on(&barrier->__round, seen, NULL))) return error;
    }
    acquired();
    return 0;
}

int pthread_barrier_wait(pthread_barrier_t *barrier) {
    for (;;) {
        const unsigned now = __atomic_add_fetch(&barrier->__arrived, 1, __ATOMIC_ACQ_REL), round = ROUND(now);
        if (COUNT(now) == barrier->__wanted) {
            __atomic_fetch_add(&barrier->__inside, barrier->__wanted - 1, __ATOMIC_RELAXED);
            ATOMIC_STORE(&barrier->__arrived, (round + 1) << COUNT_BITS);
            const unsigned before = __atomic_fetch_and(&barrier->__round, ~SLEEPERS, __ATOMIC_SEQ_CST);
            if (before & SLEEPERS) {
                __atomic_fetch_add(&barrier->__round, NEXT_ROUND, __ATOMIC_SEQ_CST);
                __mog_wake(&barrier->__round, INT32_MAX);
            }
            return PTHREAD_BARRIER_SERIAL_THREAD;
        }
        const int error = sleep_until_next(barrier, round);
        if (error) return error;
        if (COUNT(now) > barrier->__wanted) continue;
        if (__atomic_sub_fetch(&barrier->__inside, 1, __ATOMIC_ACQ_REL) == DESTROYER) __mog_wake(&barrier->__inside, 1);
        return 0;
    }
}
