/* perror writes to standard error, which is not buffered; here it goes to standard output. */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    dup2(1, 2);
    errno = ENOENT;
    perror("name");
    errno = EACCES;
    perror(NULL);
    fprintf(stderr, "%s", "unbuffered ");
    fputs("text\n", stderr);
    return 0;
}
