/* See main.c. */
#include "shared.h"

static int (*hidden)(void) = second_file;
int third_file(void) { return hidden() * 100 + shared_count; }
int call_back(int (*f)(void)) { return f() + table[2]() % 7; }
