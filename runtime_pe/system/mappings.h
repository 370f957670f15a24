/* mappings.h: what mappings of files want to know. They are in mappings.c, and there only if the program maps files. */
#ifndef MOG_MAPPINGS_H
#define MOG_MAPPINGS_H

#include <sys/types.h>
#include <sys/uio.h>

/* All that is written in them goes to the files. */
extern void __mog_write_mappings(void) __attribute__((weak));
/* `bytes` of the pieces are in the file at `place`; -1: before where its descriptor is now. */
extern void __mog_wrote(int fd, const struct iovec *pieces, size_t bytes, off_t place) __attribute__((weak));

static inline void tell_mappings(int fd, const void *data, ssize_t bytes, off_t place) {
    if (bytes > 0 && __mog_wrote) __mog_wrote(fd, &(struct iovec){(void *)data, (size_t)bytes}, (size_t)bytes, place);
}

#endif
