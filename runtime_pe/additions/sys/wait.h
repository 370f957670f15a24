
/* ---- added by MOG ---- */
#ifndef _MOG_ADDED_SYS_WAIT_H
#define _MOG_ADDED_SYS_WAIT_H
#include <sys/cdefs.h>
struct rusage;
__BEGIN_DECLS
pid_t wait3(int *, int, struct rusage *);
pid_t wait4(pid_t, int *, int, struct rusage *);
__END_DECLS
#endif
