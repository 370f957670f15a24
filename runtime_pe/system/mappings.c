/* mappings.c: mmap without pages. A mapping is a piece of the heap with what the file held; see <sys/mman.h>.
 *
 * What is shared with a file and written goes to it when msync, munmap or the process's end says so, and only the bytes that are not
 * what they were: other PEs may have written other parts of the same page. So the heap has a second copy of such a mapping. What the
 * process writes to the file by a descriptor is in its mappings at once, as with pages: LMDB reads its file by a mapping and writes it by
 * pwrite.
 */
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/lock.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "calls.h"
#include "mappings.h"
#include "shared.h"

/* What has been mapped. A part that is given back early stays until the rest is. */
struct mapping {
    struct mapping *next;
    char *start;
    size_t bytes, left;
    char *written; /* what the file has, where it is written to; else NULL */
    off_t offset;
    int fd;       /* one of its own */
    int readable; /* shared with a file, and not written to */
    dev_t device; /* what file it is that it shares */
    ino_t number;
};
/* The first descriptor that mappings have: on Linux they have none, so those of the program's own files stay as they are there. */
enum { FIRST_FD = 512 };
static struct mapping *mappings;
static unsigned shares; /* how many are shared with a file */
__LOCK_INIT(static, mappings_lock)

static int shares_file(const struct mapping *mapping) { return mapping->written || mapping->readable; }

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

/* Writes what the program has changed in `bytes` from `from` on. */
static int write_back(struct mapping *mapping, size_t from, size_t bytes) {
    struct stat file;
    if (fstat(mapping->fd, &file) < 0) return -1;
    /* What lies behind the file's end is nobody's. */
    off_t there = file.st_size > mapping->offset ? file.st_size - mapping->offset : 0;
    size_t end = there < (off_t)(from + bytes) ? (size_t)there : from + bytes;
    while (from < end) {
        if (mapping->start[from] == mapping->written[from]) {
            ++from; /* and by words, as long as they are equal */
            while (from % 4 == 0 && from + 4 <= end && !memcmp(mapping->start + from, mapping->written + from, 4)) from += 4;
            continue;
        }
        size_t next = from + 1;
        while (next < end && mapping->start[next] != mapping->written[next]) ++next;
        /* Not pwrite(), which would look here for who shares the file. */
        ssize_t count = CALL6(pwrite64, mapping->fd, mapping->start + from, next - from, 0, mapping->offset + (off_t)from, 0);
        if (count <= 0) return -1;
        memcpy(mapping->written + from, mapping->start + from, (size_t)count);
        from += (size_t)count;
    }
    return 0;
}

/* _exit calls it. */
void __mog_write_mappings(void) {
    for (struct mapping *mapping = mappings; mapping; mapping = mapping->next)
        if (mapping->written && write_back(mapping, 0, mapping->bytes) < 0) {
            static const char text[] = "mmap: what was written to a mapping does not reach its file\n";
            write(STDERR_FILENO, text, sizeof text - 1);
        }
}

static void take_over(const struct mapping *mapping, const char *data, size_t bytes, off_t place) {
    off_t end = mapping->offset + (off_t)mapping->bytes, last = place + (off_t)bytes;
    off_t from = place > mapping->offset ? place : mapping->offset, to = last < end ? last : end;
    if (from >= to) return;
    memcpy(mapping->start + (from - mapping->offset), data + (from - place), (size_t)(to - from));
    if (mapping->written) memcpy(mapping->written + (from - mapping->offset), data + (from - place), (size_t)(to - from));
}

void __mog_wrote(int fd, const struct iovec *pieces, size_t bytes, off_t place) {
    struct stat file;
    if (!__atomic_load_n(&shares, __ATOMIC_RELAXED) || fstat(fd, &file) < 0 || !S_ISREG(file.st_mode)) return;
    if (place < 0) place = lseek(fd, 0, SEEK_CUR) - (off_t)bytes;
    __lock_acquire(mappings_lock);
    for (size_t done = 0; done < bytes; ++pieces) {
        size_t more = pieces->iov_len < bytes - done ? pieces->iov_len : bytes - done;
        for (const struct mapping *mapping = mappings; mapping; mapping = mapping->next)
            if (shares_file(mapping) && mapping->number == file.st_ino && mapping->device == file.st_dev)
                take_over(mapping, pieces->iov_base, more, place + (off_t)done);
        done += more;
    }
    __lock_release(mappings_lock);
}

/* A descriptor of its own for a mapping of `fd` that is written to, and a copy of what it holds. */
static int begin_writing(struct mapping *mapping, int fd) {
    int flags = fcntl(fd, F_GETFL);
    if (flags < 0) return -1;
    if ((flags & O_ACCMODE) != O_RDWR) return errno = EACCES, -1;
    if ((mapping->fd = fcntl(fd, F_DUPFD, FIRST_FD)) < 0 && (mapping->fd = dup(fd)) < 0) return -1;
    if (!(mapping->written = malloc(mapping->bytes))) {
        close(mapping->fd);
        return errno = ENOMEM, -1;
    }
    memcpy(mapping->written, mapping->start, mapping->bytes);
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
    size_t rounded = (bytes + page - 1) & ~(page - 1);
    struct mapping *new = rounded >= bytes ? malloc(sizeof *new) : NULL;
    char *start = new ? memalign(page, rounded) : NULL;
    if (!start) {
        free(new);
        return fail(ENOMEM);
    }
    int is_shared = has_file && flags & MAP_SHARED;
    struct stat file = {0};
    if (is_shared) fstat(fd, &file);
    int is_readable = is_shared && !(protection & PROT_WRITE);
    *new = (struct mapping){NULL, start, rounded, rounded, NULL, offset, -1, is_readable, file.st_dev, file.st_ino};
    if (!has_file) memset(start, 0, rounded);
    else if (read_file(fd, start, rounded, offset) < 0 || (is_shared && protection & PROT_WRITE && begin_writing(new, fd) < 0)) {
        free(start);
        free(new);
        return MAP_FAILED;
    }
    __lock_acquire(mappings_lock);
    new->next = mappings;
    mappings = new;
    shares += (unsigned)is_shared;
    __lock_release(mappings_lock);
    return start;
}

/* Where the pages end of what begins at `first`. */
static uintptr_t end_of_pages(uintptr_t first, size_t bytes) {
    uintptr_t page = (uintptr_t)getpagesize();
    return (first + bytes + page - 1) & ~(page - 1);
}

/* Calls `each` for the part of each mapping, in bytes from its start, that lies in the pages asked for; what the last that fails says. */
static int in_each(void *address, size_t bytes, int (*each)(struct mapping *, size_t from, size_t count)) {
    uintptr_t first = (uintptr_t)address, last = end_of_pages(first, bytes);
    int result = 0;
    __lock_acquire(mappings_lock);
    for (struct mapping *mapping = mappings; mapping; mapping = mapping->next) {
        uintptr_t start = (uintptr_t)mapping->start, end = start + mapping->bytes;
        uintptr_t from = first > start ? first : start, to = last < end ? last : end;
        if (from < to && each(mapping, from - start, to - from) < 0) result = -1;
    }
    __lock_release(mappings_lock);
    return result;
}

static int write_if_shared(struct mapping *mapping, size_t from, size_t count) {
    return mapping->written ? write_back(mapping, from, count) : 0;
}

int munmap(void *address, size_t bytes) {
    size_t page = (size_t)getpagesize();
    uintptr_t first = (uintptr_t)address, last = end_of_pages(first, bytes);
    if ((first & (page - 1)) || bytes == 0) {
        errno = EINVAL;
        return -1;
    }
    if (shared_calls() && is_in_window(address)) return shared_calls()->unmap(address, bytes);
    int result = 0;
    __lock_acquire(mappings_lock);
    for (struct mapping **link = &mappings; *link;) {
        struct mapping *mapping = *link;
        uintptr_t start = (uintptr_t)mapping->start, end = start + mapping->bytes;
        uintptr_t from = first > start ? first : start, to = last < end ? last : end;
        if (from < to) {
            if (write_if_shared(mapping, from - start, to - from) < 0) result = -1;
            mapping->left -= to - from < mapping->left ? to - from : mapping->left;
        }
        if (mapping->left) {
            link = &mapping->next;
            continue;
        }
        *link = mapping->next;
        shares -= (unsigned)shares_file(mapping);
        if (mapping->written) close(mapping->fd);
        free(mapping->written);
        free(mapping->start);
        free(mapping);
    }
    __lock_release(mappings_lock);
    return result;
}

/* The file of such a mapping is not known any more. */
static int refuse_if_readable(struct mapping *mapping, size_t from, size_t count) {
    (void)from, (void)count;
    return mapping->readable ? errno = EACCES, -1 : 0;
}
int mprotect(void *address, size_t bytes, int protection) {
    return protection & PROT_WRITE ? in_each(address, bytes, refuse_if_readable) : 0;
}

static int read_again(struct mapping *mapping, size_t from, size_t count) {
    if (!mapping->written) return 0;
    if (read_file(mapping->fd, mapping->start + from, count, mapping->offset + (off_t)from) < 0) return -1;
    memcpy(mapping->written + from, mapping->start + from, count);
    return 0;
}
/* MS_INVALIDATE: what others have written to the file since is in the mapping afterwards. */
int msync(void *address, size_t bytes, int flags) {
    if ((uintptr_t)address & ((size_t)getpagesize() - 1) || (flags & MS_ASYNC && flags & MS_SYNC)) return errno = EINVAL, -1;
    if (shared_calls() && is_in_window(address)) return 0;
    int result = in_each(address, bytes, write_if_shared);
    return result == 0 && flags & MS_INVALIDATE ? in_each(address, bytes, read_again) : result;
}
int madvise(void *address, size_t bytes, int advice) { return (void)address, (void)bytes, (void)advice, 0; }
int posix_madvise(void *address, size_t bytes, int advice) { return (void)address, (void)bytes, (void)advice, 0; }
int mlock(const void *address, size_t bytes) { return (void)address, (void)bytes, 0; }
int munlock(const void *address, size_t bytes) { return (void)address, (void)bytes, 0; }
