/* open, read, write, lseek, pread, pwrite, dup, dup2, close, and their errors. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
    int fd = open("descriptors.tmp", O_RDWR | O_CREAT | O_TRUNC, 0644);
    char b[16] = "";
    printf("%d %d\n", (int)write(fd, "hello world", 11), (int)lseek(fd, 6, SEEK_SET));
    int copy = dup(fd);
    printf("%d %s\n", (int)read(copy, b, 5), b);
    printf("%d %d %d\n", (int)pwrite(fd, "J", 1, 0), (int)pread(fd, b, 5, 0), (int)lseek(fd, 0, SEEK_CUR));
    printf("%s %d\n", b, dup2(fd, 50));
    close(fd);
    printf("%d %d\n", (int)write(50, "!", 1), (int)lseek(copy, 0, SEEK_END));
    errno = 0;
    printf("%d %d ", (int)read(fd, b, 1), errno == EBADF);
    printf("%d %d ", open("descriptors.tmp", O_CREAT | O_EXCL, 0600), errno == EEXIST);
    printf("%d %d\n", (int)lseek(copy, -1, SEEK_SET), errno == EINVAL);
    return unlink("descriptors.tmp");
}
