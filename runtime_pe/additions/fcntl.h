
/* ---- added by MOG ---- */
#ifndef _MOG_ADDED_FCNTL_H
#define _MOG_ADDED_FCNTL_H
#if __POSIX_VISIBLE >= 200112
#define POSIX_FADV_NORMAL 0
#define POSIX_FADV_RANDOM 1
#define POSIX_FADV_SEQUENTIAL 2
#define POSIX_FADV_WILLNEED 3
#define POSIX_FADV_DONTNEED 4
#define POSIX_FADV_NOREUSE 5
__BEGIN_DECLS
int posix_fadvise(int, off_t, off_t, int);
int posix_fallocate(int, off_t, off_t);
__END_DECLS
#endif
#endif
