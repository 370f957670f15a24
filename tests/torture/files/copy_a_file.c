/* A file copied by characters, lines, blocks and descriptors: four equal copies. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static unsigned sum(const char *name) {
    unsigned s = 0;
    FILE *f = fopen(name, "rb");
    for (int c; (c = getc(f)) != EOF;) s = s * 31 + c;
    fclose(f);
    remove(name);
    return s;
}

int main(void) {
    FILE *f = fopen("copy.0", "wb+"), *a = fopen("copy.1", "wb"), *b = fopen("copy.2", "wb"), *c = fopen("copy.3", "wb");
    int d = open("copy.4", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    char block[100];
    for (int i = 0; i < 400; i++) fprintf(f, "line %d%c", i * i, i % 7 ? '\n' : ' ');
    rewind(f);
    for (int ch; (ch = getc(f)) != EOF;) putc(ch, a);
    rewind(f);
    while (fgets(block, sizeof block, f)) fputs(block, b);
    rewind(f);
    for (size_t n; (n = fread(block, 1, sizeof block, f));) fwrite(block, 1, n, c);
    fflush(f);
    lseek(fileno(f), 0, SEEK_SET);
    for (int n; (n = read(fileno(f), block, 77)) > 0;) write(d, block, n);
    fclose(f), fclose(a), fclose(b), fclose(c), close(d);
    unsigned s = sum("copy.0");
    printf("%u %d %d %d %d\n", s, sum("copy.1") == s, sum("copy.2") == s, sum("copy.3") == s, sum("copy.4") == s);
    return 0;
}
