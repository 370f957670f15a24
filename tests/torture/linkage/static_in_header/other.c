/* See main.c. */
#include "own.h"

int other_count(void) { return count_up(), own_counter * 10; }
