/* fopen, fwrite, fread, fseek, ftell, rewind, feof on a real file. */
#include <stdio.h>

int main(void) {
    FILE *f = fopen("write_and_read.tmp", "w+b");
    int v[100], w[100] = {0};
    for (int i = 0; i < 100; i++) v[i] = i * i - 50;
    printf("%zu %ld\n", fwrite(v, sizeof *v, 100, f), ftell(f));
    rewind(f);
    printf("%zu %d %d\n", fread(w, 4, 101, f), w[99], feof(f) != 0);
    fseek(f, -40, SEEK_END);
    fread(w, 4, 1, f);
    fseek(f, 8, SEEK_SET);
    fwrite("ABCD", 1, 4, f);
    fseek(f, -8, SEEK_CUR);
    fread(w + 1, 4, 2, f);
    printf("%d %d %x %ld\n", w[0], w[1], w[2], ftell(f));
    fclose(f);
    return remove("write_and_read.tmp");
}
