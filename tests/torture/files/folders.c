/* mkdir, rmdir, chdir, getcwd, opendir, readdir, rename, and their errors. */
#define _FILE_OFFSET_BITS 64
#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int main(void) {
    char start[512], inside[512];
    printf("%d %d %d\n", mkdir("folders.tmp", 0755), mkdir("folders.tmp", 0755), errno == EEXIST);
    getcwd(start, sizeof start);
    printf("%d\n", chdir("folders.tmp"));
    getcwd(inside, sizeof inside);
    printf("%s\n", inside + strlen(start));
    for (int i = 0; i < 3; i++) fclose(fopen((char[]){'a' + i, 0}, "w"));
    rename("a", "renamed");
    DIR *d = opendir(".");
    int entries = 0, found = 0;
    for (struct dirent *e; (e = readdir(d));) entries++, found += strcmp(e->d_name, "renamed") == 0;
    closedir(d);
    printf("%d %d %d\n", entries, found, rmdir("../folders.tmp") == -1 && errno == ENOTEMPTY);
    unlink("renamed"), unlink("b"), unlink("c");
    chdir("..");
    return rmdir("folders.tmp");
}
