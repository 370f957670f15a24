/* common.h: what the headers of Cilk share. */
#ifndef _CILK_COMMON_H
#define _CILK_COMMON_H

#include <stddef.h>

#ifdef __cplusplus
#define __CILKRTS_BEGIN_EXTERN_C extern "C" {
#define __CILKRTS_END_EXTERN_C }
#else
#define __CILKRTS_BEGIN_EXTERN_C
#define __CILKRTS_END_EXTERN_C
#endif

#endif
