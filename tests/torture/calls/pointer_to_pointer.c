/* Pointers to pointers, to arrays, to functions that return pointers to functions. */
#include <stdio.h>
#include <stdlib.h>

static int plus(int x) { return x + 1; }
static int minus(int x) { return x - 1; }
static int (*pick(int way))(int) { return way ? plus : minus; }
static void grow(int ***rows, int n) {
    *rows = malloc(n * sizeof **rows);
    for (int i = 0; i < n; i++) {
        (*rows)[i] = malloc((i + 1) * sizeof(int));
        for (int j = 0; j <= i; j++) (*rows)[i][j] = j == 0 || j == i ? 1 : (*rows)[i - 1][j - 1] + (*rows)[i - 1][j];
    }
}

int main(void) {
    int **rows, (*(*chooser)(int))(int) = pick, (*f)(int) = chooser(1);
    grow(&rows, 20);
    char *words[] = {"one", "two", "three"}, **w = words;
    printf("%d %d %d %c %s %c\n", rows[19][9], f(1), chooser(0)(1), **++w, *++w + 2, *w[-1]);
    return 0;
}
