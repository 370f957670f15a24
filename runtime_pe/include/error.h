/* error.h: glibc's messages about errors. */
#ifndef _ERROR_H
#define _ERROR_H

#include <sys/cdefs.h>

extern void (*error_print_progname)(void);
extern unsigned error_message_count;
extern int error_one_per_line;

__BEGIN_DECLS
void error(int, int, const char *, ...) __attribute__((__format__(__printf__, 3, 4)));
void error_at_line(int, int, const char *, unsigned, const char *, ...) __attribute__((__format__(__printf__, 5, 6)));
__END_DECLS

#endif
