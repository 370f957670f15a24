/* calls.c: makes the calls that its arguments name, and tells what each gave. For tests of what --root, --read-only and
 * --no-files leave:   calls open FILE, make FILE, append FILE, stat FILE, link OLD NEW, ... */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

/* The name of the file's kind, so that links and what they lead to can be told apart. */
static const char *kind_of(const struct stat *status) {
    return S_ISDIR(status->st_mode) ? "directory" : S_ISLNK(status->st_mode) ? "link" : S_ISREG(status->st_mode) ? "file" : "other";
}

static int folder = AT_FDCWD;

/* What an open file begins with. */
static int show(int fd) {
    char text[40];
    if (fd < 0)
        return fd;
    int n = read(fd, text, sizeof text - 1);
    close(fd);
    if (n < 0)
        return n;
    text[n] = 0;
    text[strcspn(text, "\n")] = 0;
    printf("\"%s\" ", text);
    return 0;
}

static int by_name(const char *call, const char *a, const char *b) {
    struct stat status;
    char text[200];
    int result;
    if (!strcmp(call, "open")) return show(openat(folder, a, O_RDONLY));
    if (!strcmp(call, "nofollow")) return show(openat(folder, a, O_RDONLY | O_NOFOLLOW));
    if (!strcmp(call, "make") || !strcmp(call, "write") || !strcmp(call, "new") || !strcmp(call, "cut")) {
        int flags = *call == 'm' ? O_WRONLY | O_CREAT : *call == 'n' ? O_RDWR | O_CREAT | O_EXCL : *call == 'c' ? O_RDONLY | O_TRUNC : O_RDWR;
        int fd = openat(folder, a, flags, 0666);
        if (fd < 0)
            return fd;
        result = *call == 'c' ? 0 : write(fd, "changed\n", 8);
        close(fd);
        return result;
    }
    if (!strcmp(call, "create-to-read")) return show(openat(folder, a, O_RDONLY | O_CREAT, 0666));
    if (!strcmp(call, "stat") || !strcmp(call, "lstat")) {
        result = *call == 's' ? stat(a, &status) : lstat(a, &status);
        if (result == 0)
            printf("%s ", kind_of(&status));
        return result;
    }
    if (!strcmp(call, "access")) return access(a, R_OK);
    if (!strcmp(call, "writable")) return access(a, W_OK);
    if (!strcmp(call, "readlink")) {
        result = readlink(a, text, sizeof text - 1);
        if (result >= 0) {
            text[result] = 0;
            printf("%s ", text);
        }
        return result;
    }
    if (!strcmp(call, "chmod")) return chmod(a, 0640);
    if (!strcmp(call, "chown")) return chown(a, getuid(), getgid());
    if (!strcmp(call, "lchown")) return lchown(a, getuid(), getgid());
    if (!strcmp(call, "utimes")) return utimes(a, NULL);
    if (!strcmp(call, "truncate")) return truncate(a, 1);
    if (!strcmp(call, "unlink")) return unlink(a);
    if (!strcmp(call, "mkdir")) return mkdir(a, 0777);
    if (!strcmp(call, "rmdir")) return rmdir(a);
    if (!strcmp(call, "mkfifo")) return mkfifo(a, 0666);
    if (!strcmp(call, "link")) return link(a, b);
    if (!strcmp(call, "linkat")) return linkat(folder, a, folder, b, AT_SYMLINK_FOLLOW);
    if (!strcmp(call, "symlink")) return symlink(a, b);
    if (!strcmp(call, "rename")) return rename(a, b);
    if (!strcmp(call, "chdir")) return chdir(a);
    if (!strcmp(call, "folder")) return folder = open(a, O_RDONLY | O_DIRECTORY);
    if (!strcmp(call, "list")) {
        int n = 0;
        DIR *dir = opendir(a);
        if (!dir)
            return -1;
        for (struct dirent *entry; (entry = readdir(dir));)
            n += entry->d_name[0] != '.';
        closedir(dir);
        return n;
    }
    printf("no such call: %s\n", call);
    exit(2);
}

/* Calls without a name. */
static int by_descriptor(const char *call, int *result) {
    char text[200];
    int ends[2];
    if (!strcmp(call, "getcwd")) {
        *result = getcwd(text, sizeof text) ? 0 : -1;
        if (*result == 0)
            printf("%s ", text);
    } else if (!strcmp(call, "pipe")) {
        *result = pipe(ends) < 0 ? -1 : write(ends[1], "through\n", 8) < 0 ? -1 : show(ends[0]);
    } else if (!strcmp(call, "fchmod0")) {
        *result = fchmod(0, 0600);
    } else if (!strcmp(call, "futimes0")) {
        *result = futimes(0, NULL);
    } else if (!strcmp(call, "ftruncate0")) {
        *result = ftruncate(0, 0);
    } else if (!strcmp(call, "read0")) {
        *result = read(0, text, 4);
        if (*result >= 0)
            printf("%d bytes ", *result);
    } else if (!strcmp(call, "dive")) {
        /* Deeper than any path is long, and back. */
        enum { levels = 300 };
        for (int i = *result = 0; i < levels && *result == 0; ++i)
            *result = mkdir("a-directory-with-a-long-name", 0777) < 0 && errno != EEXIST ? -1 : chdir("a-directory-with-a-long-name");
        if (*result == 0)
            *result = mkdir("bottom", 0777) < 0 ? -1 : rmdir("bottom");
        for (int i = 0; i < levels && *result == 0; ++i)
            *result = (i == levels / 2 && chdir("./../a-directory-with-a-long-name") < 0) ? -1 : chdir("..");
    } else if (!strcmp(call, "openat0")) {
        *result = openat(0, ".", O_RDONLY);
    } else if (!strcmp(call, "fchdir0")) {
        *result = fchdir(0);
    } else if (!strcmp(call, "exhaust")) {
        for (*result = 0; dup(0) >= 0; ++*result)
            ;
        printf("%d, then %s ", *result, strerror(errno));
    } else {
        return 0;
    }
    return 1;
}

int main(int argc, char **argv) {
    for (int i = 1; i < argc; ++i) {
        char *call = argv[i], *a = strtok(call, " "), *b;
        int result;
        call = a, a = strtok(NULL, " "), b = strtok(NULL, " ");
        printf("%s%s%s%s%s: ", call, a ? " " : "", a ? a : "", b ? " " : "", b ? b : "");
        if (!by_descriptor(call, &result))
            result = by_name(call, a ? a : "", b ? b : "");
        printf("%s\n", result < 0 ? strerror(errno) : "ok");
    }
    return 0;
}
