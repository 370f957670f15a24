/* realpath.c: a path without links, dots and repeated slashes. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Takes the parts off the front of `rest` and adds them to `out`, which is absolute and real. All three have room for PATH_MAX.
 * 0, or an error number. */
static int resolve(char *out, char *rest, char *target) {
    int links = 0;
    size_t length = strlen(out);
    while (*rest) {
        size_t slashes = strspn(rest, "/"), part = strcspn(rest + slashes, "/");
        char *name = rest + slashes;
        int is_last = name[part] == 0;
        if (part == 0 || (part == 1 && name[0] == '.')) {
            memmove(rest, name + part, strlen(name + part) + 1);
            struct stat status; /* a slash or a dot asks for a directory */
            if (stat(*out ? out : "/", &status) < 0) return errno;
            if (!S_ISDIR(status.st_mode)) return ENOTDIR;
            continue;
        }
        if (part == 2 && name[0] == '.' && name[1] == '.') {
            char *slash = strrchr(out, '/');
            length = slash ? (size_t)(slash - out) : 0;
            out[length] = 0;
            memmove(rest, name + part, strlen(name + part) + 1);
            continue;
        }
        if (length + part + 2 > PATH_MAX) return ENAMETOOLONG;
        out[length] = '/';
        memcpy(out + length + 1, name, part);
        out[length + 1 + part] = 0;
        ssize_t bytes = readlink(out, target, PATH_MAX - 1);
        if (bytes < 0) {
            if (errno != EINVAL) return errno; /* EINVAL: it is there, and no link */
            struct stat status;
            if (!is_last && stat(out, &status) == 0 && !S_ISDIR(status.st_mode)) return ENOTDIR;
            length += 1 + part;
            memmove(rest, name + part, strlen(name + part) + 1);
            continue;
        }
        if (++links > SYMLOOP_MAX) return ELOOP;
        size_t left = strlen(name + part);
        if ((size_t)bytes + left + 1 > PATH_MAX) return ENAMETOOLONG;
        memmove(rest + bytes, name + part, left + 1);
        memcpy(rest, target, (size_t)bytes);
        if (target[0] == '/') length = 0;
        out[length] = 0;
    }
    if (!length) strcpy(out, "/");
    return 0;
}

char *realpath(const char *restrict path, char *restrict result) {
    if (!path || !*path || strlen(path) >= PATH_MAX) {
        errno = !path ? EINVAL : !*path ? ENOENT : ENAMETOOLONG;
        return NULL;
    }
    struct {
        char out[PATH_MAX], rest[PATH_MAX], target[PATH_MAX];
    } *texts = malloc(sizeof *texts); /* too much for the stack of a thread */
    if (!texts) return NULL;
    char *out = texts->out;
    strcpy(texts->rest, path);
    out[0] = 0;
    int failed = path[0] != '/' && !getcwd(out, PATH_MAX) ? errno : 0;
    if (strcmp(out, "/") == 0) out[0] = 0;
    if (!failed) failed = resolve(out, texts->rest, texts->target);
    char *found = failed ? NULL : result ? strcpy(result, out) : strdup(out);
    free(texts);
    if (failed) errno = failed;
    return found;
}
