/* reducer_opadd.h: reducers for sums. */
#ifndef _CILK_REDUCER_OPADD_H
#define _CILK_REDUCER_OPADD_H

#include <cilk/reducer.h>

#define __CILK_REDUCER_OPADD(name, type, least, most) __CILK_REDUCER_TYPE(opadd, name, type, 0, *__left += *__right)
__CILK_EACH_TYPE(__CILK_REDUCER_OPADD)
#undef __CILK_REDUCER_OPADD

#define CILK_C_REDUCER_OPADD(Name, Type, InitialValue) __CILK_REDUCER(Name, opadd, Type, InitialValue)
#define CILK_C_REDUCER_OPADD_TYPE(Type) cilk_c_reducer_opadd_##Type

#endif
