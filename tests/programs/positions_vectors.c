/* pread, pwrite, readv, writev, truncate, dup and shared positions, fcntl, O_APPEND, holes, modes, umask, utime. */
#include <errno.h>
#include <fcntl.h>
#include <mog.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>
#include <utime.h>

static void show(const char *what, long result) {
    if (result < 0)
        printf("%s: %s\n", what, strerror(errno));
    else
        printf("%s: %ld\n", what, result);
}

static struct stat status;
static long size_of(int fd) { return fstat(fd, &status) < 0 ? -1 : (long)status.st_size; }

int main(void) {
    char name[40], buffer[64];
    snprintf(name, sizeof name, "positions_%d.tmp", mog_rank());
    int fd = open(name, O_RDWR | O_CREAT | O_TRUNC, 0644);
    show("pwrite", pwrite(fd, "0123456789", 10, 5));
    show("position", lseek(fd, 0, SEEK_CUR));
    show("size", size_of(fd));
    memset(buffer, '.', sizeof buffer);
    show("pread", pread(fd, buffer, 8, 3));
    for (int i = 0; i < 8; i++) printf("%d ", buffer[i]);
    putchar('\n');
    show("pread behind the end", pread(fd, buffer, 8, 100));
    show("pread before the start", pread(fd, buffer, 8, -1));
    show("pwrite before the start", pwrite(fd, buffer, 8, -1));
    show("pread nothing", pread(fd, buffer, 0, 0));
    show("pread EFAULT", pread(fd, (void *)8, 4, 5));
    show("pread closed", pread(99, buffer, 4, 5));

    char first[4] = {0}, second[8] = {0};
    struct iovec pieces[3] = {{"abc", 3}, {"", 0}, {"DEFGH", 5}};
    show("lseek", lseek(fd, 2, SEEK_SET));
    show("writev", writev(fd, pieces, 3));
    show("position", lseek(fd, 0, SEEK_CUR));
    lseek(fd, 1, SEEK_SET);
    struct iovec room[2] = {{first, 3}, {second, 7}};
    show("readv", readv(fd, room, 2));
    printf("%d%.2s %.7s\n", first[0], first + 1, second);
    lseek(fd, -4, SEEK_END);
    show("readv short", readv(fd, room, 2));
    show("readv at end", readv(fd, room, 2));
    show("writev of none", writev(fd, pieces, 0));
    show("writev of too many", writev(fd, pieces, 2000));
    struct iovec bad[2] = {{(void *)16, 4}, {"ok", 2}};
    show("writev EFAULT", writev(fd, bad, 2) < 0);

    show("ftruncate shorter", ftruncate(fd, 6));
    show("size", size_of(fd));
    show("ftruncate longer", ftruncate(fd, 20));
    show("truncate", truncate(name, 12));
    show("size", size_of(fd));
    show("truncate negative", truncate(name, -1));
    show("truncate nothing", truncate("no_such_file", 1));
    show("truncate a directory", truncate(".", 1));

    int copy = dup(fd);
    show("dup is lowest", copy == fd + 1);
    lseek(fd, 7, SEEK_SET);
    show("shared position", lseek(copy, 0, SEEK_CUR));
    show("dup2", dup2(fd, 20));
    show("shared position", lseek(20, 1, SEEK_CUR));
    close(copy);
    show("still open", lseek(20, 0, SEEK_CUR));
    int other = open(name, O_RDONLY);
    show("own position", lseek(other, 0, SEEK_CUR));
    show("F_DUPFD", fcntl(fd, F_DUPFD, 30));
    show("F_GETFL", fcntl(other, F_GETFL) & O_ACCMODE);
    show("F_GETFL append", (fcntl(20, F_GETFL) & O_APPEND) != 0);
    show("write to read-only", write(other, "x", 1));
    show("dup closed", dup(55));
    show("dup2 to nowhere", dup2(fd, -1));
    close(other);

    int end = open(name, O_WRONLY | O_APPEND);
    lseek(end, 0, SEEK_SET);
    show("append", write(end, "end", 3));
    show("position", lseek(end, 0, SEEK_CUR));
    show("size", size_of(end));
    show("append flag", (fcntl(end, F_GETFL) & O_APPEND) != 0);
    close(end);

    show("fsync", fsync(fd));
    show("fdatasync", fdatasync(fd));
    show("fchmod", fchmod(fd, 0640));
    fstat(fd, &status);
    printf("mode %o\n", (unsigned)status.st_mode & 07777);
    show("chmod", chmod(name, 0444));
    stat(name, &status);
    printf("mode %o\n", (unsigned)status.st_mode & 07777);
    show("chmod nothing", chmod("no_such_file", 0444));
    show("access", access(name, R_OK));
    show("access nothing", access("no_such_file", F_OK));
    chmod(name, 0644);

    printf("umask %o\n", (unsigned)umask(027));
    char masked[48];
    snprintf(masked, sizeof masked, "%s.masked", name);
    close(open(masked, O_CREAT | O_WRONLY, 0666));
    stat(masked, &status);
    printf("mode %o\n", (unsigned)status.st_mode & 07777);
    printf("umask %o\n", (unsigned)umask(0));
    unlink(masked);
    close(creat(masked, 0666));
    stat(masked, &status);
    printf("mode %o\n", (unsigned)status.st_mode & 07777);

    struct utimbuf old = {1000000000, 1111111111};
    show("utime", utime(name, &old));
    stat(name, &status);
    printf("%ld %ld\n", (long)status.st_atime, (long)status.st_mtime);
    struct timeval exact[2] = {{1222222222, 250000}, {1333333333, 750000}};
    show("utimes", utimes(name, exact));
    stat(name, &status);
    printf("%ld %ld %ld\n", (long)status.st_atime, (long)status.st_mtime, (long)status.st_mtim.tv_nsec);
    struct timespec precise[2] = {{0, UTIME_OMIT}, {1444444444, 123456789}};
    show("utimensat", utimensat(AT_FDCWD, name, precise, 0));
    stat(name, &status);
    printf("%ld %ld %ld\n", (long)status.st_atime, (long)status.st_mtime, (long)status.st_mtim.tv_nsec);
    show("futimens", futimens(fd, NULL));
    fstat(fd, &status);
    show("is now", status.st_mtime > 1600000000);
    show("utime nothing", utime("no_such_file", NULL));

    close(fd);
    unlink(masked);
    unlink(name);

    /* temporary files and names */
    FILE *file = tmpfile();
    fputs("temporary\n", file);
    rewind(file);
    printf("%s", fgets(buffer, sizeof buffer, file));
    fclose(file);
    char pattern[] = "tempXXXXXX", folder[] = "foldXXXXXX";
    fd = mkstemp(pattern);
    show("mkstemp", fd >= 0 && strncmp(pattern, "temp", 4) == 0 && strcmp(pattern, "tempXXXXXX") != 0);
    fstat(fd, &status);
    printf("mode %o\n", (unsigned)status.st_mode & 0777);
    show("mkdtemp", mkdtemp(folder) == folder);
    show("rmdir", rmdir(folder));
    close(fd);
    show("unlink", unlink(pattern));
    return 0;
}
