/* fenv.c: <fenv.h> over FCSR: rounding in bits 0-1, then five bits each of flags (from 2), enables (from 7) and causes (from 12).
 * That a program has these functions in it makes its interpreter keep FCSR. */
#include <fenv.h>

#define CAUSES (FE_ALL_EXCEPT << 10 | 1u << 17)
#define ENABLE_SHIFT 5
#define CAUSE_SHIFT 10

const fenv_t __mog_default_fenv = 0;
const fenv_t __mog_nomask_fenv = FE_ALL_EXCEPT << ENABLE_SHIFT;

static fenv_t get(void) {
    fenv_t fcsr;
    __asm__ volatile("cfc1 %0,$31" : "=r"(fcsr) : : "memory");
    return fcsr;
}

static void set(fenv_t fcsr) { __asm__ volatile("ctc1 %0,$31" : : "r"(fcsr) : "memory"); }

int feclearexcept(int excepts) {
    excepts &= FE_ALL_EXCEPT;
    set(get() & ~((unsigned)excepts | (unsigned)excepts << CAUSE_SHIFT | 1u << 17));
    return 0;
}

/* An exception that is enabled traps here. */
int feraiseexcept(int excepts) {
    excepts &= FE_ALL_EXCEPT;
    set(get() | (unsigned)excepts | (unsigned)excepts << CAUSE_SHIFT);
    return 0;
}

int fetestexcept(int excepts) { return (int)(get() & (unsigned)excepts & FE_ALL_EXCEPT); }

int fegetexceptflag(fexcept_t *flags, int excepts) {
    *flags = get() & (unsigned)excepts & FE_ALL_EXCEPT;
    return 0;
}

int fesetexceptflag(const fexcept_t *flags, int excepts) {
    unsigned which = (unsigned)excepts & FE_ALL_EXCEPT;
    set((get() & ~which & ~CAUSES) | (*flags & which));
    return 0;
}

int fegetround(void) { return (int)(get() & 3u); }

int fesetround(int mode) {
    if ((mode & ~3) != 0) return 1;
    set((get() & ~3u) | (unsigned)mode);
    return 0;
}

int fegetenv(fenv_t *environment) {
    *environment = get();
    return 0;
}

int feholdexcept(fenv_t *environment) {
    *environment = get();
    set(*environment & ~(CAUSES | FE_ALL_EXCEPT | FE_ALL_EXCEPT << ENABLE_SHIFT));
    return 0;
}

int fesetenv(const fenv_t *environment) {
    set(*environment & ~CAUSES);
    return 0;
}

int feupdateenv(const fenv_t *environment) {
    unsigned raised = get() & FE_ALL_EXCEPT;
    set(*environment & ~CAUSES);
    return feraiseexcept((int)raised);
}

int feenableexcept(int excepts) {
    unsigned before = get(), which = (unsigned)excepts & FE_ALL_EXCEPT;
    if (which != (unsigned)excepts) return -1;
    set((before & ~CAUSES) | which << ENABLE_SHIFT);
    return (int)(before >> ENABLE_SHIFT & FE_ALL_EXCEPT);
}

int fedisableexcept(int excepts) {
    unsigned before = get(), which = (unsigned)excepts & FE_ALL_EXCEPT;
    if (which != (unsigned)excepts) return -1;
    set((before & ~CAUSES) & ~(which << ENABLE_SHIFT));
    return (int)(before >> ENABLE_SHIFT & FE_ALL_EXCEPT);
}

int fegetexcept(void) { return (int)(get() >> ENABLE_SHIFT & FE_ALL_EXCEPT); }
