/* Each call that prints to a stream without a buffer is one write. */
#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
int main(void) {
    fprintf(stderr, "%s: %d of %5.2f%c and %s\n", "rank", 3, 2.5, 'x', "more");
    fputs("fputs\n", stderr);
    fwrite("fwrite\n", 1, 7, stderr);
    errno = ENOENT;
    perror("perror");
    errno = ENOENT;
    perror(NULL);
    warnx("warnx %d", 1);
    errno = ENOENT;
    warn("warn %d", 1);
    char big[3000];
    memset(big, 'b', sizeof big);
    fprintf(stderr, "%.1024s|%.2999s|%d\n", big, big, 7);
    setvbuf(stdout, NULL, _IONBF, 0);
    puts("puts");
    printf("%s %d %s\n", "printf", 1, "unbuffered");
    FILE *f = fopen("update.txt", "w+");
    setvbuf(f, NULL, _IONBF, 0);
    fprintf(f, "%s %d\n", "update", 1);
    rewind(f);
    char line[50];
    fgets(line, 50, f);
    fputs(line, stdout);
    fseek(f, 0, SEEK_END);
    fprintf(f, "%s %d\n", "update", 2);
    fclose(f);
    int count = fprintf(stderr, "%d%d\n", 1, 2);
    if (count != 3) return 1;
    close(2);
    if (fprintf(stderr, "%d%d\n", 1, 2) != EOF || !ferror(stderr)) return 2;
    return 0;
}
