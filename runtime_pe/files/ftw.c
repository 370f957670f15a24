/* ftw.c: <ftw.h>. Depth first; the path grows and shrinks in one buffer. A folder is read whole before what is in it is
 * visited, so that a deep tree needs no more than one descriptor. */
#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef int Plain(const char *, const struct stat *, int);
typedef int Visitor(const char *, const struct stat *, int, struct FTW *);

struct walk {
    Plain *plain;     /* ftw's function, or */
    Visitor *visitor; /* nftw's */
    int flags;
    dev_t device;
    char path[PATH_MAX];
};

static int visit(struct walk *walk, const struct stat *status, int what, struct FTW *place) {
    if (!walk->plain) return walk->visitor(walk->path, status, what, place);
    return walk->plain(walk->path, status, what == FTW_SLN ? FTW_NS : what);
}

static int walk_from(struct walk *walk, size_t length, struct FTW place);

static int walk_folder(struct walk *walk, size_t length, struct FTW place) {
    struct dirent **entries;
    int count = scandir(walk->path, &entries, NULL, NULL), result = 0;
    if (count < 0) return -1;
    size_t start = length && walk->path[length - 1] == '/' ? length : length + 1;
    for (int i = 0; i < count; ++i) {
        const char *name = entries[i]->d_name;
        size_t bytes = strlen(name);
        if (result == 0 && strcmp(name, ".") != 0 && strcmp(name, "..") != 0) {
            if (start + bytes >= sizeof walk->path) {
                errno = ENAMETOOLONG;
                result = -1;
            } else {
                walk->path[start - 1] = '/';
                memcpy(walk->path + start, name, bytes + 1);
                result = walk_from(walk, start + bytes, (struct FTW){(int)start, place.level + 1});
                walk->path[length] = 0;
            }
        }
        free(entries[i]);
    }
    free(entries);
    return result;
}

static int walk_from(struct walk *walk, size_t length, struct FTW place) {
    struct stat status;
    int what = FTW_F, physical = walk->flags & FTW_PHYS;
    if ((physical ? lstat : stat)(walk->path, &status) < 0) {
        what = FTW_NS;
        if (!physical && lstat(walk->path, &status) == 0) what = FTW_SLN; /* a link to nothing */
        else if (place.level == 0 || errno != EACCES) return -1;
    } else if (S_ISLNK(status.st_mode)) what = FTW_SL;
    else if (S_ISDIR(status.st_mode)) what = access(walk->path, R_OK) == 0 ? FTW_D : FTW_DNR;
    if (place.level == 0) walk->device = status.st_dev;
    else if ((walk->flags & FTW_MOUNT) && what != FTW_NS && status.st_dev != walk->device) return 0;
    if (what != FTW_D) return visit(walk, &status, what, &place);
    int after = walk->flags & FTW_DEPTH;
    int result = after ? 0 : visit(walk, &status, FTW_D, &place);
    if (result == 0) result = walk_folder(walk, length, place);
    return result == 0 && after ? visit(walk, &status, FTW_DP, &place) : result;
}

static int start(const char *path, Plain *plain, Visitor *visitor, int flags) {
    size_t length = strlen(path);
    if (flags & (FTW_CHDIR | FTW_ACTIONRETVAL) || length >= PATH_MAX) {
        errno = length >= PATH_MAX ? ENAMETOOLONG : EINVAL;
        return -1;
    }
    struct walk *walk = malloc(sizeof *walk);
    if (!walk) return -1;
    walk->plain = plain;
    walk->visitor = visitor;
    walk->flags = flags;
    while (length > 1 && path[length - 1] == '/') --length;
    memcpy(walk->path, path, length);
    walk->path[length] = 0;
    const char *slash = strrchr(walk->path, '/');
    int result = walk_from(walk, length, (struct FTW){slash && slash[1] ? (int)(slash + 1 - walk->path) : 0, 0});
    free(walk);
    return result;
}

int ftw(const char *path, Plain *function, int descriptors) {
    (void)descriptors;
    return start(path, function, NULL, 0);
}

int nftw(const char *path, Visitor *function, int descriptors, int flags) {
    (void)descriptors;
    return start(path, NULL, function, flags);
}
