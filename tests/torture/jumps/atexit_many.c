/* As many functions at exit as C promises, 32; they see what was changed later. */
#include <stdio.h>
#include <stdlib.h>

static int count, sum;
static void note(void) { sum = sum * 3 + ++count; }
static void last(void) { printf("%d %d\n", count, sum); }

int main(void) {
    int failed = atexit(last);
    for (int i = 0; i < 31; i++) failed |= atexit(note);
    return failed;
}
