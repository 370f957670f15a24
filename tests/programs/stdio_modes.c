/* stdio_modes.c: opening, positioning, pushing back, buffering, temporary files, streams in memory. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void show_file(const char *name) {
    FILE *file = fopen(name, "r");
    int c;
    printf("%s: ", name);
    if (!file) {
        puts(strerror(errno));
        return;
    }
    while ((c = getc(file)) != EOF)
        putchar(c == '\n' ? '$' : c);
    printf("| eof %d error %d\n", !!feof(file), !!ferror(file));
    fclose(file);
}

static void try_mode(const char *mode, int exists) {
    char text[20] = "";
    remove("m");
    if (exists) {
        FILE *file = fopen("m", "w");
        fputs("0123456789", file);
        fclose(file);
    }
    errno = 0;
    FILE *file = fopen("m", mode);
    printf("mode %s on %s: %s", mode, exists ? "ten bytes" : "nothing", file ? "open" : strerror(errno));
    if (file) {
        printf(" at %ld,", strcmp(mode, "a+") == 0 ? -1 : ftell(file));    /* where a+ begins is not said */
        printf(" wrote %d,", fputs("ab", file) >= 0);
        clearerr(file);
        rewind(file);
        printf(" read %d", (int)fread(text, 1, 12, file));
        printf(" %.12s, eof %d error %d", text, !!feof(file), !!ferror(file));
        printf(" close %d", fclose(file));
    }
    puts("");
    if (file)
        show_file("m");
}

int main(void) {
    char folder[] = "streams_XXXXXX";       /* of each PE its own */
    if (!mkdtemp(folder) || chdir(folder) < 0)
        return 1;
    const char *modes[] = {"r", "w", "a", "r+", "w+", "a+", "rb", "wb+", "w+b", "wx", "ax"};
    for (unsigned i = 0; i < sizeof modes / sizeof *modes; ++i) {
        if (strchr(modes[i], 'a') && strchr(modes[i], 'x'))
            continue;
        try_mode(modes[i], 1);
        try_mode(modes[i], 0);
    }

    FILE *file = fopen("p", "w+");
    fprintf(file, "line one\nline two\nthree");
    fpos_t here;
    char line[40];
    printf("%d %ld", fseek(file, 5, SEEK_SET), ftell(file));
    printf(" %d", fgetpos(file, &here));
    printf(" %s", fgets(line, sizeof line, file));
    printf("%d %ld", fsetpos(file, &here), ftell(file));
    printf(" %d %ld", fseek(file, -5, SEEK_END), ftell(file));
    printf(" %s", fgets(line, sizeof line, file));
    errno = 0;
    printf(" %d %s", fseek(file, -100, SEEK_CUR), strerror(errno));
    printf(" %d %ld\n", fseek(file, 3, SEEK_END), ftell(file));
    fputc('!', file);
    rewind(file);
    int first = getc(file);
    printf("%c %d %d", first, ungetc('X', file), getc(file));
    printf(" %d %d", ungetc(EOF, file), getc(file));
    ungetc('Y', file);
    printf(" %ld", ftell(file));
    fseek(file, 0, SEEK_CUR);
    printf(" %c", getc(file));
    fseek(file, 0, SEEK_END);
    printf(" %d", getc(file));
    printf(" %d %d", !!feof(file), ungetc('Z', file));
    printf(" %d %c\n", !!feof(file), getc(file));
    fclose(file);
    show_file("p");

    static char buffer[64];
    file = fopen("b", "w");
    printf("%d", setvbuf(file, buffer, _IOFBF, sizeof buffer));
    fputs("held back", file);
    FILE *other = fopen("b", "r");
    fflush(file);
    printf(" %c", getc(other));
    printf(" %d\n", freopen("b2", "w", other) == other);
    fputs("reopened", other);
    fclose(other);
    fclose(file);
    show_file("b2");
    file = fopen("b", "w");
    setvbuf(file, NULL, _IONBF, 0);
    fputs("at once", file);
    show_file("b");
    fclose(file);
    file = fopen("b", "w");
    setvbuf(file, NULL, _IOLBF, 256);
    fputs("a line\nand more", file);
    show_file("b");
    fclose(file);

    FILE *temporary = tmpfile();
    fputs("temporary 42", temporary);
    rewind(temporary);
    int number = 0;
    printf("%d %d", fscanf(temporary, "temporary %d", &number), number);
    fclose(temporary);
    char name[L_tmpnam];
    printf(" %d %d\n", tmpnam(name) == name, access(name, F_OK));
    printf("%d %d", rename("b", "c"), rename("b", "d"));
    printf(" %s %d %d", strerror(errno), remove("c"), remove("c"));
    printf(" %s\n", strerror(errno));

    char *text;
    size_t size;
    FILE *memory = open_memstream(&text, &size);
    fprintf(memory, "%d and %s", 12, "more");
    fflush(memory);
    printf("%s %d", text, (int)size);
    fseek(memory, 3, SEEK_SET);
    fputs("AND", memory);
    fclose(memory);
    printf(" %s\n", text);
    free(text);
    char room[16] = "12 34 fifty";
    memory = fmemopen(room, strlen(room), "r");
    int a, b;
    printf("%d %d %d", fscanf(memory, "%d %d", &a, &b), a, b);
    printf(" %s", fgets(line, sizeof line, memory));
    printf(" %d\n", getc(memory));
    fclose(memory);

    errno = 0;
    printf("%d %s\n", fopen("no/such/folder", "w") == NULL, strerror(errno));
    file = fopen("p", "r");
    printf("%d %d", putc('x', file), !!ferror(file));
    clearerr(file);
    printf(" %d %d\n", !!ferror(file), fclose(file));
    fflush(stdout);
    dprintf(1, "%s %05.1f\n", "dprintf", 3.14159);
    remove("m"), remove("p"), remove("b"), remove("b2");
    return chdir("..") || rmdir(folder);
}
