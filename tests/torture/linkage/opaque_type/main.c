/* An opaque type with its functions in another file; callbacks with context. */
#include <stdio.h>
#include "stack.h"

static void show(int value, void *context) { printf("%d%s", value, (const char *)context); }

int main(void) {
    struct stack *s = stack_new();
    for (int i = 0; i < 20; i++) stack_push(s, i * i);
    int top = stack_pop(s) + stack_pop(s);
    stack_each(s, show, " ");
    printf("| %d\n", top);
    stack_free(s);
    return 0;
}
