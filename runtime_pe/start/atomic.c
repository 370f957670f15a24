/* atomic.c: what gcc calls for atomic objects that MIPS32 has no instructions for: 8 bytes, and structures. libatomic has
 * these elsewhere. A PE is one thread, so plain loads and stores are atomic here. */
#include <fenv.h>
#include <stdbool.h>
#include <string.h>

typedef unsigned long long wide;

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

wide load_8(const volatile wide *from, int order) { return (void)order, *from; }
void store_8(volatile wide *to, wide value, int order) { (void)order, *to = value; }
wide exchange_8(volatile wide *to, wide value, int order) {
    wide old = *to;
    (void)order;
    *to = value;
    return old;
}
bool compare_exchange_8(volatile wide *to, wide *expected, wide wanted, int success, int failure) {
    wide old = *to;
    bool same = old == *expected;
    (void)success, (void)failure;
    if (same) *to = wanted;
    else *expected = old;
    return same;
}
bool bool_compare_and_swap_8(volatile wide *to, wide expected, wide wanted) { return compare_exchange_8(to, &expected, wanted, 0, 0); }
wide val_compare_and_swap_8(volatile wide *to, wide expected, wide wanted) {
    compare_exchange_8(to, &expected, wanted, 0, 0);
    return expected;
}
wide lock_test_and_set_8(volatile wide *to, wide value) { return exchange_8(to, value, 0); }
void lock_release_8(volatile wide *to) { *to = 0; }

/* Each operation in its four forms: the old value and the new one, with an order and of the older kind without. */
#define OPERATION(name, expression)                                                                   \
    wide fetch_##name##_8(volatile wide *to, wide by, int order) NAMED("__atomic_fetch_" #name "_8"); \
    wide name##_fetch_8(volatile wide *to, wide by, int order) NAMED("__atomic_" #name "_fetch_8");   \
    wide sync_fetch_##name##_8(volatile wide *to, wide by) NAMED("__sync_fetch_and_" #name "_8");     \
    wide sync_##name##_fetch_8(volatile wide *to, wide by) NAMED("__sync_" #name "_and_fetch_8");     \
    wide fetch_##name##_8(volatile wide *to, wide by, int order) {                                    \
        wide old = *to;                                                                               \
        (void)order;                                                                                  \
        *to = expression;                                                                             \
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

void load_any(size_t bytes, const void *from, void *to, int order) { (void)order, memcpy(to, from, bytes); }
void store_any(size_t bytes, void *to, const void *from, int order) { (void)order, memcpy(to, from, bytes); }
void exchange_any(size_t bytes, void *object, const void *value, void *old, int order) {
    (void)order;
    memcpy(old, object, bytes);
    memcpy(object, value, bytes);
}
bool compare_exchange_any(size_t bytes, void *object, void *expected, const void *wanted, int success, int failure) {
    bool same = memcmp(object, expected, bytes) == 0;
    (void)success, (void)failure;
    memcpy(same ? object : expected, same ? wanted : object, bytes);
    return same;
}
bool is_lock_free(size_t bytes, const void *object) { return (void)object, bytes == 1 || bytes == 2 || bytes == 4; }
void raise_exceptions(int exceptions) { feraiseexcept(exceptions); }
