/* Unions and type punning: parts of words, float bits, tagged values, byte order. */
#include <stdio.h>
#include <stdlib.h>

#include "testing.h"

typedef union { uint32_t word; uint16_t half[2]; uint8_t byte[4]; int32_t number; float real; } Word;
typedef union { uint64_t whole; uint32_t word[2]; double real; int64_t number; uint8_t byte[8]; } Double;

typedef enum { NUMBER, REAL, TEXT, LIST } Kind;
typedef struct Value {
    Kind kind;
    union { long long number; double real; const char *text; struct { struct Value *items; int count; } list; };
} Value;

static void print_value(const Value *v) {
    switch (v->kind) {
    case NUMBER: printf("%lld", v->number); break;
    case REAL: printf("%g", v->real); break;
    case TEXT: printf("\"%s\"", v->text); break;
    case LIST:
        printf("[");
        for (int i = 0; i < v->list.count; i++) { if (i) printf(", "); print_value(&v->list.items[i]); }
        printf("]");
        break;
    }
}

/* The well-known bit trick, and a Newton step. */
static float inverse_root(float x) {
    Word w = {.real = x};
    w.word = 0x5f3759dfu - (w.word >> 1);
    float y = w.real;
    return y * (1.5f - 0.5f * x * y * y);
}

static double next_up(double x) { Double d = {.real = x}; d.whole++; return d.real; }

int main(void) {
    Word w = {0x12345678};
    printf("%x %x %x %x %x\n", w.half[0], w.half[1], w.byte[0], w.byte[3], w.word);
    w.byte[1] = 0xff; printf("%x\n", w.word);
    w.half[1] = 0x8000; printf("%x %d\n", w.word, w.number);
    w.real = -1.5f; printf("%x %x %x\n", w.word, w.half[1], w.byte[3]);
    w.word ^= 0x80000000u; printf("%g\n", w.real);
    for (int e = 100; e < 160; e += 12) { w.word = (uint32_t)e << 23; printf("%g ", w.real); }
    printf("\n");
    Double d = {.real = 3.141592653589793};
    printf("%llx %x %x %x\n", (unsigned long long)d.whole, d.word[0], d.word[1], d.byte[7]);
    d.word[1] += 1u << 20; printf("%.15g\n", d.real);
    d.byte[0] = 0; d.byte[7] |= 0x80; printf("%.17g %lld\n", d.real, (long long)d.number);
    printf("%.17g %.17g\n", next_up(1.0), next_up(0.0) == 0x1p-1074 ? 1.0 : 0.0);
    for (int i = 1; i < 6; i++) printf("%.6g ", inverse_root((float)i));
    printf("\n");
    Value inner[] = {{NUMBER, {.number = -5}}, {TEXT, {.text = "inner"}}};
    Value items[] = {{NUMBER, {.number = 1LL << 40}}, {REAL, {.real = 2.5}}, {TEXT, {.text = "hello"}}, {LIST, {.list = {inner, 2}}}};
    Value list = {LIST, {.list = {items, 4}}};
    print_value(&list);
    printf("\n");
    uint32_t random = 5, sum = HASH_START;
    for (int i = 0; i < 500; i++) {
        w.word = next_random(&random);
        uint8_t swap = w.byte[i & 3]; w.byte[i & 3] = w.byte[i >> 2 & 3]; w.byte[i >> 2 & 3] = swap;
        w.half[i & 1] = (uint16_t)(w.half[i & 1] + i);
        sum = hash_u32(sum, w.word);
    }
    printf("%08x\n", sum);
    return 0;
}
