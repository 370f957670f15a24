/* calloc.c: newlib's small calloc does not notice that the product of its arguments is too large. */
#include <errno.h>
#include <reent.h>
#include <stdlib.h>
#include <string.h>

void *_calloc_r(struct _reent *reent, size_t count, size_t bytes) {
    size_t total;
    if (__builtin_mul_overflow(count, bytes, &total)) {
        reent->_errno = ENOMEM;
        return NULL;
    }
    void *memory = _malloc_r(reent, total);
    return memory ? memset(memory, 0, total) : NULL;
}
