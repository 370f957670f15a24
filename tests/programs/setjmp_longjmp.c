/* setjmp and longjmp: values, out of deep recursion, out of a qsort callback, nested handlers, doubles kept across. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

static jmp_buf out;

static int dig(int depth, int bottom) {
    volatile char room[64];
    room[depth % 64] = (char)depth;
    if (depth == bottom) longjmp(out, depth);
    return dig(depth + 1, bottom) + room[depth % 64];
}

/* Exceptions, the C way: handlers nest. */
typedef struct Handler { jmp_buf here; struct Handler *outer; } Handler;
static Handler *handlers;
static void raise_error(int code) { longjmp(handlers->here, code); }

static int guarded(int code, int level) {
    Handler mine;
    mine.outer = handlers;
    handlers = &mine;
    int caught = setjmp(mine.here);
    if (caught == 0) {
        if (level > 0) guarded(code, level - 1);
        if (code) raise_error(code);
        handlers = mine.outer;
        return 0;
    }
    handlers = mine.outer;
    printf("level %d caught %d\n", level, caught);
    if (handlers && level < 3) raise_error(caught + 1);
    return caught;
}

static jmp_buf from_compare;
static int comparisons;
static int compare(const void *a, const void *b) {
    if (++comparisons == 10) longjmp(from_compare, 77);
    return *(const int *)a - *(const int *)b;
}

static jmp_buf again;

int main(void) {
    for (int bottom = 1; bottom <= 40; bottom += 13) {
        int got = setjmp(out);
        if (got == 0) printf("never %d\n", dig(0, bottom));
        else printf("back from %d\n", got);
    }
    switch (setjmp(out)) {
    case 0: longjmp(out, 0); /* 0 arrives as 1 */
    case 1: printf("one\n"); break;
    default: printf("wrong\n");
    }
    guarded(0, 3);
    guarded(5, 3);

    volatile double kept = 3.25;
    volatile long long wide = 1LL << 40;
    volatile int rounds = 0;
    if (setjmp(again) < 3) {
        kept *= 2;
        wide += 7;
        rounds++;
        longjmp(again, rounds);
    }
    printf("%d rounds, %g, %lld\n", rounds, kept, wide);

    int values[20];
    for (int i = 0; i < 20; i++) values[i] = (i * 37) % 20;
    if (setjmp(from_compare) == 0) {
        qsort(values, 20, sizeof *values, compare);
        printf("sorted?\n");
    } else {
        int sum = 0;
        for (int i = 0; i < 20; i++) sum += values[i];
        printf("left qsort after %d comparisons, sum %d\n", comparisons, sum);
    }
    return 0;
}
