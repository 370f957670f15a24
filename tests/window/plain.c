/* plain.c: a program without shared memory, with whatever in the library asks whether there is some. */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void)
{
    struct stat status;
    int fd = open("/dev/null", O_RDWR);
    char *own = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    fstat(fd, &status);
    ftruncate(fd, 0);
    close(fd);
    strcpy(own, "its own");
    printf("%s\n", own);
    return munmap(own, 4096);
}
