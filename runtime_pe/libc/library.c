/* library.c: functions of POSIX and C11 that newlib lacks and that need no system call of their own. */
#include <errno.h>
#include <limits.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

ssize_t getdelim(char **restrict line, size_t *restrict room, int end, FILE *restrict file) { return __getdelim(line, room, end, file); }
ssize_t getline(char **restrict line, size_t *restrict room, FILE *restrict file) { return __getdelim(line, room, '\n', file); }

/* An empty field at the end is a field too, which newlib forgets. */
char *strsep(char **restrict rest, const char *restrict ends) {
    char *field = *rest;
    if (!field) return NULL;
    char *end = field + strcspn(field, ends);
    *rest = *end ? end + 1 : NULL;
    *end = 0;
    return field;
}

/* ---- paths ---- */

static size_t without_slashes(const char *path, size_t length) {
    while (length > 1 && path[length - 1] == '/') --length;
    return length;
}

/* <libgen.h>'s; <string.h> has another, which leaves its argument alone. */
char *__mog_basename(char *path) __asm__("basename");
char *__mog_basename(char *path) {
    if (!path || !*path) return ".";
    path[without_slashes(path, strlen(path))] = 0;
    char *slash = strrchr(path, '/');
    return slash && slash[1] ? slash + 1 : path;
}

char *dirname(char *path) {
    if (!path || !*path) return ".";
    path[without_slashes(path, strlen(path))] = 0;
    char *slash = strrchr(path, '/');
    if (!slash) return ".";
    path[without_slashes(path, slash == path ? 1 : (size_t)(slash - path))] = 0;
    return path;
}

/* ---- time ---- */

int timespec_get(struct timespec *time, int base) { return base == TIME_UTC && clock_gettime(CLOCK_REALTIME, time) == 0 ? base : 0; }

/* ---- search.h ---- */

void *lfind(const void *key, const void *table, size_t *count, size_t bytes, int (*compare)(const void *, const void *)) {
    const char *entry = table;
    for (size_t i = 0; i < *count; ++i, entry += bytes)
        if (compare(key, entry) == 0) return (void *)entry;
    return NULL;
}

void *lsearch(const void *key, void *table, size_t *count, size_t bytes, int (*compare)(const void *, const void *)) {
    void *found = lfind(key, table, count, bytes, compare);
    return found ? found : memcpy((char *)table + bytes * (*count)++, key, bytes);
}

struct link {
    struct link *next, *previous;
};

void insque(void *element, void *before) {
    struct link *new = element, *old = before;
    new->previous = old;
    new->next = old ? old->next : NULL;
    if (old) old->next = new;
    if (new->next) new->next->previous = new;
}

void remque(void *element) {
    struct link *old = element;
    if (old->previous) old->previous->next = old->next;
    if (old->next) old->next->previous = old->previous;
}

/* ---- streams ---- */

void flockfile(FILE *file) { __lock_acquire_recursive(file->_lock); }
void funlockfile(FILE *file) { __lock_release_recursive(file->_lock); }
int ftrylockfile(FILE *file) { return __lock_try_acquire_recursive(file->_lock) ? 0 : -1; }

char *ctermid(char *place) {
    static char name[L_ctermid] = "/dev/tty";
    return place ? strcpy(place, name) : name;
}

/* ---- stdlib.h ---- */

/* The list stays where it is: newlib's setenv may own it. */
int clearenv(void) {
    *environ = NULL;
    return 0;
}

/* No program here has more rights than who started it. */
char *secure_getenv(const char *name) { return getenv(name); }

char *canonicalize_file_name(const char *path) { return realpath(path, NULL); }

/* ---- files ---- */

char *get_current_dir_name(void) { return getcwd(NULL, 0); }
int eaccess(const char *path, int mode) { return access(path, mode); }
int euidaccess(const char *path, int mode) { return access(path, mode); }

int posix_fadvise(int fd, off_t offset, off_t bytes, int advice) { return (void)fd, (void)offset, (void)bytes, (void)advice, 0; }

int posix_fallocate(int fd, off_t offset, off_t bytes) {
    struct stat status;
    if (offset < 0 || bytes <= 0) return EINVAL;
    if (fstat(fd, &status) < 0) return errno;
    return offset + bytes <= status.st_size || ftruncate(fd, offset + bytes) == 0 ? 0 : errno;
}
