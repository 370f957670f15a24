/* reducer_opor.h: reducers for bits that any has. */
#ifndef _CILK_REDUCER_OPOR_H
#define _CILK_REDUCER_OPOR_H

#include <cilk/reducer.h>

#define __CILK_REDUCER_OPOR(name, type, least, most) __CILK_REDUCER_TYPE(opor, name, type, (type)(0), *__left |= *__right)
__CILK_EACH_INTEGER(__CILK_REDUCER_OPOR)
#undef __CILK_REDUCER_OPOR

#define CILK_C_REDUCER_OPOR(Name, Type, InitialValue) __CILK_REDUCER(Name, opor, Type, InitialValue)
#define CILK_C_REDUCER_OPOR_TYPE(Type) cilk_c_reducer_opor_##Type

#endif
