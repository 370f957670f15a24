/* files.c: files at offsets, appended to, opened twice, locked, closed and opened again; folders; standard input; what is asked about them
 * is printed after each step. Each PE has a folder of its own, and all share a file. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <mog.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static void work(void) {
    volatile unsigned x = 1;
    for (int i = 0; i < 1500; i++) x = x * 5 + i;
}

static void show(int fd, const char *what) {
    struct stat status;
    work();
    int known = fstat(fd, &status);
    printf("PE %d: %s: at %ld, size %ld, flags %x, close-on-exec %d\n", IPROC, what, (long)lseek(fd, 0, SEEK_CUR), known ? -1L : (long)status.st_size,
           fcntl(fd, F_GETFL), fcntl(fd, F_GETFD));
    work();
}

int main(void) {
    char name[64], buffer[64];
    sprintf(name, "own.%d", IPROC);
    if (mkdir(name, 0777) || chdir(name)) return 1;
    char *folder_name = getcwd(NULL, 0);
    printf("PE %d is in %s\n", IPROC, strrchr(folder_name ? folder_name : "/?", '/'));
    free(folder_name);
    umask(IPROC % 2 ? 077 : 022);
    int fd = open("a", O_RDWR | O_CREAT | O_EXCL, 0666), twin = dup(fd), high = fcntl(fd, F_DUPFD, 40), again = open("a", O_RDONLY);
    fcntl(twin, F_SETFD, FD_CLOEXEC);
    for (int i = 0; i < 6; i++) {
        sprintf(buffer, "PE %d writes %d\n", IPROC, i);
        write(i % 2 ? fd : twin, buffer, strlen(buffer));
        show(fd, "written");
        show(high, "by its third descriptor");
        buffer[read(again, buffer, 5)] = 0;
        printf("PE %d reads \"%s\"\n", IPROC, buffer);
    }
    int log = open("../log", O_WRONLY | O_CREAT | O_APPEND, 0666);
    for (int i = 0; i < 3; i++) {
        sprintf(buffer, "PE %d\n", IPROC);
        work();
        write(log, buffer, strlen(buffer));
        work();
        /* Of one's own file: who waits for another's is tried again after some time, and whose turn it is depends on that. */
        flock(fd, i == 1 ? LOCK_SH : LOCK_EX);
        for (int k = 0; k < 6; k++) work();
        int shared = flock(again, LOCK_SH | LOCK_NB), alone = flock(again, LOCK_EX | LOCK_NB);
        printf("PE %d: locked by another open file: %d, alone %d\n", IPROC, shared, alone);
        work();
        flock(fd, LOCK_UN);
        flock(again, LOCK_UN);
    }
    show(log, "log is appended to");
    struct flock range = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 10 * IPROC, .l_len = 10};
    printf("PE %d: locked: %d\n", IPROC, fcntl(log, F_SETLK, &range));
    work();
    work();
    struct flock all = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = 10 * ((IPROC + 1) % NPROC), .l_len = 1};
    fcntl(log, F_GETLK, &all);
    printf("PE %d: the next one's lock: %s\n", IPROC, all.l_type == F_UNLCK ? "free" : "taken");
    work();
    fcntl(fd, F_SETFL, O_APPEND | O_NONBLOCK);
    close(twin);
    lseek(fd, 3, SEEK_SET);
    show(fd, "appends now");
    FILE *file = fopen("b", "w+");
    for (int i = 0; i < 40; i++) {
        fprintf(file, "line %d, which may be in a buffer\n", i);
        if (i % 10 == 0) work();
    }
    rewind(file);
    for (int i = 0; i < 3; i++) {
        if (fgets(buffer, sizeof buffer, file)) printf("PE %d: %s", IPROC, buffer);
        work();
    }
    fclose(file);
    rename("b", "c");
    DIR *folder = opendir(".");
    int entries = 0;
    while (readdir(folder)) {
        entries++;
        work();
    }
    closedir(folder);
    printf("PE %d: %d entries, mode %o\n", IPROC, entries, stat("c", &(struct stat){0}) ? 0 : (int)(({ struct stat s; stat("c", &s); s.st_mode; })));
    int zero = open("/dev/zero", O_RDONLY), closed = open("/dev/null", O_WRONLY);
    close(closed);
    work();
    printf("PE %d: zeros: %d, lowest free: %d\n", IPROC, (int)read(zero, buffer, 8), open("/dev/null", O_WRONLY) == closed);
    for (int i = 0; i < 4 && fgets(buffer, sizeof buffer, stdin); i++) {
        printf("PE %d reads %s", IPROC, buffer);
        work();
    }
    dup2(1, 9);
    work();
    write(9, "by another descriptor\n", 22);
    close(log); /* and its lock is gone */
    return 0;
}
