/* See main.c. */
#include "shared.h"

static int hidden(void) { return 2; }
const char second_name[] = "second";
int second_file(void) { return shared_count++ * 10 + hidden(); }
