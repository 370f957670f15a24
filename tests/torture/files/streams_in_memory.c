/* fmemopen and open_memstream, freopen, fdopen, fileno. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int main(void) {
    char text[] = "10 20 30";
    FILE *m = fmemopen(text, sizeof text - 1, "r");
    int a, b, c;
    printf("%d %d\n", fscanf(m, "%d %d %d", &a, &b, &c), a + b + c);
    fclose(m);
    char *out = NULL;
    size_t size = 0;
    FILE *o = open_memstream(&out, &size);
    for (int i = 0; i < 50; i++) fprintf(o, "%d,", i);
    fclose(o);
    printf("%zu %.10s\n", size, out);
    free(out);
    FILE *d = fdopen(open("memory.tmp", O_RDWR | O_CREAT | O_TRUNC, 0644), "w");
    printf("%d %d\n", fprintf(d, "via descriptor"), fileno(d) > 2);
    fclose(d);
    return unlink("memory.tmp");
}
