/* sys/syslog.h: the header's old name. */
#include <syslog.h>
