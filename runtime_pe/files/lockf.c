/* lockf.c: record locks from where a descriptor is. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int lockf(int fd, int what, off_t bytes) {
    struct flock lock = {.l_type = what == F_ULOCK ? F_UNLCK : F_WRLCK, .l_whence = SEEK_CUR, .l_len = bytes};
    switch (what) {
        case F_LOCK: return fcntl(fd, F_SETLKW, &lock);
        case F_ULOCK:
        case F_TLOCK: return fcntl(fd, F_SETLK, &lock);
        case F_TEST:
            if (fcntl(fd, F_GETLK, &lock) < 0) return -1;
            return lock.l_type == F_UNLCK ? 0 : (errno = EACCES, -1);
        default: return errno = EINVAL, -1;
    }
}
