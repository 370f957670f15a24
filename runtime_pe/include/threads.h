/* threads.h: a PE is one thread. C11 lets a system do without (7.26), and programs can ask: __STDC_NO_THREADS__ is 1. */
#error "there are no threads on a PE: run more PEs (mogrun -n) and share the work by IPROC and NPROC of <mog.h>"
/* Ends the compilation: all that would follow says no more. */
#include <threads, which a PE has not>
