/* fgets, getline, getc, ungetc, fscanf over a file of lines; the last without a newline. */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    FILE *f = fopen("lines.tmp", "w+");
    fputs("first line\n\nthird is longer than the buffer\n12 34 x\nlast", f);
    rewind(f);
    char b[12];
    while (fgets(b, sizeof b, f)) printf("[%s]", b);
    rewind(f);
    char *line = NULL;
    size_t room = 0;
    for (ssize_t n; (n = getline(&line, &room, f)) != -1;) printf("%d ", (int)n);
    free(line);
    rewind(f);
    int c = getc(f);
    ungetc('F', f), ungetc(c, f) == c ? getc(f) : 0;
    int x, y;
    fseek(f, -12, SEEK_END);
    printf("%d %d\n", fscanf(f, "%d%d", &x, &y), x * 100 + y);
    fclose(f);
    return remove("lines.tmp");
}
