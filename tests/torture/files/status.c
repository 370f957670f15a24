/* stat, fstat, lstat, access, chmod, umask, truncate, links. */
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
    umask(022);
    int fd = open("status.tmp", O_RDWR | O_CREAT | O_TRUNC, 0666);
    write(fd, "12345", 5);
    struct stat s;
    fstat(fd, &s);
    printf("%ld %o %d %d\n", (long)s.st_size, s.st_mode & 0777, S_ISREG(s.st_mode), (int)s.st_nlink);
    chmod("status.tmp", 0400), ftruncate(fd, 3), link("status.tmp", "status2.tmp"), symlink("status.tmp", "status3.tmp");
    stat("status3.tmp", &s);
    printf("%ld %o %d\n", (long)s.st_size, s.st_mode & 0777, (int)s.st_nlink);
    lstat("status3.tmp", &s);
    char b[32] = "";
    printf("%d %d %s\n", S_ISLNK(s.st_mode), (int)readlink("status3.tmp", b, 31), b);
    printf("%d %d %d\n", access("status2.tmp", R_OK), access("absent", F_OK), stat("absent", &s));
    stat("/dev/null", &s);
    printf("%d\n", S_ISCHR(s.st_mode));
    return unlink("status.tmp") + unlink("status2.tmp") + unlink("status3.tmp");
}
