/* missing.c: what wasi-libc lacks and programs of others name, so that more of them can be measured beside. No PE has to do with it.
 * What asks the system fails. */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

static int none(void)
{
    errno = ENOSYS;
    return -1;
}

int chmod(const char *path, unsigned mode) { return none(); }
int fchmod(int file, unsigned mode) { return none(); }
int chown(const char *path, unsigned user, unsigned group) { return none(); }
int fchown(int file, unsigned user, unsigned group) { return none(); }
int system(const char *command) { return none(); }
int mkstemp(char *name) { return none(); }
int pclose(FILE *stream) { return none(); }
unsigned umask(unsigned mask) { return 022; }
unsigned getuid(void) { return 0; }
unsigned alarm(unsigned seconds) { return 0; }
FILE *popen(const char *command, const char *mode) { return none(), (FILE *)NULL; }
char *tmpnam(char *name) { return none(), (char *)NULL; }

FILE *tmpfile(void)
{
    FILE *file = fopen("wasi.tmp", "w+");
    if (file)
        unlink("wasi.tmp");
    return file;
}

char *gets(char *line)
{
    int c, length = 0;
    while ((c = getchar()) != EOF && c != '\n')
        line[length++] = c;
    line[length] = 0;
    return c == EOF && length == 0 ? NULL : line;
}
