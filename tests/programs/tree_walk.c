/* tree_walk.c: ftw and nftw, whose order within a folder is nobody's promise and therefore sorted here. */
#define _GNU_SOURCE
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *lines[40];
static int count, folders_first = 1;

static void note(const char *path, int type, int level, const char *base, long long size) {
    char line[200];
    snprintf(line, sizeof line, "%s type %d level %d base %s size %lld", path, type, level, base, size);
    lines[count++] = strdup(line);
}

static int plain(const char *path, const struct stat *status, int type) {
    note(path, type, 0, "", S_ISREG(status->st_mode) ? (long long)status->st_size : -1);
    return 0;
}

static int full(const char *path, const struct stat *status, int type, struct FTW *place) {
    note(path, type, place->level, path + place->base, S_ISREG(status->st_mode) ? (long long)status->st_size : -1);
    for (int i = 0; i < count - 1; ++i)     /* has a folder come before what is in it? */
        if (type == FTW_D && strncmp(lines[i], path, strlen(path)) == 0 && lines[i][strlen(path)] == '/')
            folders_first = 0;
    return 0;
}

static int stop(const char *path, const struct stat *status, int type, struct FTW *place) {
    (void)path, (void)status, (void)place;
    return type == FTW_F ? 42 : 0;
}

static int order(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static void show(const char *title, int result) {
    qsort(lines, count, sizeof *lines, order);
    printf("%s: %d, %d lines\n", title, result, count);
    for (int i = 0; i < count; ++i) {
        puts(lines[i]);
        free(lines[i]);
    }
    count = 0;
}

int main(void) {
    char top[] = "tree_XXXXXX", here[4096];
    if (!mkdtemp(top) || !getcwd(here, sizeof here) || chdir(top) < 0)
        return 1;
    mkdir("t", 0755);
    mkdir("t/deep", 0755);
    mkdir("t/deep/er", 0755);
    mkdir("t/empty", 0755);
    const char *files[] = {"t/one", "t/deep/two", "t/deep/er/three"};
    for (int i = 0; i < 3; ++i) {
        FILE *file = fopen(files[i], "w");
        fprintf(file, "%0*d", i + 1, 0);
        fclose(file);
    }
    symlink("one", "t/link");
    symlink("nothing", "t/dangling");
    show("ftw", ftw("t", plain, 4));
    show("nftw, physical", nftw("t", full, 4, FTW_PHYS));
    printf("folders first: %d\n", folders_first);
    show("nftw, depth, slash", nftw("./t/", full, 4, FTW_PHYS | FTW_DEPTH));
    show("nftw, following", nftw("t", full, 1, 0));
    show("stopped", nftw("t", stop, 4, FTW_PHYS));
    show("missing", nftw("none", full, 4, 0));
    show("a file", nftw("t/one", full, 4, 0));
    unlink("t/link"), unlink("t/dangling");
    for (int i = 0; i < 3; ++i)
        unlink(files[i]);
    printf("%d\n", rmdir("t/deep/er") || rmdir("t/deep") || rmdir("t/empty") || rmdir("t"));
    return chdir(here) || rmdir(top);
}
