/* reducer.h: reducers of Cilk Plus in C. */
#ifndef _CILK_REDUCER_H
#define _CILK_REDUCER_H

#include <cilk/hyperobject_base.h>

#define CILK_C_DECLARE_REDUCER(Type)                 \
    struct {                                         \
        __cilkrts_hyperobject_base __cilkrts_hyperbase; \
        Type value __attribute__((aligned(64)));     \
    }

/* The initializer of a reducer of type T. */
#define CILK_C_INIT_REDUCER(T, Reduce, Identity, Destroy, ...) \
    { {{Reduce, Identity, Destroy}, offsetof(T, value), sizeof(((T *)0)->value)}, __VA_ARGS__ }

#ifdef __cilk
#define CILK_C_REGISTER_REDUCER(Expr) __cilkrts_hyper_create(&(Expr).__cilkrts_hyperbase)
#define CILK_C_UNREGISTER_REDUCER(Expr) __cilkrts_hyper_destroy(&(Expr).__cilkrts_hyperbase)
#define REDUCER_VIEW(Expr) (*(__typeof__((Expr).value) *)__cilkrts_hyper_lookup(&(Expr).__cilkrts_hyperbase))
#else
#define CILK_C_REGISTER_REDUCER(Expr) ((void)(Expr))
#define CILK_C_UNREGISTER_REDUCER(Expr) ((void)(Expr))
#define REDUCER_VIEW(Expr) ((Expr).value)
#endif

#define CILK_C_REDUCER_REDUCE(Name) __cilk_##Name##_reduce
#define CILK_C_REDUCER_IDENTITY(Name) __cilk_##Name##_identity
#define CILK_C_REDUCER_DESTROY __cilkrts_hyperobject_noop_destroy

/* X(name in names of reducers, type, least value, largest value) */
#define __CILK_EACH_INTEGER(X) \
    X(char, char, __CILK_LEAST(char), __CILK_MOST(char)) \
    X(schar, signed char, __CILK_LEAST(signed char), __CILK_MOST(signed char)) \
    X(uchar, unsigned char, 0, (unsigned char)-1) \
    X(short, short, __CILK_LEAST(short), __CILK_MOST(short)) \
    X(ushort, unsigned short, 0, (unsigned short)-1) \
    X(int, int, __CILK_LEAST(int), __CILK_MOST(int)) \
    X(uint, unsigned int, 0, (unsigned int)-1) \
    X(unsigned, unsigned int, 0, (unsigned int)-1) \
    X(long, long, __CILK_LEAST(long), __CILK_MOST(long)) \
    X(ulong, unsigned long, 0, (unsigned long)-1) \
    X(longlong, long long, __CILK_LEAST(long long), __CILK_MOST(long long)) \
    X(ulonglong, unsigned long long, 0, (unsigned long long)-1)
#define __CILK_EACH_TYPE(X) \
    __CILK_EACH_INTEGER(X) \
    X(float, float, -__builtin_inff(), __builtin_inff()) \
    X(double, double, -__builtin_inf(), __builtin_inf()) \
    X(longdouble, long double, -__builtin_infl(), __builtin_infl())
#define __CILK_IS_SIGNED(type) ((type)-1 < (type)0)
#define __CILK_MOST(type) \
    ((type)(__CILK_IS_SIGNED(type) ? (type)(((unsigned long long)1 << (sizeof(type) * 8 - 1)) - 1) : (type)-1))
#define __CILK_LEAST(type) ((type)(__CILK_IS_SIGNED(type) ? -__CILK_MOST(type) - 1 : 0))

/* A type of reducers for one type of numbers: its functions, and the type cilk_c_reducer_NAME_SHORT. */
#define __CILK_REDUCER_TYPE(Name, Short, View, Neutral, Join)                                   \
    typedef CILK_C_DECLARE_REDUCER(View) cilk_c_reducer_##Name##_##Short;                        \
    static inline __attribute__((unused)) void __cilk_##Name##_##Short##_identity(void *__reducer, void *__view) { \
        (void)__reducer;                                                                         \
        *(View *)__view = Neutral;                                                               \
    }                                                                                            \
    static inline __attribute__((unused)) void __cilk_##Name##_##Short##_reduce(void *__reducer, void *__l, void *__r) { \
        View *__left = (View *)__l, *__right = (View *)__r;                                      \
        (void)__reducer;                                                                         \
        Join;                                                                                    \
    }
#define __CILK_REDUCER(Variable, Name, Short, ...)                                                                \
    cilk_c_reducer_##Name##_##Short Variable =                                                                    \
        CILK_C_INIT_REDUCER(cilk_c_reducer_##Name##_##Short, __cilk_##Name##_##Short##_reduce,                     \
                            __cilk_##Name##_##Short##_identity, __cilkrts_hyperobject_noop_destroy, __VA_ARGS__)

/* For reducer_max.h and reducer_min.h: what `is_better` than others, and where it is. */
#define __CILK_REDUCER_BEST(kind, is_better, worst, name, type)                                                \
    __CILK_REDUCER_TYPE(kind, name, type, worst, if (*__right is_better *__left) *__left = *__right)           \
    typedef struct {                                                                                           \
        ptrdiff_t index;                                                                                       \
        type value;                                                                                            \
    } cilk_c_reducer_##kind##_index_view_##name;                                                               \
    __CILK_REDUCER_TYPE(kind##_index, name, cilk_c_reducer_##kind##_index_view_##name,                         \
                        ((cilk_c_reducer_##kind##_index_view_##name){-1, worst}),                              \
                        if (__right->index >= 0 && (__left->index < 0 || __right->value is_better __left->value)) *__left = *__right)
#define __CILK_REDUCER_BEST_CALC(is_better, Reducer, Value)                            \
    do {                                                                               \
        __typeof__((Reducer).value) *__view = &REDUCER_VIEW(Reducer), __new = (Value); \
        if (__new is_better *__view) *__view = __new;                                  \
    } while (0)
#define __CILK_REDUCER_BEST_INDEX_CALC(is_better, Reducer, Index, Value)                                          \
    do {                                                                                                          \
        __typeof__((Reducer).value) *__view = &REDUCER_VIEW(Reducer);                                             \
        __typeof__(__view->value) __new = (Value);                                                                \
        if (__view->index < 0 || __new is_better __view->value) __view->index = (Index), __view->value = __new; \
    } while (0)

#endif
