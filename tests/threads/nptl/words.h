/* words.h: words of glibc's headers that its tests and support/ have, for libraries that do not. */
#include <features.h>
#ifndef __GLIBC__
#include <sys/cdefs.h>
#define __attribute_alloc_size__(places)
#define __attribute_alloc_align__(places)
#define __attribute_malloc__
#define __attribute_warn_unused_result__
#define __attribute_noinline__ __attribute__((noinline))
#define __attr_dealloc(function, place)
#define __attr_dealloc_free
#define __attr_dealloc_fclose
#define __returns_nonnull
#define __attribute_returns_twice__
#define off64_t long long
#define loff_t long long
#define TEMP_FAILURE_RETRY(expression)                         \
    ({                                                         \
        long result;                                           \
        do result = (long)(expression);                        \
        while (result == -1 && errno == EINTR);                \
        result;                                                \
    })
#ifndef __nonnull
#define __nonnull(places)
#endif
#ifndef __THROW
#define __THROW
#endif
#ifndef __wur
#define __wur
#endif
#endif
