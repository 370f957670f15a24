/* A growing string with a formatted append. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct text { char *bytes; size_t length, room; };
static void append(struct text *t, const char *format, ...) {
    va_list list, again;
    va_start(list, format);
    va_copy(again, list);
    int n = vsnprintf(NULL, 0, format, list);
    while (t->length + n + 1 > t->room) t->bytes = realloc(t->bytes, t->room = t->room * 2 + 8);
    t->length += vsnprintf(t->bytes + t->length, n + 1, format, again);
    va_end(list), va_end(again);
}

int main(void) {
    struct text t = {0};
    for (int i = 0; i < 30; i++) append(&t, i % 3 ? "%d," : "<%*s>", i % 3 ? i : i / 3, "x");
    append(&t, "%s%c%.2f", "", 'z', 3.14159);
    printf("%zu %s\n", t.length, t.bytes);
    free(t.bytes);
    return 0;
}
