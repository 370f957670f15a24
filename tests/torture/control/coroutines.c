/* Coroutines after Tatham: a switch on the line number, resumed in the middle of loops. */
#include <stdio.h>

#define BEGIN switch (*line) { case 0:
#define YIELD(x) do { *line = __LINE__; return x; case __LINE__:; } while (0)
#define END } return -1

static int squares(int *line, int *i) {
    BEGIN;
    for (*i = 1; *i < 6; ++*i) {
        YIELD(*i * *i);
        if (*i % 2) YIELD(-*i);
    }
    END;
}

int main(void) {
    int line = 0, i = 0, value;
    do printf("%d ", value = squares(&line, &i)); while (value != -1 || i < 6);
    puts("");
    return 0;
}
