/* atomic.c: what gcc calls for atomic objects that MIPS32 has no instructions for: 8 bytes, and structures. libatomic has
 * these elsewhere. Where there are threads, an object's address says which of a few locks it has; without, nothing else comes between. */
#include <fenv.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/lock.h>

typedef unsigned long long wide;

static unsigned locks[64];

/* Held for a few instructions, so nobody sleeps for it. Null: there are no threads. */
static unsigned *lock(const volatile void *object) {
    if (!__mog_acquire) return NULL;
    unsigned *mine = &locks[(uintptr_t)object / sizeof(wide) % (sizeof locks / sizeof *locks)];
    for (int tries = 1; __atomic_exchange_n(mine, 1, __ATOMIC_ACQUIRE); ++tries) {
        __asm__ volatile(".set push\n\t.set noreorder\n\tsll $0, $0, 5\n\t.set pop" ::: "memory"); /* MIPS's `pause` */
        if (tries % 128 == 0) sched_yield();
    }
    return mine;
}
static void unlock(unsigned *lock) {
    if (lock) __atomic_store_n(lock, 0, __ATOMIC_RELEASE);
}

/* gcc knows these names as its own, so the functions have others in C. */
#define NAMED(name) __asm__(name)

wide load_8(const volatile wide *from, int order) NAMED("__atomic_load_8");
void store_8(volatile wide *to, wide value, int order) NAMED("__atomic_store_8");
wide exchange_8(volatile wide *to, wide value, int order) NAMED("__atomic_exchange_8");
bool compare_exchange_8(volatile wide *to, wide *expected, wide wanted, int success, int failure) NAMED("__atomic_compare_exchange_8");
bool bool_compare_and_swap_8(volatile wide *to, wide expected, wide wanted) NAMED("__sync_bool_compare_and_swap_8");
wide val_compare_and_swap_8(volatile wide *to, wide expected, wide wanted) NAMED("__sync_val_compare_and_swap_8");
wide lock_test_and_set_8(volatile wide *to, wide value) NAMED("__sync_lock_test_and_set_8");
void lock_release_8(volatile wide *to) NAMED("__sync_lock_release_8");

wide load_8(const volatile wide *from, int order) {
    (void)order;
    unsigned *held = lock(from);
    wide value = *from;
    unlock(held);
    return value;
}
wide exchange_8(volatile wide *to, wide value, int order) {
    (void)order;
    unsigned *held = lock(to);
    wide old = *to;
    *to = value;
    unlock(held);
    return old;
}
void store_8(volatile wide *to, wide value, int order) { exchange_8(to, value, order); }
bool compare_exchange_8(volatile wide *to, wide *expected, wide wanted, int success, int failure) {
    (void)success, (void)failure;
    unsigned *held = lock(to);
    wide old = *to;
    bool same = old == *expected;
    if (same) *to = wanted;
    unlock(held);
    if (!same) *expected = old;
    return same;
}
bool bool_compare_and_swap_8(volatile wide *to, wide expected, wide wanted) { return compare_exchange_8(to, &expected, wanted, 0, 0); }
wide val_compare_and_swap_8(volatile wide *to, wide expected, wide wanted) {
    compare_exchange_8(to, &expected, wanted, 0, 0);
    return expected;
}
wide lock_test_and_set_8(volatile wide *to, wide value) { return exchange_8(to, value, 0); }
void lock_release_8(volatile wide *to) { store_8(to, 0, 0); }

/* Each operation in its four forms: the old value and the new one, with an order and of the older kind without. */
#define OPERATION(name, expression)                                                                   \
    wide fetch_##name##_8(volatile wide *to, wide by, int order) NAMED("__atomic_fetch_" #name "_8"); \
    wide name##_fetch_8(volatile wide *to, wide by, int order) NAMED("__atomic_" #name "_fetch_8");   \
    wide sync_fetch_##name##_8(volatile wide *to, wide by) NAMED("__sync_fetch_and_" #name "_8");     \
    wide sync_##name##_fetch_8(volatile wide *to, wide by) NAMED("__sync_" #name "_and_fetch_8");     \
    wide fetch_##name##_8(volatile wide *to, wide by, int order) {                                    \
        (void)order;                                                                                  \
        unsigned *held = lock(to);                                                                    \
        wide old = *to;                                                                               \
        *to = expression;                                                                             \
        unlock(held);                                                                                 \
        return old;                                                                                   \
    }                                                                                                 \
    wide name##_fetch_8(volatile wide *to, wide by, int order) {                                      \
        wide old = fetch_##name##_8(to, by, order);                                                   \
        return expression;                                                                            \
    }                                                                                                 \
    wide sync_fetch_##name##_8(volatile wide *to, wide by) { return fetch_##name##_8(to, by, 0); }    \
    wide sync_##name##_fetch_8(volatile wide *to, wide by) { return name##_fetch_8(to, by, 0); }
OPERATION(add, old + by)
OPERATION(sub, old - by)
OPERATION(and, old &by)
OPERATION(or, old | by)
OPERATION(xor, old ^ by)
OPERATION(nand, ~(old &by))

/* Objects of any size. */
void load_any(size_t bytes, const void *from, void *to, int order) NAMED("__atomic_load");
void store_any(size_t bytes, void *to, const void *from, int order) NAMED("__atomic_store");
void exchange_any(size_t bytes, void *object, const void *value, void *old, int order) NAMED("__atomic_exchange");
bool compare_exchange_any(size_t bytes, void *object, void *expected, const void *wanted, int success, int failure)
    NAMED("__atomic_compare_exchange");
bool is_lock_free(size_t bytes, const void *object) NAMED("__atomic_is_lock_free");
void raise_exceptions(int exceptions) NAMED("__atomic_feraiseexcept");

void load_any(size_t bytes, const void *from, void *to, int order) {
    (void)order;
    unsigned *held = lock(from);
    memcpy(to, from, bytes);
    unlock(held);
}
void store_any(size_t bytes, void *to, const void *from, int order) {
    (void)order;
    unsigned *held = lock(to);
    memcpy(to, from, bytes);
    unlock(held);
}
void exchange_any(size_t bytes, void *object, const void *value, void *old, int order) {
    (void)order;
    unsigned *held = lock(object);
    memcpy(old, object, bytes);
    memcpy(object, value, bytes);
    unlock(held);
}
bool compare_exchange_any(size_t bytes, void *object, void *expected, const void *wanted, int success, int failure) {
    (void)success, (void)failure;
    unsigned *held = lock(object);
    bool same = memcmp(object, expected, bytes) == 0;
    memcpy(same ? object : expected, same ? wanted : object, bytes);
    unlock(held);
    return same;
}
bool is_lock_free(size_t bytes, const void *object) { return (void)object, bytes == 1 || bytes == 2 || bytes == 4; }
void raise_exceptions(int exceptions) { feraiseexcept(exceptions); }
