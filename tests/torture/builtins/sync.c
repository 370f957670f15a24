/* The older __sync functions, on 1, 2 and 4 bytes at every place of a word. */
#include <stdio.h>

int main(void) {
    static union { unsigned char b[4]; short h[2]; int w; } u;
    for (int i = 0; i < 4; i++) {
        printf("%d ", __sync_fetch_and_add(&u.b[i], 200 + i));
        printf("%d ", __sync_add_and_fetch(&u.b[i], 100));
        printf("%d ", __sync_bool_compare_and_swap(&u.b[i], 1, 2));
        printf("%d ", __sync_val_compare_and_swap(&u.b[i], u.b[i], 77 + i));
    }
    printf("%08x\n", u.w);
    printf("%d %d ", __sync_fetch_and_or(&u.h[1], 0x0f0f), __sync_xor_and_fetch(&u.h[0], -1));
    printf("%d %d ", __sync_nand_and_fetch(&u.h[1], 0x1111), __sync_lock_test_and_set(&u.h[0], 1234));
    __sync_synchronize();
    printf("%08x %d ", u.w, __sync_sub_and_fetch(&u.w, 1));
    __sync_lock_release(&u.h[1]);
    printf("%08x\n", u.w);
    return 0;
}
