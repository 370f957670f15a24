/* sys/utime.h: another name of utime.h. */
#include <utime.h>
