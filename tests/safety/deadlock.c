/* deadlock.c: two PEs lock a byte each, and then wait for each other's: one of them is told so, the other gets its lock. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include <mog.h>

int main(void) {
    int fd = open("locked", O_RDWR | O_CREAT, 0666);
    struct flock mine = {.l_type = F_WRLCK, .l_start = IPROC, .l_len = 1}, other = mine, seen;
    other.l_start = !IPROC;
    fcntl(fd, F_SETLK, &mine);
    do {
        seen = other;
        fcntl(fd, F_GETLK, &seen);
    } while (seen.l_type == F_UNLCK);
    printf("the other PE has byte %d\n", (int)seen.l_start == !IPROC && seen.l_type == F_WRLCK);
    int failed = fcntl(fd, F_SETLKW, &other);
    puts(failed == 0 ? "got both" : errno == EDEADLK ? "deadlock avoided" : "something else");
    return 0;
}
