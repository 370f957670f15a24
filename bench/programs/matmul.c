/* matmul: convergent. Product of two 32 x 32 matrices of integers, and its product with the first again. */
#include "bench.h"

enum { size = 32 };

FUNCTION void multiply(int *c, const int *a, const int *b)
{
    for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++) {
            int sum = 0;
            for (int k = 0; k < size; k++) sum += a[i * size + k] * b[k * size + j];
            c[i * size + j] = sum & 0xffff;
        }
}

FUNCTION unsigned work(unsigned rank)
{
    PRIVATE int a[size * size], b[size * size], c[size * size];
    unsigned x = rank + 1, sum = 0;
    for (int i = 0; i < size * size; i++) {
        a[i] = (int)(next_random(&x) & 0xff);
        b[i] = (int)(next_random(&x) & 0xff);
    }
    multiply(c, a, b);
    multiply(b, a, c);
    for (int i = 0; i < size * size; i++) sum = sum * 31 + (unsigned)b[i];
    return sum;
}
