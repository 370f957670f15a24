/* sys/fenv.h: the floating-point environment of MIPS: its control register FCSR. The values are Linux's.
 *
 * A program that calls these functions runs with software floating point, which keeps the register; see
 * docs/floating-point.md. */
#ifndef _SYS_FENV_H_
#define _SYS_FENV_H_

typedef unsigned fenv_t;     /* all of FCSR */
typedef unsigned fexcept_t;  /* its flags */

#define FE_INEXACT 0x04
#define FE_UNDERFLOW 0x08
#define FE_OVERFLOW 0x10
#define FE_DIVBYZERO 0x20
#define FE_INVALID 0x40
#define FE_ALL_EXCEPT 0x7c

#define FE_TONEAREST 0
#define FE_TOWARDZERO 1
#define FE_UPWARD 2
#define FE_DOWNWARD 3

extern const fenv_t __mog_default_fenv;
#define FE_DFL_ENV (&__mog_default_fenv)

#if defined(_GNU_SOURCE) || defined(__MISC_VISIBLE) && __MISC_VISIBLE
extern const fenv_t __mog_nomask_fenv;
#define FE_NOMASK_ENV (&__mog_nomask_fenv)
#ifdef __cplusplus
extern "C" {
#endif
/* Exceptions that stop the program, with SIGFPE; each gives those before, or -1. */
int feenableexcept(int excepts);
int fedisableexcept(int excepts);
int fegetexcept(void);
#ifdef __cplusplus
}
#endif
#endif

#endif
