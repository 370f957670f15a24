/* tmpfile, mkstemp: files that are new and can be written. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void) {
    FILE *f = tmpfile();
    fputs("gone when closed", f);
    rewind(f);
    char b[32];
    printf("%s\n", fgets(b, 32, f));
    fclose(f);
    char name[] = "temporary.XXXXXX";
    int fd = mkstemp(name);
    printf("%d %d %d\n", fd >= 0, strcmp(name, "temporary.XXXXXX") != 0, (int)write(fd, "x", 1));
    close(fd);
    return unlink(name);
}
