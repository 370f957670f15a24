/* C99 and C11: designated initialisers, compound literals, flexible arrays, inline, restrict, _Generic, statement expressions,
 * _Alignas, anonymous members, long string joins, overflow builtins, nested conditionals and commas. */
#include <stdalign.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "testing.h"

typedef struct { int length; struct { int x, y; }; int items[]; } Flexible;
enum { RED, GREEN = 5, BLUE };
static const char *const colours[] = {[RED] = "red", [BLUE] = "blue", [GREEN] = "green"};

#define KIND(x) _Generic((x), int: "int", unsigned: "unsigned", double: "double", float: "float", char *: "text", default: "other")
#define MAX(a, b) ({ __typeof__(a) a_ = (a); __typeof__(b) b_ = (b); a_ > b_ ? a_ : b_; })

static inline int clamp(int x, int low, int high) { return x < low ? low : x > high ? high : x; }
static void add(size_t n, int *restrict to, const int *restrict from) { while (n--) *to++ += *from++; }
static int sum(const int *values, int count) { int total = 0; while (count--) total += *values++; return total; }
_Static_assert(sizeof(int) == 4, "int has 32 bits");
_Noreturn static void leave(int status) { printf("leaving\n"); exit(status); }

int main(void) {
    for (int i = 0; i < 7; i++) printf("%s ", colours[i] ? colours[i] : "-");
    printf("\n%s %s %s %s %s %s\n", KIND(1), KIND(1u), KIND(1.0), KIND(1.0f), KIND((char *)0), KIND(1LL));
    printf("%d %d %d\n", clamp(-5, 0, 10), clamp(5, 0, 10), clamp(50, 0, 10));
    printf("%d %g\n", MAX(3, 7), MAX(2.5, 1.5));
    printf("%d\n", sum((int[]){1, 2, 3, [5] = 10}, 6));
    Flexible *f = malloc(sizeof *f + 5 * sizeof(int));
    *f = (Flexible){.length = 5, .x = 1, .y = 2};
    for (int i = 0; i < 5; i++) f->items[i] = i * i;
    add(4, f->items, (const int[]){10, 20, 30, 40});
    printf("%d %d %zu %d\n", sum(f->items, f->length), f->x + f->y, offsetof(Flexible, items) / sizeof(int), f->items[4]);
    free(f);
    alignas(16) char aligned[16];
    printf("%d %zu\n", (int)((uintptr_t)aligned % 16), alignof(double));
    int r;
    unsigned ur;
    long long lr;
    printf("%d ", __builtin_add_overflow(2147483647, 1, &r)); printf("%d ", r);
    printf("%d ", __builtin_sub_overflow(0u, 1u, &ur)); printf("%u ", ur);
    printf("%d ", __builtin_mul_overflow(65536, 65535, &r)); printf("%d ", r);
    printf("%d ", __builtin_mul_overflow(1LL << 40, 1LL << 30, &lr)); printf("%lld\n", lr);
    int a = 1, b = (a++, a *= 3, a + 1);
    printf("%d %d %s\n", a, b, a > 5 ? b > 5 ? "both" : "a" : b > 5 ? "b" : "none");
    for (struct { int i; double d; } s = {0, 1}; s.i < 4; s.i++, s.d *= 1.5) printf("%d %g ", s.i, s.d);
    printf("\n" "joined " "text" "\n");
    int matrix[2][3] = {{1, 2}, {[1] = 5}}, (*row)[3] = matrix;
    printf("%d %d %d %d\n", matrix[0][1], matrix[1][1], row[1][1], (int)(sizeof matrix / sizeof *matrix));
    goto out;
    printf("never\n");
out:
    do { if (a) break; } while (1);
    unsigned long long mask = ~0ull >> 12;
    printf("%llx %d %c\n", mask, 0b1011, "index"[3]);
    leave(0);
}
