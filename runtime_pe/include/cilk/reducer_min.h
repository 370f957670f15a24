/* reducer_min.h: reducers for the smallest value, also with where it is: the first place, if there are several. */
#ifndef _CILK_REDUCER_MIN_H
#define _CILK_REDUCER_MIN_H

#include <cilk/reducer.h>

#define __CILK_REDUCER_MIN(name, type, least, most) __CILK_REDUCER_BEST(min, <, most, name, type)
__CILK_EACH_TYPE(__CILK_REDUCER_MIN)
#undef __CILK_REDUCER_MIN

#define CILK_C_REDUCER_MIN(Name, Type, InitialValue) __CILK_REDUCER(Name, min, Type, InitialValue)
#define CILK_C_REDUCER_MIN_TYPE(Type) cilk_c_reducer_min_##Type
#define CILK_C_REDUCER_MIN_CALC(Reducer, Value) __CILK_REDUCER_BEST_CALC(<, Reducer, Value)

#define CILK_C_REDUCER_MIN_INDEX(Name, Type, InitialIndex, InitialValue) \
    __CILK_REDUCER(Name, min_index, Type, {InitialIndex, InitialValue})
#define CILK_C_REDUCER_MIN_INDEX_TYPE(Type) cilk_c_reducer_min_index_##Type
#define CILK_C_REDUCER_MIN_INDEX_CALC(Reducer, Index, Value) __CILK_REDUCER_BEST_INDEX_CALC(<, Reducer, Index, Value)

#endif
