/* cilk_api.h: what programs ask of the runtime. Without -fcilk there is one worker. */
#ifndef _CILK_CILK_API_H
#define _CILK_CILK_API_H

#include <cilk/common.h>
#include <cilk/hyperobject_base.h>

enum __cilkrts_set_param_status {
    __CILKRTS_SET_PARAM_SUCCESS = 0,
    __CILKRTS_SET_PARAM_UNIMP = 1,   /* no such parameter */
    __CILKRTS_SET_PARAM_XRANGE = 2,  /* a value that cannot be */
    __CILKRTS_SET_PARAM_INVALID = 3, /* a null pointer */
    __CILKRTS_SET_PARAM_LATE = 4     /* workers have begun */
};

#if defined __cilk || defined MOG_CILK_H
__CILKRTS_BEGIN_EXTERN_C
/* Workers there are, or will be; the program's first thread is one. */
int __cilkrts_get_nworkers(void);
/* More than any worker's number: threads that the program has created, and which spawn, have numbers behind those of workers. */
int __cilkrts_get_total_workers(void);
/* The calling thread's, from 0 on. */
int __cilkrts_get_worker_number(void);
/* Parameters: "nworkers", "stack size"; before the first spawn. */
int __cilkrts_set_param(const char *__name, const char *__value);
int __cilkrts_is_initialized(void);
void __cilkrts_init(void);
void __cilkrts_end_cilk(void);
__CILKRTS_END_EXTERN_C
#else
static inline int __cilkrts_get_nworkers(void) { return 1; }
static inline int __cilkrts_get_total_workers(void) { return 1; }
static inline int __cilkrts_get_worker_number(void) { return 0; }
static inline int __cilkrts_set_param(const char *__name, const char *__value) {
    return __name && __value ? __CILKRTS_SET_PARAM_SUCCESS : __CILKRTS_SET_PARAM_INVALID;
}
static inline int __cilkrts_is_initialized(void) { return 0; }
static inline void __cilkrts_init(void) {}
static inline void __cilkrts_end_cilk(void) {}
#endif

#endif
