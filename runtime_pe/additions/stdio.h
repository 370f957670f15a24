
/* ---- added by MOG ---- */
#ifndef _MOG_ADDED_STDIO_H
#define _MOG_ADDED_STDIO_H
#if __POSIX_VISIBLE >= 200809 || __GNU_VISIBLE
_BEGIN_STD_C
ssize_t getline(char **__restrict, size_t *__restrict, FILE *__restrict);
ssize_t getdelim(char **__restrict, size_t *__restrict, int, FILE *__restrict);
_END_STD_C
#endif
#endif
