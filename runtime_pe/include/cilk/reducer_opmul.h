/* reducer_opmul.h: reducers for products. */
#ifndef _CILK_REDUCER_OPMUL_H
#define _CILK_REDUCER_OPMUL_H

#include <cilk/reducer.h>

#define __CILK_REDUCER_OPMUL(name, type, least, most) __CILK_REDUCER_TYPE(opmul, name, type, 1, *__left *= *__right)
__CILK_EACH_TYPE(__CILK_REDUCER_OPMUL)
#undef __CILK_REDUCER_OPMUL

#define CILK_C_REDUCER_OPMUL(Name, Type, InitialValue) __CILK_REDUCER(Name, opmul, Type, InitialValue)
#define CILK_C_REDUCER_OPMUL_TYPE(Type) cilk_c_reducer_opmul_##Type

#endif
