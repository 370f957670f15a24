/* remove.c: C's remove(), which for POSIX removes folders too; newlib's is unlink() alone. */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

int remove(const char *path) {
    const int before = errno;
    if (!unlink(path)) return 0;
    if (errno != EISDIR && errno != EPERM) return -1;
    errno = before;
    return rmdir(path);
}
