/* pieces.h: what newlib's printf gives to a stream at once; newlib's own, of its fvwrite.h. */
#include <stddef.h>

struct __siov {
    const void *iov_base;
    size_t iov_len;
};
struct __suio {
    struct __siov *uio_iov;
    int uio_iovcnt;
    size_t uio_resid;
};
