/* cilk.h: Cilk's keywords. Compiled without -fcilk they are left out, and the program is the C program that it is by itself. */
#ifndef _CILK_CILK_H
#define _CILK_CILK_H

#if defined __cilk || defined __cilk_openmp
#define cilk_spawn _Cilk_spawn
#define cilk_sync _Cilk_sync
#define cilk_for _Cilk_for
#define cilk_scope _Cilk_scope
#define cilk_reducer _Hyperobject
#else
#define _Cilk_spawn
#define _Cilk_sync
#define _Cilk_for for
#define _Cilk_scope
#define _Hyperobject(identity, reduce)
#define cilk_spawn
#define cilk_sync
#define cilk_for for
#define cilk_scope
#define cilk_reducer(identity, reduce)
#endif

#endif
