/* sys/fenv.h: what <fenv.h> can promise on every device: rounding to nearest, and no record of exceptions. As C wants it,
 * there are no names for what there is not. */
#ifndef _SYS_FENV_H_
#define _SYS_FENV_H_

typedef int fenv_t;
typedef int fexcept_t;

#define FE_ALL_EXCEPT 0
#define FE_TONEAREST 0

extern const fenv_t __mog_default_fenv;
#define FE_DFL_ENV (&__mog_default_fenv)

#endif
