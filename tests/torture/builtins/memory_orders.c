/* __atomic on 1, 2 and 4 bytes: every operation and order. */
#include <stdbool.h>
#include <stdio.h>

#define TRY(type, start)                                                                                               \
    {                                                                                                                  \
        type x = start, y = 3, z;                                                                                      \
        printf("%d ", (int)__atomic_fetch_add(&x, 7, __ATOMIC_SEQ_CST));                                               \
        printf("%d ", (int)__atomic_sub_fetch(&x, 9, __ATOMIC_ACQ_REL));                                               \
        printf("%d ", (int)__atomic_fetch_and(&x, 0x7e, __ATOMIC_RELAXED));                                            \
        printf("%d ", (int)__atomic_or_fetch(&x, 0x41, __ATOMIC_RELEASE));                                             \
        printf("%d ", (int)__atomic_xor_fetch(&x, 0x0f, __ATOMIC_ACQUIRE));                                            \
        printf("%d ", (int)__atomic_nand_fetch(&x, 0x33, __ATOMIC_SEQ_CST));                                           \
        printf("%d ", (int)__atomic_exchange_n(&x, y, __ATOMIC_SEQ_CST));                                              \
        bool first = __atomic_compare_exchange_n(&x, &y, 100, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);              \
        bool second = __atomic_compare_exchange_n(&x, &y, 50, true, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);               \
        __atomic_load(&x, &z, __ATOMIC_ACQUIRE);                                                                       \
        __atomic_store_n(&x, 5, __ATOMIC_RELEASE);                                                                     \
        printf("%d %d %d %d %d\n", first, second, (int)y, (int)z, (int)x);                                             \
    }

int main(void) {
    TRY(unsigned char, 250) TRY(signed char, -128) TRY(unsigned short, 65533) TRY(short, 32767) TRY(int, -5) TRY(unsigned, 4294967290u)
    bool flag = false;
    printf("%d %d\n", __atomic_test_and_set(&flag, __ATOMIC_ACQUIRE), __atomic_test_and_set(&flag, __ATOMIC_ACQUIRE));
    __atomic_clear(&flag, __ATOMIC_RELEASE);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    return flag;
}
