/* Function pointers: tables of them, passed, returned, in structures, compared, with several signatures. */
#include <stdio.h>

#include "testing.h"

typedef int (*Binary)(int, int);

static int add(int a, int b) { return a + b; }
static int subtract(int a, int b) { return a - b; }
static int multiply(int a, int b) { return a * b; }
static int maximum(int a, int b) { return a > b ? a : b; }
static int minimum(int a, int b) { return a < b ? a : b; }

static const struct {
    const char *name;
    Binary apply;
    int neutral;
} operations[] = {
    {"add", add, 0}, {"subtract", subtract, 0}, {"multiply", multiply, 1}, {"maximum", maximum, -1000}, {"minimum", minimum, 1000},
};

static int fold(Binary f, int start, const int *values, int count) {
    for (int i = 0; i < count; i++) start = f(start, values[i]);
    return start;
}

/* A function that returns a function. */
static Binary choose(char sign) {
    switch (sign) {
    case '+': return add;
    case '-': return subtract;
    case '*': return multiply;
    default: return NULL;
    }
}

/* Objects with methods, as C does them. */
typedef struct Shape Shape;
struct Shape {
    double (*area)(const Shape *);
    void (*describe)(const Shape *, char *, size_t);
    double a, b;
};

static double area_rectangle(const Shape *s) { return s->a * s->b; }
static double area_triangle(const Shape *s) { return s->a * s->b / 2; }
static void describe_rectangle(const Shape *s, char *out, size_t size) { snprintf(out, size, "%gx%g rectangle", s->a, s->b); }
static void describe_triangle(const Shape *s, char *out, size_t size) { snprintf(out, size, "%g/%g triangle", s->a, s->b); }

/* A state machine whose states are functions that return the next one. */
typedef struct State {
    struct State (*step)(int);
} State;

static int words;
static State outside(int c);
static State inside(int c) { return (State){c == ' ' ? outside : inside}; }
static State outside(int c) {
    if (c == ' ') return (State){outside};
    words++;
    return (State){inside};
}

static uint64_t wide(uint64_t a, double b, float c, char d) { return a + (uint64_t)(b * c) + (unsigned char)d; }

int main(void) {
    static const int values[] = {3, -7, 12, 5, 9, -2};
    for (size_t i = 0; i < sizeof operations / sizeof *operations; i++)
        printf("%-8s %d\n", operations[i].name, fold(operations[i].apply, operations[i].neutral, values, 6));
    for (const char *sign = "+-*/"; *sign; sign++) {
        Binary f = choose(*sign);
        printf("7 %c 5 = %d\n", *sign, f ? f(7, 5) : -1);
    }
    printf("same: %d, different: %d\n", choose('+') == add, choose('-') == add);

    const Shape shapes[] = {{area_rectangle, describe_rectangle, 3, 4}, {area_triangle, describe_triangle, 3, 4}};
    for (int i = 0; i < 4; i++) {
        const Shape *s = &shapes[i & 1];
        char text[40];
        s->describe(s, text, sizeof text);
        printf("%s: area %g\n", text, s->area(s));
    }

    State state = {outside};
    for (const char *p = "the quick  brown fox jumps"; *p; p++) state = state.step(*p);
    printf("%d words, ends %s\n", words, state.step == inside ? "inside" : "outside");

    uint64_t (*volatile pointer)(uint64_t, double, float, char) = wide;
    printf("wide %llu\n", (unsigned long long)pointer(10000000000ull, 2.5, 4.0f, 'A'));
    int (*volatile print)(const char *, ...) = printf;
    print("through a pointer: %s %d %.2f\n", "text", 42, 2.75);

    uint32_t random = 1;
    int total = 0;
    for (int i = 0; i < 1000; i++) total = operations[next_random(&random) % 5].apply(total, i) & 0xffff;
    printf("random calls: %d\n", total);
    return 0;
}
