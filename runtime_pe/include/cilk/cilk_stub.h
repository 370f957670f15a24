/* cilk_stub.h: for files of Cilk that are to be C without it. */
#ifndef _CILK_CILK_STUB_H
#define _CILK_CILK_STUB_H

#undef __cilk
#undef __cilk_openmp
#undef _CILK_CILK_H
#undef cilk_spawn
#undef cilk_sync
#undef cilk_for
#undef cilk_scope
#undef cilk_reducer
#include <cilk/cilk.h>

#endif
