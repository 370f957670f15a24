/* Inline assembly: inputs, outputs, both, early clobber, matching, memory, immediates, named. */
#include <stdio.h>

static __attribute__((noinline)) int sum(int a, int b) {
    int r;
    __asm__("addu %0, %1, %2" : "=r"(r) : "r"(a), "r"(b));
    return r;
}
static __attribute__((noinline)) int twice(int a) {
    __asm__("addu %0, %0, %0" : "+r"(a));
    return a;
}
static __attribute__((noinline)) int early(int a, int b) {
    int r;
    __asm__("subu %0, %1, %2\n\txor %0, %0, %1" : "=&r"(r) : "r"(a), "r"(b));
    return r;
}
static __attribute__((noinline)) int matched(int a) {
    int r;
    __asm__("sll %[to], %[from], %[by]" : [to] "=r"(r) : [from] "0"(a), [by] "i"(5));
    return r;
}
static __attribute__((noinline)) int through_memory(int *p, int v) {
    int old;
    __asm__ volatile("lw %0, %1\n\tsw %2, %1" : "=&r"(old), "+m"(*p) : "r"(v));
    return old;
}

int main(void) {
    int x = 50;
    int old = through_memory(&x, 60);
    printf("%d %d %d %d %d %d\n", sum(3, 4), twice(21), early(9, 5), matched(3), old, x);
    return 0;
}
