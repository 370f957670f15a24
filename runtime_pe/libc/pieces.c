/* pieces.c: a sign, some digits, a newline: short pieces of what is printed, copied byte by byte into the buffer of a stream, or of
 * sprintf. scripts/build-sysroot makes newlib call these where there are few bytes. */
#include <reent.h>
#include <stdio.h>

#include "pieces.h"

/* There is room for all of them. */
void __mog_copy_pieces(FILE *stream, struct __suio *pieces) {
    unsigned char *to = stream->_p;
    size_t left = pieces->uio_resid;
    stream->_w -= (int)left;
    for (const struct __siov *piece = pieces->uio_iov; left; piece++) {
        const unsigned char *from = piece->iov_base, *const end = from + piece->iov_len;
        left -= piece->iov_len;
        while (from != end) *to++ = *from++;
    }
    stream->_p = to;
    pieces->uio_resid = 0;
    pieces->uio_iovcnt = 0;
}

/* 1: there is too little room, and nothing was done. */
int __mog_write_pieces(struct _reent *reent, FILE *stream, struct __suio *pieces) {
    if (!(stream->_flags & __SLBF)) {
        if ((int)pieces->uio_resid >= stream->_w) return 1;
        __mog_copy_pieces(stream, pieces);
        return 0;
    }
    /* newlib counts the room of a stream that is written line by line from 0 down. */
    if ((int)pieces->uio_resid >= stream->_w + stream->_bf._size) return 1;
    unsigned char *to = stream->_p;
    const struct __siov *piece = pieces->uio_iov;
    for (size_t left = pieces->uio_resid; left; left -= piece++->iov_len) {
        const unsigned char *from = piece->iov_base, *const end = from + piece->iov_len;
        while (from != end) {
            const unsigned char byte = *to++ = *from++;
            if (byte != '\n') continue;
            stream->_w -= to - stream->_p;
            stream->_p = to;
            if (_fflush_r(reent, stream)) {
                stream->_flags |= __SERR;
                return EOF;
            }
            to = stream->_p;
        }
    }
    stream->_w -= to - stream->_p;
    stream->_p = to;
    pieces->uio_resid = 0;
    return 0;
}
