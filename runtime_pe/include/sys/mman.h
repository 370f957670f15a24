/* sys/mman.h: mappings made of the heap: memory without a file, and copies of a part of a file. What is written to one that is shared with
 * a file (MAP_SHARED) goes there by msync, munmap and the process's end, other bytes stay as they are there; msync with MS_INVALIDATE brings
 * what others have written since. What shm_open() opens all PEs share. Protection is not changed. */
#ifndef _SYS_MMAN_H
#define _SYS_MMAN_H

#include <sys/cdefs.h>
#include <sys/types.h>

#include <mog_abi/mmap.h>

#define MAP_ANON MAP_ANONYMOUS
#define MAP_FAILED ((void *)-1)
#define MS_ASYNC 1
#define MS_INVALIDATE 2
#define MS_SYNC 4
#define MADV_NORMAL 0
#define MADV_RANDOM 1
#define MADV_SEQUENTIAL 2
#define MADV_WILLNEED 3
#define MADV_DONTNEED 4
#define POSIX_MADV_NORMAL 0
#define POSIX_MADV_SEQUENTIAL 2

__BEGIN_DECLS
void *mmap(void *, size_t, int, int, int, off_t);
int munmap(void *, size_t);
int mprotect(void *, size_t, int);
int msync(void *, size_t, int);
int madvise(void *, size_t, int);
int posix_madvise(void *, size_t, int);
int mlock(const void *, size_t);
int munlock(const void *, size_t);
int shm_open(const char *, int, mode_t);
int shm_unlink(const char *);
__END_DECLS

#endif
