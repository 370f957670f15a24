/* glob.c: files by patterns. One part of the path after the other: a part without special characters is taken as it is, any
 * other is compared with what the directory holds. */
#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <glob.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

struct search {
    int flags;
    int (*on_error)(const char *, int);
    glob_t *found;
    char path[PATH_MAX]; /* as far as it is known */
};

static int add(struct search *search, const char *path) {
    glob_t *found = search->found;
    size_t first = search->flags & GLOB_DOOFFS ? found->gl_offs : 0, used = first + found->gl_pathc;
    if (used + 2 > found->__room) {
        size_t room = 2 * used + 16;
        char **longer = realloc(found->gl_pathv, room * sizeof *longer);
        if (!longer) return GLOB_NOSPACE;
        for (size_t i = found->__room; i < room; ++i) longer[i] = NULL;
        found->gl_pathv = longer;
        found->__room = room;
    }
    char *copy = malloc(strlen(path) + 2);
    if (!copy) return GLOB_NOSPACE;
    strcpy(copy, path);
    struct stat status;
    if (search->flags & GLOB_MARK && *path && path[strlen(path) - 1] != '/' && stat(path, &status) == 0 && S_ISDIR(status.st_mode))
        strcat(copy, "/");
    found->gl_pathv[used] = copy;
    found->gl_pathv[used + 1] = NULL;
    ++found->gl_pathc;
    return 0;
}

/* Takes the backslashes out. */
static void unescape(char *text) {
    char *to = text;
    for (; *text; *to++ = *text++)
        if (*text == '\\' && text[1]) ++text;
    *to = 0;
}

/* What follows `search->path`, which has `length` bytes, is described by `pattern`. */
static int match(struct search *search, size_t length, const char *pattern) {
    while (*pattern == '/' && length + 1 < PATH_MAX) search->path[length++] = *pattern++;
    search->path[length] = 0;
    struct stat status;
    if (!*pattern) return lstat(search->path, &status) == 0 ? add(search, search->path) : 0;

    size_t bytes = strcspn(pattern, "/");
    char part[NAME_MAX * 2 + 2];
    if (bytes >= sizeof part) return 0;
    memcpy(part, pattern, bytes);
    part[bytes] = 0;
    pattern += bytes;
    int escapes = !(search->flags & GLOB_NOESCAPE);
    if (!strpbrk(part, "*?[")) {
        if (escapes) unescape(part);
        if (length + strlen(part) >= PATH_MAX) return 0;
        strcpy(search->path + length, part);
        if (*pattern && (stat(search->path, &status) < 0 || !S_ISDIR(status.st_mode))) return 0;
        return match(search, length + strlen(part), pattern);
    }
    DIR *directory = opendir(length ? search->path : ".");
    if (!directory) {
        if (errno == ENOTDIR || errno == ENOENT) return 0;
        int stops = search->on_error && search->on_error(search->path, errno);
        return stops || search->flags & GLOB_ERR ? GLOB_ABORTED : 0;
    }
    int failed = 0, flags = (escapes ? 0 : FNM_NOESCAPE) | (search->flags & GLOB_PERIOD ? 0 : FNM_PERIOD);
    struct dirent *entry;
    while (!failed && (entry = readdir(directory))) {
        size_t name = strlen(entry->d_name);
        if (fnmatch(part, entry->d_name, flags) != 0 || length + name >= PATH_MAX) continue;
        strcpy(search->path + length, entry->d_name);
        if (*pattern && (stat(search->path, &status) < 0 || !S_ISDIR(status.st_mode))) continue;
        failed = match(search, length + name, pattern);
    }
    closedir(directory);
    return failed;
}

static int in_order(const void *a, const void *b) { return strcoll(*(char *const *)a, *(char *const *)b); }

int glob(const char *restrict pattern, int flags, int (*on_error)(const char *, int), glob_t *restrict found) {
    struct search search = {flags, on_error, found, ""};
    if (!(flags & GLOB_APPEND)) {
        found->gl_pathc = found->__room = 0;
        found->gl_pathv = NULL;
    }
    size_t before = found->gl_pathc;
    int failed = match(&search, 0, pattern);
    if (failed) return failed;
    if (found->gl_pathc == before) {
        search.flags &= ~GLOB_MARK;
        return flags & GLOB_NOCHECK ? add(&search, pattern) : GLOB_NOMATCH;
    }
    if (!(flags & GLOB_NOSORT)) {
        size_t first = (flags & GLOB_DOOFFS ? found->gl_offs : 0) + before;
        qsort(found->gl_pathv + first, found->gl_pathc - before, sizeof *found->gl_pathv, in_order);
    }
    return 0;
}

void globfree(glob_t *found) {
    for (size_t i = 0; i < found->__room; ++i) free(found->gl_pathv[i]);
    free(found->gl_pathv);
    found->gl_pathv = NULL;
    found->gl_pathc = found->__room = 0;
}
