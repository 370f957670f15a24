/* reducer_min_max.h: reducers for the smallest and the largest value. */
#include <cilk/reducer_max.h>
#include <cilk/reducer_min.h>
