/* GNU's arithmetic on void and function pointers, and sizes of 1. */
#include <stdio.h>

int main(void) {
    int v[4] = {1, 2, 3, 4};
    void *p = v;
    p += 8;
    printf("%d %d %zu %zu\n", *(int *)p, (int)(p - (void *)v), sizeof(void), sizeof *p);
    int (*f)(void) = main;
    return (char *)(f + 4) - (char *)f;
}
