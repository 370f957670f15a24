/* uchar.h: UTF-16 and UTF-32 (C11, 7.28). */
#ifndef _UCHAR_H
#define _UCHAR_H

#define __need_size_t
#include <stddef.h>
#include <sys/_types.h>
#include <sys/cdefs.h>

/* As <wchar.h> has it. */
#ifndef _MBSTATE_T
#define _MBSTATE_T
typedef _mbstate_t mbstate_t;
#endif

#define __STDC_UTF_16__ 1
#define __STDC_UTF_32__ 1

#ifndef __cplusplus
typedef __UINT_LEAST16_TYPE__ char16_t;
typedef __UINT_LEAST32_TYPE__ char32_t;
#endif

__BEGIN_DECLS
size_t mbrtoc16(char16_t *__restrict, const char *__restrict, size_t, mbstate_t *__restrict);
size_t c16rtomb(char *__restrict, char16_t, mbstate_t *__restrict);
size_t mbrtoc32(char32_t *__restrict, const char *__restrict, size_t, mbstate_t *__restrict);
size_t c32rtomb(char *__restrict, char32_t, mbstate_t *__restrict);
__END_DECLS

#endif
