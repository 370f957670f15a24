/* remove.c: C's remove(), which for POSIX removes folders too; newlib's is unlink() alone. */
#include <errno.h>
#include <reent.h>
#include <stdio.h>
#include <unistd.h>

static int removed(const char *path) {
    const int before = errno;
    if (!unlink(path)) return 0;
    if (errno != EISDIR && errno != EPERM) return -1;
    errno = before;
    return rmdir(path);
}

int remove(const char *path) { return removed(path); }

/* newlib's tmpfile() asks for it. */
int _remove_r(struct _reent *state, const char *path) {
    (void)state;
    return removed(path);
}
