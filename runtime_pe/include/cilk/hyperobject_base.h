/* hyperobject_base.h: reducers as the runtime knows them. */
#ifndef _CILK_HYPEROBJECT_BASE_H
#define _CILK_HYPEROBJECT_BASE_H

#include <cilk/common.h>

/* Of Cilk Plus in C: operations are told which reducer they are for. */
typedef void (*cilk_c_reducer_reduce_fn_t)(void *__reducer, void *__left, void *__right);
typedef void (*cilk_c_reducer_identity_fn_t)(void *__reducer, void *__view);
typedef void (*cilk_c_reducer_destroy_fn_t)(void *__reducer, void *__view);

typedef struct cilk_c_monoid {
    cilk_c_reducer_reduce_fn_t reduce_fn;
    cilk_c_reducer_identity_fn_t identity_fn;
    cilk_c_reducer_destroy_fn_t destroy_fn;
} cilk_c_monoid;

typedef struct __cilkrts_hyperobject_base {
    cilk_c_monoid __c_monoid;
    ptrdiff_t __view_offset; /* of the view that the reducer itself is */
    size_t __view_size;
} __cilkrts_hyperobject_base;

__CILKRTS_BEGIN_EXTERN_C
#if defined __cilk || defined MOG_CILK_H
void __cilkrts_hyper_create(__cilkrts_hyperobject_base *__base);
void __cilkrts_hyper_destroy(__cilkrts_hyperobject_base *__base);
void *__cilkrts_hyper_lookup(__cilkrts_hyperobject_base *__base);
/* Of a view that holds nothing else. */
void __cilkrts_hyperobject_noop_destroy(void *__reducer, void *__view);

/* OpenCilk's. */
typedef void (*__cilk_identity_fn)(void *__view);
typedef void (*__cilk_reduce_fn)(void *__left, void *__right);
void __cilkrts_reducer_register(void *__key, size_t __bytes, __cilk_identity_fn __identity, __cilk_reduce_fn __reduce);
void __cilkrts_reducer_unregister(void *__key);
void *__cilkrts_reducer_lookup(void *__key, size_t __bytes, __cilk_identity_fn __identity, __cilk_reduce_fn __reduce);
#else
static inline void __cilkrts_hyperobject_noop_destroy(void *__reducer, void *__view) { (void)__reducer, (void)__view; }
#endif
__CILKRTS_END_EXTERN_C

#endif
