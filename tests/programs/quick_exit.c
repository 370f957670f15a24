/* _exit: nothing is flushed, no handler runs; what was written by write() is there. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void handler(void) { write(1, "never\n", 6); }

int main(void) {
    setvbuf(stdout, NULL, _IOFBF, 1024);
    atexit(handler);
    const char *text = "written\n";
    write(1, text, strlen(text));
    printf("buffered, so lost");
    _exit(42);
}
