/* counter.c: PEs and processes that count in one file, under a lock each time. Arguments: fcntl or flock, a file, how often. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

static int by_flock, fd;

static int set(int kind) {
    struct flock lock = {.l_type = kind, .l_whence = SEEK_SET, .l_start = 100, .l_len = 1};
    if (by_flock)
        return flock(fd, kind == F_UNLCK ? LOCK_UN : LOCK_EX);
    return fcntl(fd, F_SETLKW, &lock);
}

int main(int argc, char **argv) {
    char text[20] = "";
    if (argc != 4)
        return 2;
    by_flock = !strcmp(argv[1], "flock");
    fd = open(argv[2], O_RDWR | O_CREAT, 0666);
    for (int n = atoi(argv[3]); n > 0; --n) {
        if (set(F_WRLCK) < 0) {
            perror("lock");
            return 1;
        }
        memset(text, 0, sizeof text);
        pread(fd, text, sizeof text - 1, 0);
        int size = sprintf(text, "%d\n", atoi(text) + 1);
        pwrite(fd, text, size, 0);
        set(F_UNLCK);
    }
    return 0;
}
