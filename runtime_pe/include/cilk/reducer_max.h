/* reducer_max.h: reducers for the largest value, also with where it is: the first place, if there are several. */
#ifndef _CILK_REDUCER_MAX_H
#define _CILK_REDUCER_MAX_H

#include <cilk/reducer.h>

#define __CILK_REDUCER_MAX(name, type, least, most) __CILK_REDUCER_BEST(max, >, least, name, type)
__CILK_EACH_TYPE(__CILK_REDUCER_MAX)
#undef __CILK_REDUCER_MAX

#define CILK_C_REDUCER_MAX(Name, Type, InitialValue) __CILK_REDUCER(Name, max, Type, InitialValue)
#define CILK_C_REDUCER_MAX_TYPE(Type) cilk_c_reducer_max_##Type
#define CILK_C_REDUCER_MAX_CALC(Reducer, Value) __CILK_REDUCER_BEST_CALC(>, Reducer, Value)

#define CILK_C_REDUCER_MAX_INDEX(Name, Type, InitialIndex, InitialValue) \
    __CILK_REDUCER(Name, max_index, Type, {InitialIndex, InitialValue})
#define CILK_C_REDUCER_MAX_INDEX_TYPE(Type) cilk_c_reducer_max_index_##Type
#define CILK_C_REDUCER_MAX_INDEX_CALC(Reducer, Index, Value) __CILK_REDUCER_BEST_INDEX_CALC(>, Reducer, Index, Value)

#endif
