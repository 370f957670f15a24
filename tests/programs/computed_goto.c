/* Computed goto (GCC's labels as values): a threaded interpreter, and labels kept in a static table and in a variable. */
#include <stdio.h>

enum { PUSH, ADD, MULTIPLY, DUPLICATE, SWAP, DECREMENT, JUMP_IF, PRINT, HALT };

static long run(const int *code, int *executed) {
    static const void *const labels[] = {&&push, &&add, &&multiply, &&duplicate, &&swap, &&decrement, &&jump_if, &&print, &&halt};
    long stack[32], *top = stack, t;
    const int *ip = code;
    *executed = 0;
#define NEXT do { ++*executed; goto *labels[*ip++]; } while (0)
    NEXT;
push: *top++ = *ip++; NEXT;
add: top--; top[-1] += top[0]; NEXT;
multiply: top--; top[-1] *= top[0]; NEXT;
duplicate: *top = top[-1]; top++; NEXT;
swap: t = top[-1]; top[-1] = top[-2]; top[-2] = t; NEXT;
decrement: top[-1]--; NEXT;
jump_if: if (top[-1]) ip = code + *ip; else ip++; NEXT;
print: printf("%ld ", top[-1]); NEXT;
halt:
    return top[-1];
}

static int collatz(unsigned n) {
    void *next[2] = {&&even, &&odd};
    int steps = 0;
again:
    if (n == 1) return steps;
    steps++;
    goto *next[n & 1];
even:
    n /= 2;
    goto again;
odd:
    n = 3 * n + 1;
    goto again;
}

int main(void) {
    static const int factorial[] = {PUSH, 1, PUSH, 10, /* 4: */ DUPLICATE, PRINT, SWAP, PUSH, 1, MULTIPLY, SWAP, DECREMENT, JUMP_IF, 4, HALT};
    static const int powers[] = {PUSH, 1, PUSH, 12, /* 4: */ SWAP, DUPLICATE, ADD, PRINT, SWAP, DECREMENT, JUMP_IF, 4, SWAP, HALT};
    int executed;
    long result = run(factorial, &executed);
    printf("= %ld in %d\n", result, executed);
    result = run(powers, &executed);
    printf("= %ld in %d\n", result, executed);
    for (unsigned n = 1; n < 28; n += 3) printf("%u:%d ", n, collatz(n));
    printf("\n");
    return 0;
}
