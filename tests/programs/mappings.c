/* mappings.c: memory by mmap, with and without a file. */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

int main(void) {
    char name[] = "mapXXXXXX";
    int fd = mkstemp(name);
    unlink(name);
    char page[4096];
    for (unsigned i = 0; i < 5000; ++i)
        page[i % sizeof page] = (char)('a' + i % 26);
    write(fd, page, sizeof page);
    write(fd, "behind the first page", 21);

    unsigned char *memory = mmap(NULL, 10000, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    unsigned sum = 0;
    for (int i = 0; i < 10000; ++i)
        sum += memory[i];
    memory[9999] = 1;
    printf("%d %u %d %d\n", memory != MAP_FAILED, sum, (int)((uintptr_t)memory & 4095), munmap(memory, 10000));

    char *file = mmap(NULL, 4096 + 21, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
    printf("%d %.10s %s|\n", file != MAP_FAILED, file, file + 4096);
    file[4096] = 'B';
    char *second = mmap(NULL, 21, PROT_READ, MAP_SHARED, fd, 4096);
    printf("%.21s %.21s %ld\n", file + 4096, second, (long)lseek(fd, 0, SEEK_CUR));
    printf("%d %d %d\n", munmap(file, 4096), munmap(file + 4096, 21), munmap(second, 21));

    errno = 0;
    printf("%d %s\n", mmap(NULL, 0, PROT_READ, MAP_PRIVATE, fd, 0) == MAP_FAILED, strerror(errno));
    errno = 0;
    printf("%d %s\n", mmap(NULL, 100, PROT_READ, MAP_PRIVATE, fd, 100) == MAP_FAILED, strerror(errno));
    errno = 0;
    printf("%d %s\n", mmap(NULL, 100, PROT_READ, MAP_PRIVATE, 99, 0) == MAP_FAILED, strerror(errno));
    for (int i = 0; i < 50; ++i) {      /* what is given back can be had again */
        char *again = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (again == MAP_FAILED || again[5000])
            return 1;
        again[5000] = 1;
        munmap(again, 8192);
    }

    /* What is written to a file is in the mappings that share it. */
    char *seen = mmap(NULL, 8192, PROT_READ, MAP_SHARED, fd, 0);
    char *both = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 4096);
    both[0] = 'B';
    printf("%zd ", pwrite(fd, "pwrite", 6, 4094));
    lseek(fd, 100, SEEK_SET);
    printf("%zd ", write(fd, "write", 5));
    struct iovec pieces[] = {{"wri", 3}, {"tev", 3}};
    printf("%zd\n", writev(fd, pieces, 2));
    printf("%.6s %.11s %.4s\n", seen + 4094, seen + 100, both);
    both[1] = 'I';
    munmap(both, 4096);
    printf("%zd %.6s\n", pread(fd, page, 6, 4094), page);
    return 0;
}
