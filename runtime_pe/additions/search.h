
/* ---- added by MOG ---- */
#ifndef _MOG_ADDED_SEARCH_H
#define _MOG_ADDED_SEARCH_H
__BEGIN_DECLS
void *lfind(const void *, const void *, size_t *, size_t, int (*)(const void *, const void *));
void *lsearch(const void *, void *, size_t *, size_t, int (*)(const void *, const void *));
void insque(void *, void *);
void remque(void *);
__END_DECLS
#endif
