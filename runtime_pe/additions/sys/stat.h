
/* ---- added by MOG ---- */
#ifndef _MOG_ADDED_SYS_STAT_H
#define _MOG_ADDED_SYS_STAT_H
#include <sys/cdefs.h>
#define UTIME_NOW -2L
#define UTIME_OMIT -1L
__BEGIN_DECLS
int lstat(const char *__restrict, struct stat *__restrict);
int mknod(const char *, mode_t, dev_t);
__END_DECLS
#endif
