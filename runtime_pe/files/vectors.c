/* vectors.c: reading and writing at a place, and several pieces at once. */
#include <errno.h>
#include <sys/uio.h>
#include <unistd.h>

#include "runtime_pe/system/calls.h"
#include "runtime_pe/system/mappings.h"

LINUX_SAME_SIZE(struct iovec, linux_iovec);
LINUX_SAME_PLACE(struct iovec, iov_len, linux_iovec, length);

/* A 64-bit place is two words, and begins at an even argument. */
ssize_t pread(int fd, void *buffer, size_t bytes, off_t place) { return CALL6(pread64, fd, buffer, bytes, 0, place, place < 0 ? -1 : 0); }
ssize_t pwrite(int fd, const void *buffer, size_t bytes, off_t place) {
    ssize_t result = CALL6(pwrite64, fd, buffer, bytes, 0, place, place < 0 ? -1 : 0);
    tell_mappings(fd, buffer, result, place);
    return result;
}

extern void __mog_broken_pipe(void) __attribute__((weak));

ssize_t readv(int fd, const struct iovec *pieces, int count) { return CALL3(readv, fd, pieces, count); }
ssize_t writev(int fd, const struct iovec *pieces, int count) {
    ssize_t result = CALL3(writev, fd, pieces, count);
    if (result > 0 && __mog_wrote) __mog_wrote(fd, pieces, (size_t)result, -1);
    if (result < 0 && errno == EPIPE && __mog_broken_pipe) {
        __mog_broken_pipe();
        errno = EPIPE;
    }
    return result;
}

/* One piece after the other: Linux's own calls differ in nothing that a PE, alone with its descriptors, could see. */
static ssize_t each_piece(ssize_t (*move)(int, void *, size_t, off_t), int fd, const struct iovec *pieces, int count, off_t place) {
    if (count < 0 || count > UIO_MAXIOV) {
        errno = EINVAL;
        return -1;
    }
    ssize_t total = 0;
    for (int i = 0; i < count; ++i) {
        ssize_t done = move(fd, pieces[i].iov_base, pieces[i].iov_len, place + total);
        if (done < 0) return total ? total : done;
        total += done;
        if ((size_t)done < pieces[i].iov_len) break;
    }
    return total;
}

static ssize_t write_piece(int fd, void *buffer, size_t bytes, off_t place) { return pwrite(fd, buffer, bytes, place); }
ssize_t preadv(int fd, const struct iovec *pieces, int count, off_t place) { return each_piece(pread, fd, pieces, count, place); }
ssize_t pwritev(int fd, const struct iovec *pieces, int count, off_t place) { return each_piece(write_piece, fd, pieces, count, place); }
