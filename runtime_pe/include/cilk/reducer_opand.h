/* reducer_opand.h: reducers for bits that all have. */
#ifndef _CILK_REDUCER_OPAND_H
#define _CILK_REDUCER_OPAND_H

#include <cilk/reducer.h>

#define __CILK_REDUCER_OPAND(name, type, least, most) __CILK_REDUCER_TYPE(opand, name, type, (type)(~(type)0), *__left &= *__right)
__CILK_EACH_INTEGER(__CILK_REDUCER_OPAND)
#undef __CILK_REDUCER_OPAND

#define CILK_C_REDUCER_OPAND(Name, Type, InitialValue) __CILK_REDUCER(Name, opand, Type, InitialValue)
#define CILK_C_REDUCER_OPAND_TYPE(Type) cilk_c_reducer_opand_##Type

#endif
