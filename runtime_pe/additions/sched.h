
/* ---- added by MOG ---- */
#ifndef _MOG_ADDED_SCHED_H
#define _MOG_ADDED_SCHED_H
#include <sys/cdefs.h>
__BEGIN_DECLS
int sched_yield(void);
__END_DECLS
#endif
