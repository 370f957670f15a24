/* fenv.c: the floating-point environment, which has one state: rounding to nearest, no exceptions recorded. What asks for
 * anything else fails. */
#include <fenv.h>

const fenv_t __mog_default_fenv = 0;

int feclearexcept(int excepts) { return excepts != 0; }
int feraiseexcept(int excepts) { return excepts != 0; }
int fetestexcept(int excepts) { return (void)excepts, 0; }
int fegetexceptflag(fexcept_t *flags, int excepts) { return *flags = 0, excepts != 0; }
int fesetexceptflag(const fexcept_t *flags, int excepts) { return (void)flags, excepts != 0; }
int fegetround(void) { return FE_TONEAREST; }
int fesetround(int mode) { return mode != FE_TONEAREST; }
int fegetenv(fenv_t *environment) { return *environment = 0, 0; }
int feholdexcept(fenv_t *environment) { return *environment = 0, 0; }
int fesetenv(const fenv_t *environment) { return *environment != 0; }
int feupdateenv(const fenv_t *environment) { return *environment != 0; }
