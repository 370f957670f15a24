/* dirent.c: reading directories. A place in one is the number of the entries before it: Linux's own is 64 bits wide. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime_pe/system/linux.h"

struct __mog_dir {
    int fd;
    int at, end; /* bytes of `raw` that were given out, and that there are */
    long index;  /* entries given out so far */
    struct dirent entry;
    long long raw[128];
};

DIR *fdopendir(int fd) {
    struct stat status;
    if (fstat(fd, &status) < 0) return NULL;
    if (!S_ISDIR(status.st_mode)) {
        errno = ENOTDIR;
        return NULL;
    }
    DIR *directory = malloc(sizeof *directory);
    if (directory) {
        directory->fd = fd;
        directory->at = directory->end = 0;
        directory->index = 0;
    }
    return directory;
}

DIR *opendir(const char *path) {
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return NULL;
    DIR *directory = fdopendir(fd);
    if (!directory) close(fd);
    return directory;
}

struct dirent *readdir(DIR *directory) {
    if (directory->at >= directory->end) {
        int bytes = linux_call(LINUX_getdents64, directory->fd, (int)directory->raw, sizeof directory->raw, 0);
        if (linux_result(bytes) <= 0) return NULL;
        directory->at = 0;
        directory->end = bytes;
    }
    const struct linux_dirent64 *raw = (const void *)((const char *)directory->raw + directory->at);
    directory->at += raw->reclen;
    struct dirent *entry = &directory->entry;
    entry->d_ino = (ino_t)raw->ino;
    entry->d_off = ++directory->index;
    entry->d_reclen = sizeof *entry;
    entry->d_type = raw->type;
    strcpy(entry->d_name, raw->name);
    return entry;
}

int readdir_r(DIR *restrict directory, struct dirent *restrict entry, struct dirent **restrict result) {
    int before = errno;
    errno = 0;
    struct dirent *next = readdir(directory);
    int failed = errno;
    errno = before;
    *result = next ? memcpy(entry, next, sizeof *entry) : NULL;
    return next ? 0 : failed;
}

void rewinddir(DIR *directory) {
    lseek(directory->fd, 0, SEEK_SET);
    directory->at = directory->end = 0;
    directory->index = 0;
}

long telldir(DIR *directory) { return directory->index; }

void seekdir(DIR *directory, long place) {
    rewinddir(directory);
    while (directory->index < place && readdir(directory))
        ;
}

int dirfd(DIR *directory) { return directory->fd; }

int fdclosedir(DIR *directory) {
    int fd = directory->fd;
    free(directory);
    return fd;
}

int closedir(DIR *directory) { return close(fdclosedir(directory)); }

int alphasort(const struct dirent **a, const struct dirent **b) { return strcoll((*a)->d_name, (*b)->d_name); }

int scandir(const char *path, struct dirent ***result, int (*wanted)(const struct dirent *),
            int (*order)(const struct dirent **, const struct dirent **)) {
    DIR *directory = opendir(path);
    if (!directory) return -1;
    struct dirent **list = NULL, *entry;
    int count = 0, room = 0;
    while ((entry = readdir(directory))) {
        if (wanted && !wanted(entry)) continue;
        if (count == room) {
            room = room ? 2 * room : 16;
            struct dirent **longer = realloc(list, room * sizeof *list);
            if (!longer) goto no_memory;
            list = longer;
        }
        size_t bytes = offsetof(struct dirent, d_name) + strlen(entry->d_name) + 1;
        list[count] = malloc(bytes);
        if (!list[count]) goto no_memory;
        memcpy(list[count++], entry, bytes);
    }
    closedir(directory);
    if (order) qsort(list, count, sizeof *list, (int (*)(const void *, const void *))order);
    *result = list;
    return count;

no_memory:
    while (count) free(list[--count]);
    free(list);
    closedir(directory);
    errno = ENOMEM;
    return -1;
}

int versionsort(const struct dirent **a, const struct dirent **b) { return strverscmp((*a)->d_name, (*b)->d_name); }
