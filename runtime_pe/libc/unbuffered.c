/* unbuffered.c: what a program prints to a stream without a buffer goes out in one write a call, as with glibc, so that no other PE's
 * output or end comes between its pieces. scripts/build-sysroot makes newlib call the first two of these. */
#include <errno.h>
#include <reent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "pieces.h"
#include "unbuffered.h"

int __sfvwrite_r(struct _reent *, FILE *, struct __suio *);
void __sinit(struct _reent *);

static int write_all(struct _reent *reent, FILE *stream, const char *data, size_t bytes) {
    while (bytes) {
        int count = stream->_write(reent, stream->_cookie, data, (int)bytes);
        if (count <= 0) {
            stream->_flags |= __SERR;
            return EOF;
        }
        data += count;
        bytes -= (size_t)count;
    }
    return 0;
}

/* The buffer on the stack is full. Where there is no memory for more, what is there goes out. */
static int gather(struct _reent *reent, void *cookie, const char *data, int bytes) {
    struct __mog_gathered *gathered = cookie;
    size_t wanted = gathered->bytes + (size_t)bytes;
    if (wanted > gathered->room) {
        size_t room = wanted + wanted / 2;
        int before = reent->_errno;
        char *larger = realloc(gathered->more, room);
        reent->_errno = before;
        if (!larger) {
            int failed = write_all(reent, gathered->stream, gathered->more, gathered->bytes);
            gathered->bytes = 0;
            return failed || write_all(reent, gathered->stream, data, (size_t)bytes) ? -1 : bytes;
        }
        gathered->more = larger;
        gathered->room = room;
    }
    memcpy(gathered->more + gathered->bytes, data, (size_t)bytes);
    gathered->bytes = wanted;
    return bytes;
}

FILE *__mog_stderr(void) {
    if (!_REENT->__sdidinit) __sinit(_REENT);
    return stderr;
}

FILE *__mog_gather(struct __mog_gathered *gathered, FILE *stream) {
    FILE *fake = &gathered->fake;
    *fake = (FILE){0};
    gathered->stream = stream;
    gathered->more = NULL;
    gathered->bytes = gathered->room = 0;
    fake->_flags = (short)((stream->_flags & ~(__SNBF | __SLBF | __SRD | __SRW | __SERR)) | __SWR);
    fake->_flags2 = stream->_flags2;
    fake->_file = stream->_file;
    fake->_cookie = gathered;
    fake->_write = gather;
    fake->_bf._base = fake->_p = gathered->buffer;
    fake->_bf._size = fake->_w = sizeof gathered->buffer;
    return fake;
}

int __mog_write_gathered(struct __mog_gathered *gathered) {
    FILE *fake = &gathered->fake, *stream = gathered->stream;
    struct _reent *reent = _REENT;
    char *rest = (char *)fake->_bf._base;
    size_t bytes = (size_t)(fake->_p - fake->_bf._base);
    if (gathered->bytes) {
        gather(reent, gathered, rest, (int)bytes);
        rest = gathered->more;
        bytes = gathered->bytes;
    }
    int failed = write_all(reent, stream, rest, bytes);
    stream->_flags |= fake->_flags & __SERR;
    free(gathered->more);
    return failed;
}

/* For printf and its like. `print` is what prints to the stream that it is given. */
int __mog_print_unbuffered(struct _reent *reent, FILE *stream, const void *format, va_list arguments,
                           int (*print)(struct _reent *, FILE *, const void *, va_list)) {
    struct __mog_gathered gathered;
    int count = print(reent, __mog_gather(&gathered, stream), format, arguments);
    return __mog_write_gathered(&gathered) ? EOF : count;
}

/* For puts: several pieces. */
int __mog_write_together(struct _reent *reent, FILE *stream, struct __suio *pieces) {
    struct __mog_gathered gathered;
    int failed = __sfvwrite_r(reent, __mog_gather(&gathered, stream), pieces);
    failed |= __mog_write_gathered(&gathered);
    pieces->uio_resid = 0;
    return failed ? EOF : 0;
}

void perror(const char *what) {
    const char *error = strerror(errno);
    struct __siov pieces[4] = {{what, what ? strlen(what) : 0}, {": ", 2}, {error, strlen(error)}, {"\n", 1}};
    int first = pieces[0].iov_len ? 0 : 2;
    struct __suio all = {pieces + first, 4 - first, 0};
    for (int i = first; i < 4; i++) all.uio_resid += pieces[i].iov_len;
    __sfvwrite_r(_REENT, __mog_stderr(), &all);
}
