/* err.h, and what a program gets that asks for other processes: an error, not a crash. */
#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    errno = ENOENT;
    warn("cannot open %s", "file");
    warnx("only %d left", 3);
    errno = EACCES;
    warn(NULL);
    printf("before the end\n");
    fflush(stdout);
    errno = EISDIR;
    err(3, "fatal in %s", __func__);
}
