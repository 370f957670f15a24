/* sys/unistd.h: newlib's and glibc's name of it. */
#include <unistd.h>
