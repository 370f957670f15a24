/* reducer_min.h: reducers for the smallest value, also with where it is: the first place, if there are several. */
#ifndef _CILK_REDUCER_MIN_H
#define _CILK_REDUCER_MIN_H

#include <cilk/reducer.h>

#define __CILK_REDUCER_MIN(name, type, least, most)                                                            \
    __CILK_REDUCER_TYPE(min, name, type, most, if (*__right < *__left) *__left = *__right)                  \
    typedef struct {                                                                                            \
        ptrdiff_t index;                                                                                        \
        type value;                                                                                             \
    } cilk_c_reducer_min_index_view_##name;                                                                    \
    __CILK_REDUCER_TYPE(min_index, name, cilk_c_reducer_min_index_view_##name, ((cilk_c_reducer_min_index_view_##name){-1, most}), \
                        if (__right->index >= 0 && (__left->index < 0 || __right->value < __left->value)) *__left = *__right)
__CILK_EACH_TYPE(__CILK_REDUCER_MIN)
#undef __CILK_REDUCER_MIN

#define CILK_C_REDUCER_MIN(Name, Type, InitialValue) __CILK_REDUCER(Name, min, Type, InitialValue)
#define CILK_C_REDUCER_MIN_TYPE(Type) cilk_c_reducer_min_##Type
#define CILK_C_REDUCER_MIN_CALC(Reducer, Value)                                     \
    do {                                                                            \
        __typeof__((Reducer).value) *__view = &REDUCER_VIEW(Reducer), __new = (Value); \
        if (__new < *__view) *__view = __new;                                        \
    } while (0)

#define CILK_C_REDUCER_MIN_INDEX(Name, Type, InitialIndex, InitialValue) \
    __CILK_REDUCER(Name, min_index, Type, {InitialIndex, InitialValue})
#define CILK_C_REDUCER_MIN_INDEX_TYPE(Type) cilk_c_reducer_min_index_##Type
#define CILK_C_REDUCER_MIN_INDEX_CALC(Reducer, Index, Value)                              \
    do {                                                                                  \
        __typeof__((Reducer).value) *__view = &REDUCER_VIEW(Reducer);                      \
        __typeof__(__view->value) __new = (Value);                                         \
        if (__view->index < 0 || __new < __view->value) __view->index = (Index), __view->value = __new; \
    } while (0)

#endif
