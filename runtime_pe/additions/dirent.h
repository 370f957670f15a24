
/* ---- added by MOG ---- */
#ifndef _MOG_ADDED_DIRENT_H
#define _MOG_ADDED_DIRENT_H
#if __GNU_VISIBLE
__BEGIN_DECLS
int versionsort(const struct dirent **, const struct dirent **);
__END_DECLS
#endif
#endif
