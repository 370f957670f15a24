/* sys/select.h: in front of the library's, as gnulib puts its own there for programs that bring it. */
#include <sys/types.h>
#include <sys/time.h>
#include_next <sys/select.h>
#include <signal.h>
