/* reducer_max.h: reducers for the largest value, also with where it is: the first place, if there are several. */
#ifndef _CILK_REDUCER_MAX_H
#define _CILK_REDUCER_MAX_H

#include <cilk/reducer.h>

#define __CILK_REDUCER_MAX(name, type, least, most)                                                            \
    __CILK_REDUCER_TYPE(max, name, type, least, if (*__right > *__left) *__left = *__right)                  \
    typedef struct {                                                                                            \
        ptrdiff_t index;                                                                                        \
        type value;                                                                                             \
    } cilk_c_reducer_max_index_view_##name;                                                                    \
    __CILK_REDUCER_TYPE(max_index, name, cilk_c_reducer_max_index_view_##name, ((cilk_c_reducer_max_index_view_##name){-1, least}), \
                        if (__right->index >= 0 && (__left->index < 0 || __right->value > __left->value)) *__left = *__right)
__CILK_EACH_TYPE(__CILK_REDUCER_MAX)
#undef __CILK_REDUCER_MAX

#define CILK_C_REDUCER_MAX(Name, Type, InitialValue) __CILK_REDUCER(Name, max, Type, InitialValue)
#define CILK_C_REDUCER_MAX_TYPE(Type) cilk_c_reducer_max_##Type
#define CILK_C_REDUCER_MAX_CALC(Reducer, Value)                                     \
    do {                                                                            \
        __typeof__((Reducer).value) *__view = &REDUCER_VIEW(Reducer), __new = (Value); \
        if (__new > *__view) *__view = __new;                                        \
    } while (0)

#define CILK_C_REDUCER_MAX_INDEX(Name, Type, InitialIndex, InitialValue) \
    __CILK_REDUCER(Name, max_index, Type, {InitialIndex, InitialValue})
#define CILK_C_REDUCER_MAX_INDEX_TYPE(Type) cilk_c_reducer_max_index_##Type
#define CILK_C_REDUCER_MAX_INDEX_CALC(Reducer, Index, Value)                              \
    do {                                                                                  \
        __typeof__((Reducer).value) *__view = &REDUCER_VIEW(Reducer);                      \
        __typeof__(__view->value) __new = (Value);                                         \
        if (__view->index < 0 || __new > __view->value) __view->index = (Index), __view->value = __new; \
    } while (0)

#endif
