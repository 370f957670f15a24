/* ferror, clearerr, EOF and errno on streams that cannot. */
#include <errno.h>
#include <stdio.h>

int main(void) {
    FILE *f = fopen("/dev/null", "r");
    printf("%d %d %d ", getc(f), feof(f) != 0, ferror(f) != 0);
    clearerr(f);
    errno = 0;
    printf("%d %d ", putc('x', f), ferror(f) != 0);
    fclose(f);
    errno = 0;
    printf("%d %d ", fopen("/no/such/file", "w") == NULL, errno == ENOENT);
    printf("%d %d ", fopen("/", "w") == NULL, errno == EISDIR);
    f = fopen("/dev/full", "w");
    int r = f ? fputs("text", f) : -1, e = f ? fclose(f) : 0;
    printf("%d %d\n", r >= 0, e == EOF && errno == ENOSPC);
    return 0;
}
