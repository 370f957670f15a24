/* mog.h for a machine without PEs: the oracle compiles programs and examples with this one, so that the very same
 * source also runs natively or under qemu, as PE IPROC of NPROC (both from the environment; 0 of 1 if not set). */
#ifndef MOG_NATIVE_H
#define MOG_NATIVE_H

#include <stdlib.h>

static inline int mog_native_number(const char *name, int otherwise) {
    const char *text = getenv(name);
    return text ? atoi(text) : otherwise;
}

static inline int mog_rank(void) { return mog_native_number("MOG_NATIVE_IPROC", 0); }
static inline int mog_size(void) { return mog_native_number("MOG_NATIVE_NPROC", 1); }

#define IPROC mog_rank()
#define NPROC mog_size()

#endif
