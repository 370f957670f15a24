
/* ---- added by MOG: newlib has gcc warn of arguments of type char, which no header of glibc does, and -Werror stops at ---- */
#ifndef _MOG_ADDED_CTYPE_H
#define _MOG_ADDED_CTYPE_H
#ifdef __ctype_lookup
#undef __ctype_lookup
#define __ctype_lookup(__c) ((__CTYPE_PTR + 1)[(int)(__c)])
#endif
#ifdef __ctype_lookup_l
#undef __ctype_lookup_l
#define __ctype_lookup_l(__c, __l) ((__locale_ctype_ptr_l(__l) + 1)[(int)(__c)])
#endif
#endif
