/* streams.c: standard streams are the same objects from the first use to the last. */
#include <stdio.h>

int main(void) {
    FILE *in = stdin, *out = stdout, *error = stderr;
    FILE *volatile kept = stdout;
    fprintf(out, "%d%d%d\n", in == stdin, out == stdout, error == stderr);
    fputs("to standard error\n", error);
    printf("%d%d%d%d\n", in == stdin, out == stdout, error == stderr, kept == stdout);
    return fflush(kept);
}
