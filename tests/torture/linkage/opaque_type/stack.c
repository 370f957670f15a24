/* See main.c. */
#include "stack.h"
#include <stdlib.h>

struct stack { int used, room, *values; };
struct stack *stack_new(void) { return calloc(1, sizeof(struct stack)); }
void stack_push(struct stack *s, int value) {
    if (s->used == s->room) s->values = realloc(s->values, (s->room = s->room * 2 + 1) * sizeof(int));
    s->values[s->used++] = value;
}
int stack_pop(struct stack *s) { return s->values[--s->used]; }
void stack_each(const struct stack *s, void (*f)(int, void *), void *context) {
    for (int i = 0; i < s->used; i++) f(s->values[i], context);
}
void stack_free(struct stack *s) { free(s->values), free(s); }
