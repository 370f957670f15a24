/* temporary.c: files and directories under names that nobody has yet. newlib's own make no directories. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime_pe/system/linux.h"

static int make_file(const char *path, int flags) { return open(path, flags | O_RDWR | O_CREAT | O_EXCL, 0600); }
static int make_folder(const char *path, int flags) {
    (void)flags;
    return mkdir(path, 0700);
}

/* Only looks: 0 if nobody has the name. */
static int make_nothing(const char *path, int flags) {
    struct stat status;
    (void)flags;
    if (lstat(path, &status) < 0) return errno == ENOENT ? 0 : -1;
    errno = EEXIST;
    return -1;
}

/* Puts random letters where the six X before the last `suffix` bytes are, until `make` succeeds. */
static int make_unique(char *name, int suffix, int flags, int (*make)(const char *, int)) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
    size_t length = strlen(name);
    char *place = name + length - suffix - 6;
    if (suffix < 0 || length < (size_t)suffix + 6 || strncmp(place, "XXXXXX", 6) != 0) {
        errno = EINVAL;
        return -1;
    }
    for (int tries = 0; tries < 100; ++tries) {
        unsigned long long random;
        if (linux_result(linux_call(LINUX_getrandom, (int)&random, sizeof random, 0, 0)) < 0) return -1;
        for (int i = 0; i < 6; ++i, random /= sizeof letters - 1) place[i] = letters[random % (sizeof letters - 1)];
        int made = make(name, flags);
        if (made >= 0 || errno != EEXIST) return made;
    }
    return -1;
}

int mkostemps(char *name, int suffix, int flags) { return make_unique(name, suffix, flags, make_file); }
int mkostemp(char *name, int flags) { return mkostemps(name, 0, flags); }
int mkstemps(char *name, int suffix) { return mkostemps(name, suffix, 0); }
int mkstemp(char *name) { return mkostemps(name, 0, 0); }
char *mkdtemp(char *name) { return make_unique(name, 0, 0, make_folder) < 0 ? NULL : name; }

char *mktemp(char *name) {
    if (make_unique(name, 0, 0, make_nothing) < 0) *name = 0;
    return name;
}
