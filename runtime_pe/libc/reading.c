/* reading.c: what fread() wants more of than a buffer holds is read into its place at once, as glibc does it: newlib took a system call for
 * each buffer, and each call is a way to the host and back. scripts/build-sysroot makes newlib call this. */
#include <reent.h>
#include <stdio.h>

int __srefill_r(struct _reent *, FILE *);

/* One read of up to `rest` bytes to *place, where newlib would fill the buffer; both move on by what came. EOF at the end of the file or
 * after an error, of which the stream knows then. Without a buffer yet, or with characters that were pushed back, the buffer is filled. */
int __mog_read_on(struct _reent *reent, FILE *stream, char **place, size_t *rest) {
    unsigned char *base = stream->_bf._base;
    int size = stream->_bf._size;
    if (!base || *rest < (size_t)size || stream->_ub._base) return __srefill_r(reent, stream);
    stream->_bf._base = stream->_p = (unsigned char *)*place;
    stream->_bf._size = (int)*rest;
    int failed = __srefill_r(reent, stream);
    *place += stream->_r;
    *rest -= (size_t)stream->_r;
    stream->_bf._base = stream->_p = base;
    stream->_bf._size = size;
    stream->_r = 0;
    return failed;
}
