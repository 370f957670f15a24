/* Objects in C: tables of functions, inheritance by first member, calls of the parent's. */
#include <stdio.h>

struct animal;
struct class { const struct class *parent; const char *name; int (*legs)(const struct animal *); void (*speak)(const struct animal *); };
struct animal { const struct class *class; int extra; };
static int four(const struct animal *a) { return 4 + a->extra; }
static void quiet(const struct animal *a) { printf("%s with %d; ", a->class->name, a->class->legs(a)); }
static const struct class beast = {NULL, "beast", four, quiet};
static int two(const struct animal *a) { return a->class->parent->legs(a) - 2; }
static const struct class bird;
static void sing(const struct animal *a) { printf("sings: "); bird.parent->speak(a); }
static const struct class bird = {&beast, "bird", two, sing};

int main(void) {
    struct animal list[] = {{&beast, 0}, {&bird, 0}, {&beast, 96}, {&bird, 1}};
    for (int i = 0; i < 4; i++) list[i].class->speak(&list[i]);
    puts("");
    return list[2].class->legs(&list[2]);
}
