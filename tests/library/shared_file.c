/* shared_file.c: each PE has a line of a file, which it writes by way of a mapping, and ends in its own way. */
#include <fcntl.h>
#include <mog.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static char *line;
static void at_exit(void) { memcpy(line, "by atexit", 9); }

int main(void) {
    int fd = open("lines", O_RDWR);
    char *text = mmap(NULL, (size_t)(10 * NPROC), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (text == MAP_FAILED) return perror("mmap"), 1;
    close(fd);
    line = text + 10 * IPROC;
    snprintf(line, 10, "line %3d", IPROC);
    line[8] = ' ', line[9] = '\n';
    if (IPROC % 4 == 1) _exit(0);
    if (IPROC % 4 == 2) atexit(at_exit);
    if (IPROC % 4 == 3) return munmap(text, (size_t)(10 * NPROC)) != 0;
    return 0;
}
