/* frame_address(0) is in the stack between a caller's and a callee's variables; return_address(0) is code of the caller. */
#include <stdint.h>
#include <stdio.h>

static __attribute__((noinline)) int between(char *above) {
    char *frame = __builtin_frame_address(0);
    return frame <= above && above - frame < 4096;
}
static __attribute__((noinline)) void *whence(void) { return __builtin_extract_return_addr(__builtin_return_address(0)); }
static __attribute__((noinline)) int caller(void) {
    uintptr_t a = (uintptr_t)whence(), b = (uintptr_t)whence();
    return a != b && b - a < 4096 && (a & 3) == 0;
}

int main(void) {
    char here;
    printf("%d %d\n", between(&here + 1), caller());
    return 0;
}
