
/* ---- added by MOG ---- */
#ifndef _MOG_ADDED_STDLIB_H
#define _MOG_ADDED_STDLIB_H
#if __MISC_VISIBLE
_BEGIN_STD_C
int clearenv(void);
int getloadavg(double *, int);
void *valloc(size_t);
_END_STD_C
#endif
#if __GNU_VISIBLE
_BEGIN_STD_C
char *canonicalize_file_name(const char *);
_END_STD_C
#endif
#endif
