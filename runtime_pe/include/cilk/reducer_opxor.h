/* reducer_opxor.h: reducers for bits that an odd number has. */
#ifndef _CILK_REDUCER_OPXOR_H
#define _CILK_REDUCER_OPXOR_H

#include <cilk/reducer.h>

#define __CILK_REDUCER_OPXOR(name, type, least, most) __CILK_REDUCER_TYPE(opxor, name, type, (type)(0), *__left ^= *__right)
__CILK_EACH_INTEGER(__CILK_REDUCER_OPXOR)
#undef __CILK_REDUCER_OPXOR

#define CILK_C_REDUCER_OPXOR(Name, Type, InitialValue) __CILK_REDUCER(Name, opxor, Type, InitialValue)
#define CILK_C_REDUCER_OPXOR_TYPE(Type) cilk_c_reducer_opxor_##Type

#endif
