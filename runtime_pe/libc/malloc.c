/* malloc.c: newlib's heap; where there are threads, each keeps short pieces for itself. */
#include <malloc.h>
#include <reent.h>

#include "heap.h"

void *malloc(size_t bytes) { return __mog_thread_malloc ? __mog_thread_malloc(bytes) : _malloc_r(_REENT, bytes); }

void free(void *piece) {
    if (__mog_thread_free) __mog_thread_free(piece);
    else _free_r(_REENT, piece);
}
