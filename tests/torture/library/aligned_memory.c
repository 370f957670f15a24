/* aligned_alloc, posix_memalign, memalign: addresses with trailing zeros, and alignment of plain malloc. */
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int bad = 0;
    for (size_t a = 8; a <= 512; a *= 2) {
        void *p = aligned_alloc(a, a * 3), *q = NULL;
        bad += (uintptr_t)p % a != 0 || posix_memalign(&q, a, 10) != 0 || (uintptr_t)q % a != 0;
        bad += (uintptr_t)malloc(a / 8) % 8 != 0;
        free(p);
    }
    printf("%d\n", bad);
    return 0;
}
