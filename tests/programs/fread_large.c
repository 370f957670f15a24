/* More than a stream's buffer in one fread(): after getc() and ungetc(), in pieces of all sizes, up to the end and beyond it, and between
 * seeks and writes; positions and the end of the file are as with small reads. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIZE = 100003 };
static unsigned char expected[SIZE], got[SIZE + 5000];

static unsigned sum(const unsigned char *bytes, size_t count)
{
    unsigned value = 1;
    for (size_t i = 0; i < count; i++) value = value * 31 + bytes[i];
    return value;
}

static void say(const char *what, FILE *file, size_t count)
{
    printf("%s: %zu, sum %08x, at %ld, end %d, error %d\n", what, count, sum(got, count), ftell(file), feof(file) != 0, ferror(file) != 0);
}

int main(void)
{
    unsigned random = 1;
    for (size_t i = 0; i < SIZE; i++) expected[i] = (random = random * 1103515245 + 12345) >> 16;
    FILE *file = tmpfile();
    if (!file) return 1;
    printf("%zu\n", fwrite(expected, 1, SIZE, file));
    rewind(file);
    say("all", file, fread(got, 1, SIZE, file));
    if (memcmp(got, expected, SIZE)) puts("other bytes");
    say("and no more", file, fread(got, 1, 10, file));
    rewind(file);
    say("beyond the end", file, fread(got, 1, SIZE + 5000, file));
    printf("getc %d\n", getc(file));

    rewind(file);
    printf("getc %d\n", getc(file));
    say("after getc", file, fread(got, 1, 50000, file));
    printf("getc %d\n", getc(file));
    printf("ungetc %d\n", ungetc('x', file));
    say("after ungetc", file, fread(got, 1, 30000, file));
    printf("first %d\n", got[0]);
    say("the rest, in eights", file, fread(got, 8, 10000, file) * 8);

    fseek(file, 12345, SEEK_SET);
    for (size_t size = 1; size < 40000; size = size * 3 + 1) say("pieces", file, fread(got, 1, size, file));
    fseek(file, -7000, SEEK_END);
    say("elements", file, fread(got, 3000, 4, file) * 3000);

    fseek(file, 4096, SEEK_SET);
    say("before a write", file, fread(got, 1, 8192, file));
    fseek(file, 0, SEEK_CUR);
    fputs("written", file);
    fseek(file, -10, SEEK_CUR);
    say("around it", file, fread(got, 1, 9000, file));

    char buffer[64];
    rewind(file);
    setvbuf(file, buffer, _IOFBF, sizeof buffer);
    say("by a small buffer", file, fread(got, 1, 5000, file));
    printf("getc %d\n", getc(file));
    say("and on", file, fread(got, 1, 63, file));
    return fclose(file);
}
