/* realloc that grows and shrinks in steps, from NULL, to zero and back; blocks beside it stay. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *a = NULL, *guard = malloc(16);
    strcpy(guard, "guard");
    int bad = 0;
    for (int n = 1; n < 5000; n = n * 3 / 2 + 1) {
        a = realloc(a, n);
        for (int i = n / 2; i < n; i++) a[i] = i;
        for (int i = n / 2; i < n; i++) bad += a[i] != (char)i;
    }
    a = realloc(a, 10);
    a = realloc(a, 4000);
    memset(a, 1, 4000);
    free(a);
    free(NULL);
    printf("%d %s\n", bad, guard);
    return 0;
}
