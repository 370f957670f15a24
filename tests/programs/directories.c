/* Directories: mkdir, chdir, getcwd, opendir and its family, links, rename, rmdir, *at calls, realpath, and how they fail.
 * Every PE works in a directory of its own. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <mog.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void show(const char *what, long result) {
    if (result < 0)
        printf("%s: %s\n", what, strerror(errno));
    else
        printf("%s: %ld\n", what, result);
}

static void touch(const char *path, const char *text) {
    FILE *file = fopen(path, "w");
    if (!file) {
        show(path, -1);
        return;
    }
    fputs(text, file);
    fclose(file);
}

static int not_hidden(const struct dirent *entry) { return entry->d_name[0] != '.'; }

static void list(const char *path) {
    struct dirent **names;
    int count = scandir(path, &names, not_hidden, alphasort);
    printf("%s holds", path);
    if (count < 0) printf(" nothing that can be read: %s", strerror(errno));
    for (int i = 0; i < count; i++) {
        struct stat status;
        char full[300];
        snprintf(full, sizeof full, "%s/%s", path, names[i]->d_name);
        int known = lstat(full, &status) == 0;
        printf(" %s%s", names[i]->d_name,
               !known ? "?" : S_ISDIR(status.st_mode) ? "/" : S_ISLNK(status.st_mode) ? "@" : S_ISFIFO(status.st_mode) ? "|" : "");
        if (known && names[i]->d_ino != status.st_ino) printf(" (other inode)");
        free(names[i]);
    }
    if (count >= 0) free(names);
    putchar('\n');
}

/* Where we are, seen from where we began. */
static char start[PATH_MAX];
static void where(void) {
    char now[PATH_MAX];
    if (!getcwd(now, sizeof now)) {
        show("getcwd", -1);
        return;
    }
    printf("in <start>%s\n", strncmp(now, start, strlen(start)) == 0 ? now + strlen(start) : " no more");
}

static void real(const char *path) {
    char *found = realpath(path, NULL);
    if (!found)
        printf("realpath %s: %s\n", path, strerror(errno));
    else
        printf("realpath %s: <start>%s\n", path, strncmp(found, start, strlen(start)) == 0 ? found + strlen(start) : "?");
    free(found);
}

int main(void) {
    char own[32], buffer[100];
    struct stat status;
    snprintf(own, sizeof own, "dir_%d", mog_rank());
    if (!getcwd(start, sizeof start)) return 1;
    show("mkdir", mkdir(own, 0755));
    show("mkdir again", mkdir(own, 0755));
    show("chdir", chdir(own));
    strcat(strcat(start, "/"), own);
    where();
    show("getcwd without room", getcwd(buffer, 2) ? 0 : -1);
    show("mkdir", mkdir("a", 0700));
    show("mkdir", mkdir("a/b", 0777));
    show("mkdir in nothing", mkdir("x/y", 0777));
    touch("a/one", "1");
    touch("a/two", "22");
    touch("a/three", "333");
    list(".");
    list("a");
    list("no");
    list("a/one");

    show("symlink", symlink("one", "a/link"));
    show("symlink", symlink("nowhere", "a/dangling"));
    ssize_t n = readlink("a/link", buffer, sizeof buffer);
    show("readlink", n);
    if (n > 0) printf("%.*s\n", (int)n, buffer);
    show("readlink of a file", readlink("a/one", buffer, sizeof buffer));
    show("readlink, 2 bytes", readlink("a/link", buffer, 2));
    show("stat dangling", stat("a/dangling", &status));
    show("lstat dangling", lstat("a/dangling", &status));
    show("link", link("a/two", "a/zwei"));
    show("stat", stat("a/zwei", &status));
    printf("%ld links, %ld bytes\n", (long)status.st_nlink, (long)status.st_size);
    show("mkfifo", mkfifo("a/fifo", 0600));
    list("a");

    show("chdir", chdir("a/b"));
    where();
    show("stat ..", stat("../three", &status));
    show("chdir", chdir("../one"));
    show("chdir", chdir("missing"));
    int up = open("..", O_RDONLY | O_DIRECTORY);
    show("open .. works", up >= 0);
    show("read a directory", read(up, buffer, 10));
    show("write a directory", open("..", O_WRONLY));
    show("O_DIRECTORY on a file", open("../one", O_RDONLY | O_DIRECTORY));
    show("O_NOFOLLOW on a link", open("../link", O_RDONLY | O_NOFOLLOW));
    show("fchdir", fchdir(up));
    where();
    list("b");

    int at = openat(up, "by_at", O_CREAT | O_WRONLY, 0600);
    show("openat works", at >= 0);
    show("write", write(at, "hello", 5));
    show("fchdir to a file", fchdir(at));
    show("openat of a file", openat(at, "x", O_RDONLY));
    close(at);
    show("mkdirat", mkdirat(up, "c", 0755));
    show("fstatat", fstatat(up, "by_at", &status, 0));
    printf("%ld bytes\n", (long)status.st_size);
    show("fstatat link", fstatat(up, "link", &status, AT_SYMLINK_NOFOLLOW));
    show("is link", S_ISLNK(status.st_mode));
    show("renameat", renameat(up, "by_at", AT_FDCWD, "c/moved"));
    show("linkat", linkat(up, "c/moved", up, "linked", 0));
    show("symlinkat", symlinkat("c", up, "to_c"));
    n = readlinkat(up, "to_c", buffer, sizeof buffer);
    show("readlinkat", n);
    show("faccessat", faccessat(up, "linked", R_OK, 0));
    show("unlinkat", unlinkat(up, "linked", 0));
    show("unlinkat a directory", unlinkat(up, "c", 0) < 0);
    show("unlinkat a full directory", unlinkat(up, "c", AT_REMOVEDIR));
    list(".");
    list("to_c");
    show("bad folder", openat(77, "x", O_RDONLY));
    close(up);

    real(".");
    real("to_c/moved");
    real("to_c/../b/.");
    real("./b/..//link");
    real("dangling");
    real("one/");
    real("one/x");
    real("b/new");
    real("");
    show("loop", symlink("loop2", "loop1") | symlink("loop1", "loop2"));
    real("loop1");
    show("open loop", open("loop1", O_RDONLY));

    /* Not where seekdir leads: glibc under qemu cuts the host's long places. */
    DIR *directory = opendir(".");
    int count = 0, again = 0;
    struct dirent *entry;
    while ((entry = readdir(directory))) count++;
    rewinddir(directory);
    while (readdir(directory)) again++;
    printf("%d entries, again %d, fd %d\n", count, again, dirfd(directory) >= 3);
    show("closedir", closedir(directory));
    show("opendir of a file", opendir("one") ? 0 : -1);
    show("opendir of nothing", opendir("none") ? 0 : -1);
    for (int i = 0; i < 60; i++) {
        snprintf(buffer, sizeof buffer, "b/a_rather_long_name_of_file_number_%d", i);
        touch(buffer, "");
    }
    directory = opendir("b");
    for (count = 0; (entry = readdir(directory)); count++) again += strlen(entry->d_name);
    printf("%d entries, %d letters\n", count, again);
    closedir(directory);

    show("rename", rename("three", "b/drei"));
    show("rename onto a directory", rename("b/drei", "c"));
    show("rename a directory into itself", rename("b", "b/b"));
    show("rmdir full", rmdir("b") < 0 && (errno == ENOTEMPTY || errno == EEXIST));
    show("rmdir a file", rmdir("one"));
    show("unlink a directory", unlink("b") < 0);
    show("remove", remove("b/drei"));
    for (int i = 0; i < 60; i++) {
        snprintf(buffer, sizeof buffer, "b/a_rather_long_name_of_file_number_%d", i);
        unlink(buffer);
    }
    show("rmdir", rmdir("b"));
    show("mkdir", mkdir("gone", 0755));
    show("chdir", chdir("gone"));
    show("rmdir of here", rmdir("../gone"));
    where();
    show("chdir", chdir(".."));
    show("open gone", chdir("gone"));
    show("EFAULT", mkdir((const char *)4, 0));
    show("long name", mkdir(memset(calloc(1, 400), 'n', 399), 0));
    return 0;
}
