/* mappings.c: mmap without pages. A mapping is a piece of the heap with what the file held; see <sys/mman.h>. */
#include <errno.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/lock.h>
#include <sys/mman.h>
#include <unistd.h>

#include "shared.h"

/* What has been mapped. A part that is given back early stays until the rest is. */
struct mapping {
    struct mapping *next;
    char *start;
    size_t bytes, left;
};
static struct mapping *mappings;
__LOCK_INIT(static, mappings_lock)

static void *fail(int number) {
    errno = number;
    return MAP_FAILED;
}

static int read_file(int fd, char *to, size_t bytes, off_t offset) {
    while (bytes) {
        ssize_t count = pread(fd, to, bytes, offset);
        if (count < 0) return -1;
        if (count == 0) /* behind the file's end there are zeros */
            break;
        to += count;
        offset += count;
        bytes -= (size_t)count;
    }
    memset(to, 0, bytes);
    return 0;
}

void *mmap(void *wish, size_t bytes, int protection, int flags, int fd, off_t offset) {
    size_t page = (size_t)getpagesize();
    (void)wish;
    if (bytes == 0 || (offset & (off_t)(page - 1))) return fail(EINVAL);
    if (flags & MAP_FIXED) return fail(ENOMEM);
    int has_file = !(flags & MAP_ANONYMOUS);
    if (flags & MAP_SHARED && shared_calls() && (!has_file || fd >= SHARED_FD))
        return shared_calls()->map(has_file ? fd : -1, bytes, offset);
    if (has_file && (flags & MAP_SHARED) && (protection & PROT_WRITE)) return fail(ENODEV);
    size_t rounded = (bytes + page - 1) & ~(page - 1);
    struct mapping *new = rounded >= bytes ? malloc(sizeof *new) : NULL;
    char *start = new ? memalign(page, rounded) : NULL;
    if (!start) {
        free(new);
        return fail(ENOMEM);
    }
    if (!has_file) memset(start, 0, rounded);
    else if (read_file(fd, start, rounded, offset) < 0) {
        free(start);
        free(new);
        return MAP_FAILED;
    }
    __lock_acquire(mappings_lock);
    *new = (struct mapping){mappings, start, rounded, rounded};
    mappings = new;
    __lock_release(mappings_lock);
    return start;
}

int munmap(void *address, size_t bytes) {
    size_t page = (size_t)getpagesize();
    uintptr_t first = (uintptr_t)address, last = (first + bytes + page - 1) & ~(uintptr_t)(page - 1);
    if ((first & (page - 1)) || bytes == 0) {
        errno = EINVAL;
        return -1;
    }
    if (shared_calls() && is_in_window(address)) return shared_calls()->unmap(address, bytes);
    __lock_acquire(mappings_lock);
    for (struct mapping **link = &mappings; *link;) {
        struct mapping *mapping = *link;
        uintptr_t start = (uintptr_t)mapping->start, end = start + mapping->bytes;
        uintptr_t from = first > start ? first : start, to = last < end ? last : end;
        if (from < to) mapping->left -= to - from < mapping->left ? to - from : mapping->left;
        if (mapping->left) {
            link = &mapping->next;
            continue;
        }
        *link = mapping->next;
        free(mapping->start);
        free(mapping);
    }
    __lock_release(mappings_lock);
    return 0;
}

int mprotect(void *address, size_t bytes, int protection) { return (void)address, (void)bytes, (void)protection, 0; }
int msync(void *address, size_t bytes, int flags) { return (void)address, (void)bytes, (void)flags, 0; }
int madvise(void *address, size_t bytes, int advice) { return (void)address, (void)bytes, (void)advice, 0; }
int posix_madvise(void *address, size_t bytes, int advice) { return (void)address, (void)bytes, (void)advice, 0; }
int mlock(const void *address, size_t bytes) { return (void)address, (void)bytes, 0; }
int munlock(const void *address, size_t bytes) { return (void)address, (void)bytes, 0; }
