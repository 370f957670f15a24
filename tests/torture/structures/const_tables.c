/* Constant tables with addresses in them: of strings, functions, members and other tables. */
#include <stdio.h>

static int twice(int x) { return 2 * x; }
static int square(int x) { return x * x; }
static struct { int a, b; } place = {10, 20};
static const struct row { const char *name; int (*function)(int); int *where; const struct row *next; } rows[] = {
    {"twice", twice, &place.a, &rows[2]}, {"square" + 1, square, &place.b, 0}, {"both", square, &place.a + 1, &rows[1]}};

int main(void) {
    for (const struct row *r = rows; r; r = r->next) printf("%s %d %d\n", r->name, r->function(7), *r->where += 1);
    return place.b;
}
