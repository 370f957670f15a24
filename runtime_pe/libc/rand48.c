/* rand48.c: drand48() and its family draw what glibc's do: one sequence for all threads, and before anybody has set a seed the one that
 * begins at 0, where newlib has another. Each number is the one before times a, plus c, modulo 2^48. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/lock.h>

static struct drand48_data shared;

__LOCK_INIT(static, lock)

static void usual(struct drand48_data *data) {
    data->__a = 0x5deece66dull;
    data->__c = 0xb;
    data->__init = 1;
}

static uint64_t next(unsigned short at[3], struct drand48_data *data) {
    if (!data->__init) usual(data);
    const uint64_t number = ((uint64_t)at[2] << 32 | (uint32_t)at[1] << 16 | at[0]) * data->__a + data->__c;
    at[0] = (unsigned short)number;
    at[1] = (unsigned short)(number >> 16);
    at[2] = (unsigned short)(number >> 32);
    return number & 0xffffffffffff;
}

/* ---- with a generator of the program's own */

int erand48_r(unsigned short at[3], struct drand48_data *data, double *result) {
    *result = (double)next(at, data) * 0x1p-48;
    return 0;
}
int nrand48_r(unsigned short at[3], struct drand48_data *data, long *result) {
    *result = (long)(next(at, data) >> 17);
    return 0;
}
int jrand48_r(unsigned short at[3], struct drand48_data *data, long *result) {
    *result = (int32_t)(next(at, data) >> 16);
    return 0;
}
int drand48_r(struct drand48_data *data, double *result) { return erand48_r(data->__x, data, result); }
int lrand48_r(struct drand48_data *data, long *result) { return nrand48_r(data->__x, data, result); }
int mrand48_r(struct drand48_data *data, long *result) { return jrand48_r(data->__x, data, result); }

int srand48_r(long seed, struct drand48_data *data) {
    data->__x[0] = 0x330e;
    data->__x[1] = (unsigned short)seed;
    data->__x[2] = (unsigned short)((unsigned long)seed >> 16);
    usual(data);
    return 0;
}
int seed48_r(unsigned short seed[3], struct drand48_data *data) {
    memcpy(data->__old_x, data->__x, sizeof data->__x);
    memcpy(data->__x, seed, sizeof data->__x);
    usual(data);
    return 0;
}
int lcong48_r(unsigned short given[7], struct drand48_data *data) {
    memcpy(data->__x, given, sizeof data->__x);
    data->__a = (uint64_t)given[5] << 32 | (uint32_t)given[4] << 16 | given[3];
    data->__c = given[6];
    data->__init = 1;
    return 0;
}

/* ---- with the shared one */

/* NEXT(at) is what NEXT_r() draws; CURRENT() goes on from where the shared one is. */
#define DRAW(type, next, current)       \
    type next(unsigned short at[3]) {   \
        type result;                    \
        __lock_acquire(lock);           \
        next##_r(at, &shared, &result); \
        __lock_release(lock);           \
        return result;                  \
    }                                   \
    type current(void) { return next(shared.__x); }
DRAW(double, erand48, drand48)
DRAW(long, nrand48, lrand48)
DRAW(long, jrand48, mrand48)

void srand48(long seed) {
    __lock_acquire(lock);
    srand48_r(seed, &shared);
    __lock_release(lock);
}
unsigned short *seed48(unsigned short seed[3]) {
    __lock_acquire(lock);
    seed48_r(seed, &shared);
    __lock_release(lock);
    return shared.__old_x;
}
void lcong48(unsigned short given[7]) {
    __lock_acquire(lock);
    lcong48_r(given, &shared);
    __lock_release(lock);
}
