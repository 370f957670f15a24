/* Anonymous structures and unions: their members belong to what they are in. */
#include <stddef.h>
#include <stdio.h>

struct token {
    int kind;
    union {
        long long integer;
        double real;
        struct { const char *text; unsigned length; };
    };
    struct { short line, column; };
};

int main(void) {
    struct token list[] = {{.kind = 1, .integer = -5, .line = 3}, {2, {.real = 2.5}, {4, 5}}, {.text = "abc", .length = 3, .kind = 3, .column = 9}};
    for (int i = 0; i < 3; i++) {
        struct token *t = &list[i];
        if (t->kind == 1) printf("%lld", t->integer);
        else if (t->kind == 2) printf("%g", t->real);
        else printf("%.*s", (int)t->length, t->text);
        printf(" at %d:%d\n", t->line, t->column);
    }
    printf("%zu %zu\n", offsetof(struct token, length), offsetof(struct token, column));
    return sizeof(struct token);
}
