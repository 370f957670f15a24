/* atomic_operations.c: what each atomic operation of C11, __atomic_* and __sync_* gives and leaves, for 1, 2, 4 and 8 bytes, with each
 * order, with constants and values, with its result used and not: compilers write each of these differently. */
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

static uint64_t sum = 14695981039346656037u;
static void note(uint64_t value) {
    for (int i = 0; i < 8; ++i) sum = (sum ^ (value >> (8 * i) & 0xff)) * 1099511628211u;
}

/* GNU's libatomic has no __sync functions for 8 bytes; MOG's library has. */
#ifdef __mog__
#define SYNC(type, name)                                                                                                 \
    static void name##_sync(type *p, type v) {                                                                           \
        note(__sync_fetch_and_add(p, v)), note(__sync_fetch_and_sub(p, 3));                                              \
        note(__sync_fetch_and_or(p, v)), note(__sync_fetch_and_and(p, (type)~5));                                        \
        note(__sync_fetch_and_xor(p, v)), note(__sync_fetch_and_nand(p, v));                                             \
        note(__sync_add_and_fetch(p, v)), note(__sync_sub_and_fetch(p, v));                                              \
        note(__sync_or_and_fetch(p, v)), note(__sync_and_and_fetch(p, v));                                               \
        note(__sync_xor_and_fetch(p, v)), note(__sync_nand_and_fetch(p, v));                                             \
        note(__sync_bool_compare_and_swap(p, v, 1)), note(*p);                                                           \
        note(__sync_val_compare_and_swap(p, *p, v)), note(*p);                                                           \
        note(__sync_lock_test_and_set(p, 1)), note(*p);                                                                  \
        __sync_synchronize();                                                                                            \
        if (sizeof *p == 8) __atomic_store_n(p, 0, __ATOMIC_RELEASE); /* gcc writes nothing for the other, in silence */ \
        else __sync_lock_release(p);                                                                                     \
        note(*p);                                                                                                        \
    }
#else
#define SYNC(type, name)                                                            \
    static void name##_sync(type *p, type v) {                                      \
        type old = v;                                                               \
        note(__atomic_fetch_add(p, v, 5)), note(__atomic_fetch_sub(p, 3, 5));       \
        note(__atomic_fetch_or(p, v, 5)), note(__atomic_fetch_and(p, (type)~5, 5)); \
        note(__atomic_fetch_xor(p, v, 5)), note(__atomic_fetch_nand(p, v, 5));      \
        note(__atomic_add_fetch(p, v, 5)), note(__atomic_sub_fetch(p, v, 5));       \
        note(__atomic_or_fetch(p, v, 5)), note(__atomic_and_fetch(p, v, 5));        \
        note(__atomic_xor_fetch(p, v, 5)), note(__atomic_nand_fetch(p, v, 5));      \
        note(__atomic_compare_exchange_n(p, &old, 1, 0, 5, 5)), note(*p);           \
        old = *p;                                                                   \
        note((__atomic_compare_exchange_n(p, &old, v, 0, 5, 5), old)), note(*p);    \
        note(__atomic_exchange_n(p, 1, 2)), note(*p);                               \
        __atomic_store_n(p, 0, 3), note(*p);                                        \
    }
#endif

/* Of one order for changes, another for loads, for stores, and where a comparison fails. */
#define OPERATIONS(type, name, order, load, store, fails)                                                  \
    static void name(type *p, type v) {                                                                    \
        type old;                                                                                          \
        __atomic_store_n(p, v, store);                                                                     \
        note(__atomic_load_n(p, load));                                                                    \
        note(__atomic_fetch_add(p, v, order)), note(__atomic_fetch_add(p, 77, order));                     \
        note(__atomic_fetch_sub(p, v, order)), note(__atomic_fetch_sub(p, 78, order));                     \
        note(__atomic_fetch_and(p, v, order)), note(__atomic_fetch_and(p, 0x7b, order));                   \
        note(__atomic_fetch_or(p, v, order)), note(__atomic_fetch_or(p, 0x55, order));                     \
        note(__atomic_fetch_xor(p, v, order)), note(__atomic_fetch_xor(p, (type)-2, order));               \
        note(__atomic_fetch_nand(p, v, order)), note(__atomic_fetch_nand(p, 0x1f, order));                 \
        note(__atomic_add_fetch(p, v, order)), note(__atomic_add_fetch(p, 0x4321, order));                 \
        note(__atomic_sub_fetch(p, v, order)), note(__atomic_sub_fetch(p, 1, order));                      \
        note(__atomic_or_fetch(p, v, order)), note(__atomic_or_fetch(p, 0x22, order));                     \
        note(__atomic_and_fetch(p, v, order)), note(__atomic_and_fetch(p, (type)~0x10, order));            \
        note(__atomic_xor_fetch(p, v, order)), note(__atomic_xor_fetch(p, 0x12345678, order));             \
        note(__atomic_nand_fetch(p, v, order)), note(__atomic_nand_fetch(p, 3, order));                    \
        __atomic_fetch_add(p, v, order), __atomic_fetch_sub(p, 5, order), __atomic_fetch_and(p, v, order); \
        __atomic_fetch_or(p, v, order), __atomic_fetch_xor(p, v, order), __atomic_fetch_nand(p, v, order); \
        note(*p);                                                                                          \
        note(__atomic_exchange_n(p, v, order)), note(__atomic_exchange_n(p, 0, order));                    \
        note(__atomic_exchange_n(p, 0x12345678, order)), __atomic_exchange_n(p, v, order), note(*p);       \
        old = v + 1;                                                                                       \
        note(__atomic_compare_exchange_n(p, &old, 9, 0, order, fails)), note(old), note(*p);               \
        note(__atomic_compare_exchange_n(p, &old, 9, 0, order, fails)), note(old), note(*p);               \
        old = 9;                                                                                           \
        while (!__atomic_compare_exchange_n(p, &old, v, 1, order, fails)) note(old);                       \
        note(*p);                                                                                          \
        while (!__atomic_compare_exchange_n(p, &old, (type)(old * 3), 1, order, fails)) note(old);         \
        note(*p);                                                                                          \
    }
#define TYPE(type, name)                                                                                     \
    SYNC(type, name)                                                                                         \
    OPERATIONS(type, name##_relaxed, __ATOMIC_RELAXED, __ATOMIC_RELAXED, __ATOMIC_RELAXED, __ATOMIC_RELAXED) \
    OPERATIONS(type, name##_acquire, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE, __ATOMIC_RELEASE, __ATOMIC_ACQUIRE) \
    OPERATIONS(type, name##_release, __ATOMIC_RELEASE, __ATOMIC_CONSUME, __ATOMIC_RELEASE, __ATOMIC_RELAXED) \
    OPERATIONS(type, name##_both, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE, __ATOMIC_RELEASE, __ATOMIC_ACQUIRE)    \
    OPERATIONS(type, name##_all, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)     \
    static void name(type *places, int count) {                                                              \
        static const uint64_t values[] = {0, 1, 0x80, 0xfedcba9876543210, 0x7fff8001, ~0ull};                \
        for (int i = 0; i < count; ++i)                                                                      \
            for (int k = 0; k < 6; ++k) {                                                                    \
                name##_relaxed(&places[i], (type)values[k]), name##_acquire(&places[i], (type)values[k]);    \
                name##_release(&places[i], (type)values[k]), name##_both(&places[i], (type)values[k]);       \
                name##_all(&places[i], (type)values[k]), name##_sync(&places[i], (type)values[k]);           \
            }                                                                                                \
        for (int i = 0; i < count; ++i) note(places[i]); /* and what is beside them */                       \
        printf(#type " %016llx\n", (unsigned long long)sum);                                                 \
    }
TYPE(uint8_t, of_8)
TYPE(uint16_t, of_16)
TYPE(uint32_t, of_32)
TYPE(uint64_t, of_64)

/* Operations of <stdatomic.h> on types that it has names for. */
static void standard(void) {
    static atomic_flag flag = ATOMIC_FLAG_INIT;
    static atomic_bool boolean;
    static int numbers[4];
    static int *_Atomic pointer = numbers;
    static atomic_llong wide = ATOMIC_VAR_INIT(-1);
    static _Atomic float real = 1.5f;
    static _Atomic double longer = 0.25;
    printf("%d", atomic_flag_test_and_set(&flag));
    printf(" %d", atomic_flag_test_and_set_explicit(&flag, memory_order_acquire));
    atomic_flag_clear(&flag);
    printf(" %d", atomic_flag_test_and_set(&flag));
    printf(" %d", atomic_exchange(&boolean, true));
    printf(" %d", atomic_exchange(&boolean, false));
    pointer++;
    atomic_fetch_add(&pointer, 2);
    printf(" %d", (int)(atomic_load(&pointer) - numbers));
    wide++;
    wide -= 10;
    printf(" %lld", (long long)wide);
    printf(" %lld", (long long)atomic_fetch_or(&wide, 0x100000000));
    real += 2;
    longer *= real;
    printf(" %g %g", (double)real, longer);
    atomic_signal_fence(memory_order_seq_cst);
    atomic_thread_fence(memory_order_acq_rel);
    printf(" %d%d%d%d\n", atomic_is_lock_free(&flag), atomic_is_lock_free(&boolean), atomic_is_lock_free(&pointer), ATOMIC_INT_LOCK_FREE);
}

int main(void) {
    static uint8_t bytes[5];
    static uint16_t halves[3];
    static uint32_t words[2];
    static uint64_t wide[2];
    of_8(bytes, 5);
    of_16(halves, 3);
    of_32(words, 2);
    of_64(wide, 2);
    standard();
    return 0;
}
