/* shared_files.c: files that are written by way of mappings. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void show(int fd, off_t at, int count) {
    char text[100] = "";
    ssize_t got = pread(fd, text, (size_t)count, at);
    for (int i = 0; i < got; ++i)
        if (!text[i]) text[i] = '.';
    printf("%d %.*s\n", (int)got, (int)got, text);
}

int main(void) {
    char name[] = "mapXXXXXX";
    int fd = mkstemp(name), other = open(name, O_RDWR), reader = open(name, O_RDONLY);
    unlink(name);
    ftruncate(fd, 10000);
    char *whole = mmap(NULL, 10000, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    char *last = mmap(NULL, 1808, PROT_READ | PROT_WRITE, MAP_SHARED, other, 8192);
    printf("%d %d\n", whole != MAP_FAILED, last != MAP_FAILED);
    strcpy(whole + 100, "by the first");
    strcpy(last + 50, "by the second");
    whole[10100] = 'x';                 /* behind the file's end: nobody's */
    printf("%d %d\n", msync(whole, 10000, MS_SYNC), munmap(last, 1808));
    show(fd, 98, 16), show(fd, 8240, 30);
    printf("%ld\n", (long)lseek(fd, 0, SEEK_END));
    pwrite(other, "from elsewhere", 14, 5000);
    printf("%d %.14s\n", msync(whole, 10000, MS_SYNC | MS_INVALIDATE), whole + 5000);
    char *part = mmap(NULL, 10, PROT_READ | PROT_WRITE, MAP_SHARED, other, 0);
    part[11] = '1'; /* in its page, as far as the file goes */
    printf("%d ", msync(part, 10, MS_SYNC));
    show(fd, 10, 4);
    part[12] = '2';
    printf("%d ", munmap(part, 10));
    show(fd, 10, 4);
    close(fd); /* the mapping stays */
    memcpy(whole + 4090, "across two pages", 16);
    printf("%d\n", munmap(whole, 10000));
    show(other, 4088, 20);
    printf("%d\n", open("/dev/null", O_RDONLY));

    errno = 0;
    printf("%d %s\n", mmap(NULL, 100, PROT_READ | PROT_WRITE, MAP_SHARED, reader, 0) == MAP_FAILED, strerror(errno));
    char *later = mmap(NULL, 100, PROT_READ, MAP_SHARED, reader, 0);
    errno = 0;
    printf("%d %s\n", mprotect(later, 100, PROT_READ | PROT_WRITE), strerror(errno));
    errno = 0;
    printf("%d %s\n", msync(later + 1, 10, MS_SYNC), strerror(errno));
    return 0;
}
