/* readv, writev, and short counts at the end of a file. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/uio.h>
#include <unistd.h>

int main(void) {
    int fd = open("vectors.tmp", O_RDWR | O_CREAT | O_TRUNC, 0644);
    struct iovec out[] = {{"abc", 3}, {"", 0}, {"defgh", 5}};
    char a[4] = "", b[3] = "", c[10] = "";
    struct iovec in[] = {{a, 3}, {b, 2}, {c, 9}};
    printf("%d ", (int)writev(fd, out, 3));
    lseek(fd, 0, SEEK_SET);
    printf("%d %s %s %s\n", (int)readv(fd, in, 3), a, b, c);
    close(fd);
    return unlink("vectors.tmp");
}
