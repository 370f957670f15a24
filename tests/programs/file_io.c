/* Files by the POSIX calls and by stdio: create, write, seek, overwrite, read back, append, truncate, fstat, unlink, errors.
 * Every PE uses a file of its own. */
#include <errno.h>
#include <fcntl.h>
#include <mog.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "testing.h"

static void show(const char *name, long value) { printf("%s %ld\n", name, value); }
static void fails(const char *name, int failed, int expected) {
    int right = errno == expected;
    printf("%s %s\n", name, failed ? right ? "fails as it should" : "fails otherwise" : "works?");
}

int main(void) {
    char name[40], buffer[256];
    snprintf(name, sizeof name, "file_io_%d.tmp", mog_rank());
    unlink(name);
    fails("open missing", open(name, O_RDONLY) < 0, ENOENT);
    int fd = open(name, O_RDWR | O_CREAT | O_EXCL, 0644);
    show("created", fd >= 3);
    fails("create again", open(name, O_RDWR | O_CREAT | O_EXCL, 0644) < 0, EEXIST);
    show("write", write(fd, "0123456789abcdefghij", 20));
    show("seek", lseek(fd, 5, SEEK_SET));
    show("seek", lseek(fd, 2, SEEK_CUR));
    show("seek", lseek(fd, -4, SEEK_END));
    fails("seek before the start", lseek(fd, -100, SEEK_SET) < 0, EINVAL);
    show("write", write(fd, "WXYZ+", 5));
    lseek(fd, 3, SEEK_SET);
    memset(buffer, 0, sizeof buffer);
    show("read", read(fd, buffer, 100));
    printf("%s\n", buffer);
    show("read at end", read(fd, buffer, 100));
    lseek(fd, 30, SEEK_SET); /* a hole */
    show("write", write(fd, "end", 3));
    struct stat status;
    show("fstat", fstat(fd, &status));
    printf("size %ld regular %d mode %o\n", (long)status.st_size, S_ISREG(status.st_mode) != 0, (unsigned)status.st_mode & 0700);
    show("close", close(fd));
    fails("write after close", write(fd, "x", 1) < 0, EBADF);
    fails("close again", close(fd) < 0, EBADF);

    fd = open(name, O_WRONLY | O_APPEND);
    show("append", write(fd, "+appended", 9));
    fails("read what is open for writing", read(fd, buffer, 1) < 0, EBADF);
    close(fd);
    FILE *file = fopen(name, "rb");
    size_t n = fread(buffer, 1, sizeof buffer, file);
    printf("fread %zu %08x, eof %d\n", n, hash_bytes(HASH_START, buffer, n), feof(file) != 0);
    rewind(file);
    show("getc", fgetc(file));
    show("getc", getc(file));
    ungetc('!', file);
    show("getc", fgetc(file));
    show("getc", fgetc(file));
    fseek(file, -9, SEEK_END);
    show("ftell", ftell(file));
    printf("%s\n", fgets(buffer, sizeof buffer, file));
    fclose(file);

    file = fopen(name, "w+");
    for (int i = 0; i < 200; i++) fprintf(file, "line %d of %s\n", i, "many");
    fflush(file);
    show("ftell", ftell(file));
    rewind(file);
    int lines = 0, number, sum = 0;
    while (fgets(buffer, sizeof buffer, file)) {
        lines++;
        if (sscanf(buffer, "line %d", &number) == 1) sum += number;
    }
    printf("%d lines, %d\n", lines, sum);
    fseek(file, 0, SEEK_SET);
    show("fscanf", fscanf(file, "line %d of %19s", &number, buffer));
    printf("%d %s\n", number, buffer);
    fseek(file, 15, SEEK_SET);
    fputs("LINE", file);
    fseek(file, 0, SEEK_SET);
    char *first = fgets(buffer, 100, file), *second = fgets(buffer + 100, 100, file);
    printf("%s%s", first, second);
    fclose(file);

    file = fopen(name, "a");
    fputs("last\n", file);
    fclose(file);
    file = fopen(name, "r");
    setvbuf(file, NULL, _IONBF, 0);
    fseek(file, -5, SEEK_END);
    printf("%s", fgets(buffer, 100, file));
    show("end", fgetc(file) == EOF && feof(file) && !ferror(file));
    fclose(file);
    fd = open(name, O_WRONLY | O_TRUNC);
    fstat(fd, &status);
    show("truncated", (long)status.st_size);
    show("isatty", isatty(fd));
    close(fd);
    show("unlink", unlink(name));
    fails("unlink again", unlink(name) < 0, ENOENT);
    fails("no directory", fopen("no_such_directory/file", "w") == NULL, ENOENT);
    return 0;
}
