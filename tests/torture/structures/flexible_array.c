/* Flexible array members and zero-length arrays: sizes, static initialisation, heap. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct text { unsigned short length; char data[]; };
struct old { int count; int value[0]; };
static struct text fixed = {5, "hello"};

int main(void) {
    struct text *t = malloc(sizeof *t + 11);
    t->length = 10;
    memcpy(t->data, "0123456789", 11);
    struct old *o = malloc(sizeof *o + 3 * sizeof o->value[0]);
    o->count = 3;
    for (int i = 0; i < 3; i++) o->value[i] = i * 7;
    printf("%zu %zu %s %s %d\n", sizeof(struct text), sizeof(struct old), t->data, fixed.data, o->value[2]);
    printf("%zu\n", offsetof(struct text, data));
    struct text copy = *t;
    printf("%d\n", copy.length);
    free(t);
    free(o);
    return fixed.length;
}
