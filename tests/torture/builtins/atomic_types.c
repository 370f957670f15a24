/* <stdatomic.h>: _Atomic objects of several types, with operators and functions. */
#include <stdatomic.h>
#include <stdio.h>

static _Atomic int counter = 5;
static atomic_uchar small = 255;
static atomic_flag flag = ATOMIC_FLAG_INIT;

int main(void) {
    counter += 10;
    counter++;
    small++;
    _Atomic(short) s = -3;
    s *= 7;
    int values[3] = {1, 2, 3};
    _Atomic(int *) p = values;
    p++;
    int expected = 16;
    printf("%d %d %d %d\n", counter, small, s, *p);
    printf("%d %d %d\n", atomic_compare_exchange_strong(&counter, &expected, 99), atomic_load(&counter), atomic_fetch_sub(&counter, 9));
    printf("%d %d\n", atomic_flag_test_and_set(&flag), atomic_flag_test_and_set(&flag));
    _Atomic float f = 1.5f;
    f *= 4;
    printf("%g %d\n", f, atomic_is_lock_free(&counter));
    return atomic_exchange(&counter, 0);
}
