/* What output functions return, on streams that can and cannot. */
#include <stdio.h>

int main(void) {
    FILE *f = fopen("/dev/null", "r");
    int a = fputc('x', f), b = fputs("x", f), c = fprintf(f, "x"), d = (int)fwrite("x", 1, 1, f);
    fclose(f);
    f = fopen("/dev/null", "w");
    int e = fputc('x', f), g = fputs("x", f) >= 0, h = fprintf(f, "abc"), i = (int)fwrite("xyz", 1, 3, f), j = fclose(f);
    printf("%d %d %d %d %d %d %d %d %d\n", a, b, c < 0, d, e, g, h, i, j);
    return 0;
}
